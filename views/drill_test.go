package views

import (
	"strings"
	"testing"
	"time"

	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

func TestATargetIsOpenedAndLeftLevelByLevel(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{})
	press(m, "2", "down", "enter")
	if got := text(m); m.path.mode() != drilled || !strings.Contains(got, "orders  1.02x") || !strings.Contains(got, "RetryRateHigh") {
		t.Fatalf("not open:\n%s", got)
	}
	press(m, "i")
	if !strings.Contains(text(m), " orders  envoy_cluster_name") {
		t.Errorf("another target is explained:\n%s", text(m))
	}
	for _, want := range []mode{drilled, targets, overview} {
		press(m, "esc")
		if m.path.mode() != want {
			t.Fatalf("mode %d, want %d", m.path.mode(), want)
		}
	}
	press(m, "esc", "enter")
	if m.opened.target.Name != watchtest.Payments {
		t.Errorf("without a selection %q is opened, not the worst", m.opened.target.Name)
	}
	press(m, "esc")
	if m.path.mode() != overview {
		t.Error("esc does not lead back to the overview")
	}
}

func TestEveryRuleHasAStateOnTheTarget(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{})
	press(m, "enter")
	for _, want := range []string{
		"● RetryAmplificationHigh     FIRING 3m10s  2.48x > 1.5", "● RetryRateHigh              FIRING", "● RetryStorm",
	} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q:\n%s", want, text(m))
		}
	}
	press(m, "esc", "down", "enter")
	for _, want := range []string{"RetryAmplificationHigh     ok  1.02x, threshold > 1.5", "AttemptLimitReached        ok  0/s, threshold > 0"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q:\n%s", want, text(m))
		}
	}
	m = shown(t, "not-all-seen", 120, 40, Options{})
	press(m, "enter")
	if !strings.Contains(text(m), "? AttemptLimitReached        cannot be judged: not exported") {
		t.Errorf("what cannot be judged looks calm:\n%s", text(m))
	}
}

func TestTheCallersOfATargetAndTheirShareOfTheExtraAttempts(t *testing.T) {
	m := opens(t, 120, 40, Options{})
	got := text(m)
	for _, want := range []string{"ATTEMPTS BY CALLER", "checkout   1,102/s   3,908/s   3.55x     96.2%", "batch            –      40/s       –         –"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
}

func TestCallersOfAnotherTargetAreNotShown(t *testing.T) {
	m := opens(t, 120, 40, Options{Open: func(collector.Target) {}})
	press(m, "esc", "down", "enter")
	m.Update(callers("another"))
	if got := text(m); strings.Contains(got, "checkout") || !strings.Contains(got, "asking who calls") {
		t.Errorf("the callers of the target before are shown:\n%s", got)
	}
}

// beyond opens a target whose course is not kept.
func beyond(t *testing.T, opt Options) *Model {
	m := shown(t, "firing", 120, 40, opt)
	press(m, "2", "/")
	typing(m, "^users")
	press(m, "enter", "enter")
	if m.shown.History.Has(m.opened.target.ID) {
		t.Fatal("the course of users is kept")
	}
	return m
}

func TestATargetWithoutACourseSaysWhatIsDoneAboutIt(t *testing.T) {
	opt := Options{Open: func(collector.Target) {}}
	m := beyond(t, opt)
	if got := text(m); !strings.Contains(got, "asking for the last 15m of users") || !strings.Contains(got, "asking who calls users") {
		t.Errorf("not said:\n%s", got)
	}
	m.Update(CallersMsg{ID: m.opened.target.ID, Note: "no answer within 5s\x1b[2J"})
	if got := text(m); strings.Count(got, "no answer within 5s") != 1 || strings.Contains(got, "asking") {
		t.Errorf("why nothing came is not told once:\n%s", got)
	}
	m = beyond(t, Options{})
	if got := text(m); !strings.Contains(got, "the course of users is not kept") || strings.Contains(got, "asking") {
		t.Errorf("a source that cannot be asked:\n%s", got)
	}
}

func TestTheCallersAreAskedForAgainWhenTheyAreOld(t *testing.T) {
	asked := 0
	m := shown(t, "firing", 120, 40, Options{Open: func(collector.Target) { asked++ }})
	press(m, "enter")
	again := func(later time.Duration) {
		snap := m.live
		good := *snap.Good
		good.At = good.At.Add(later)
		snap.Good, snap.Last = &good, &good
		m.Update(SnapshotMsg{Snapshot: snap})
	}
	again(5 * time.Second)
	if asked != 1 {
		t.Errorf("asked %d times after 5s", asked)
	}
	again(25 * time.Second)
	again(5 * time.Second)
	if asked != 2 {
		t.Errorf("asked %d times after 35s", asked)
	}
	press(m, "esc")
	again(time.Minute)
	if asked != 2 {
		t.Error("asked for a target that nobody looks at")
	}
}

func TestATargetThatIsGoneSaysSo(t *testing.T) {
	m := several(t, 120, 40, Options{})
	press(m, "2", "enter")
	m.Update(SnapshotMsg{Snapshot: moments()["calm"].Snapshot})
	if got := text(m); !strings.Contains(got, "not in the newest reading") {
		t.Errorf("not said:\n%s", got)
	}
}
