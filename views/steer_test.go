package views

import (
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// steered is a screen of two systems whose wishes are kept.
func steered(t *testing.T, wishes *[]collector.Wish) *Model {
	return several(t, 120, 40, Options{Steer: func(w collector.Wish) { *wishes = append(*wishes, w) }})
}

// answer shows the readings as a source would that follows the last wish.
func answer(m *Model, w collector.Wish) {
	snap := m.live
	good, origin := *snap.Good, *watchtest.TwoSystems().Snapshot.Good.Origin
	origin.Grouping = w.Grouping
	if w.Systems != nil {
		origin.Systems = []collector.System{{Profile: w.Systems[0]}}
		origin.Profile = w.Systems[0]
	}
	good.Origin, good.Begins = &origin, true
	snap.Good, snap.Last = &good, &good
	m.Update(SnapshotMsg{Snapshot: snap})
}

func TestTheGroupingIsAskedForAndAwaited(t *testing.T) {
	var wishes []collector.Wish
	m := steered(t, &wishes)
	press(m, "2", "G")
	if len(wishes) != 1 || wishes[0].Grouping != collector.ByCaller || !strings.Contains(text(m), "grouping by caller…") {
		t.Fatalf("%v:\n%s", wishes, text(m))
	}
	answer(m, collector.Wish{})
	if !strings.Contains(text(m), "grouping by caller…") {
		t.Error("a reading of before the wish ends the waiting")
	}
	answer(m, wishes[0])
	if got := text(m); strings.Contains(got, "grouping by") || !strings.Contains(strings.Split(got, "\n")[0], "by caller") {
		t.Errorf("not answered:\n%s", got)
	}
	press(m, "G", "G")
	if got := []collector.Grouping{wishes[1].Grouping, wishes[2].Grouping}; !slices.Equal(got, []collector.Grouping{collector.ByInstance, collector.ByService}) {
		t.Errorf("then %v", got)
	}
}

func TestSystemsAreJudgedTogetherThenEachAlone(t *testing.T) {
	var wishes []collector.Wish
	m := steered(t, &wishes)
	for range 4 {
		press(m, "p")
		if w := wishes[len(wishes)-1]; w.Systems != nil && !strings.Contains(text(m), "judging "+w.Systems[0]+" alone…") {
			t.Errorf("not told:\n%s", text(m))
		}
		answer(m, wishes[len(wishes)-1])
		if strings.Contains(text(m), "judging") {
			t.Errorf("the answer to %v is not noticed:\n%s", wishes[len(wishes)-1], text(m))
		}
	}
	var got []string
	for _, w := range wishes {
		got = append(got, strings.Join(w.Systems, "+"))
	}
	if want := []string{"envoy", "grpc_otel", "spring", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestASingleSystemIsNotOfferedAlone(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{Steer: func(collector.Wish) {}})
	if press(m, "p"); m.steering.waits || strings.Contains(text(m), "p profile") {
		t.Errorf("offered:\n%s", text(m))
	}
}

func TestAWishKeepsTheOtherHalfOfTheOneBefore(t *testing.T) {
	var wishes []collector.Wish
	m := steered(t, &wishes)
	press(m, "p", "G")
	if w := wishes[1]; w.Grouping != collector.ByCaller || !slices.Equal(w.Systems, []string{"envoy"}) {
		t.Errorf("%+v", w)
	}
}

func TestKeysThatDoNothingAreNotOffered(t *testing.T) {
	for name, test := range map[string]struct {
		m       *Model
		keys    []string
		has, no []string
	}{
		"nothing to steer":      {shown(t, "firing", 200, 60, Options{}), []string{"2"}, []string{"/ filter", "s sort"}, []string{"G group", "p profile", "b baseline"}},
		"all":                   {several(t, 200, 60, Options{Steer: func(collector.Wish) {}, Learn: func() {}}), []string{"2"}, []string{"G group", "p profile", "b baseline"}, []string{"2 targets"}},
		"overview":              {several(t, 200, 60, Options{}), nil, []string{"2 targets", "enter open"}, []string{"/ filter", "s sort", "1 "}},
		"a target":              {several(t, 200, 60, Options{Steer: func(collector.Wish) {}}), []string{"2", "enter"}, []string{"esc back"}, []string{"G group", "/ filter", "enter"}},
		"before any reading":    {shown(t, "waiting", 200, 60, Options{Learn: func() {}}), nil, []string{"? help"}, []string{"2 targets", "enter", "i explain", "b baseline"}},
		"while blind, no retry": {shown(t, "blind", 200, 60, Options{}), nil, []string{"? help"}, []string{"try again"}},
	} {
		press(test.m, test.keys...)
		rows := strings.Split(text(test.m), "\n")
		foot := rows[len(rows)-1]
		for _, want := range test.has {
			if !strings.Contains(foot, want) {
				t.Errorf("%s: no %q in %q", name, want, foot)
			}
		}
		for _, bad := range test.no {
			if strings.Contains(foot, bad) {
				t.Errorf("%s: %q in %q", name, bad, foot)
			}
		}
	}
	m := shown(t, "firing", 100, 60, Options{})
	press(m, "?")
	if got := text(m); strings.Contains(got, "group by service") || strings.Contains(got, "learn the baseline") || !strings.Contains(got, "all targets") {
		t.Errorf("help:\n%s", got)
	}
}

func TestLearningIsAnsweredInTheNoticeLine(t *testing.T) {
	asked := 0
	m := shown(t, "calm", 120, 40, Options{Learn: func() { asked++ }})
	press(m, "b")
	if asked != 1 || !strings.Contains(text(m), "learning the baseline") {
		t.Fatalf("asked %d times:\n%s", asked, text(m))
	}
	m.Update(NoticeMsg{Text: "refused: RetryRateHigh fires\x1b[2J in the last hour", Bad: true})
	if got := text(m); !strings.Contains(got, " ! refused: RetryRateHigh fires") || strings.Contains(got, "learning") {
		t.Errorf("the answer is not shown:\n%s", got)
	}
	press(m, "x")
	if strings.Contains(text(m), "refused") {
		t.Error("the next key does not end it")
	}
}

func TestANoticeEndsWithTheDataItIsAbout(t *testing.T) {
	m := shown(t, "calm", 120, 40, Options{})
	m.Update(NoticeMsg{Text: "learned 3.63 for orders"})
	later := func(data, clock time.Duration) {
		snap := m.live
		last := *snap.Last
		last.At = last.At.Add(data)
		snap.Last, snap.Good = &last, &last
		m.Update(SnapshotMsg{Snapshot: snap, At: m.now.Add(clock)})
	}
	later(20*time.Second, time.Second)
	if !strings.Contains(text(m), "learned 3.63") {
		t.Error("gone after 20s")
	}
	later(20*time.Second, time.Second)
	if !strings.Contains(text(m), "learned 3.63") {
		t.Error("gone after 2s of the clock: nobody has read it")
	}
	later(20*time.Second, 5*time.Second)
	if strings.Contains(text(m), "learned 3.63") {
		t.Error("it stays")
	}
}

func TestTheOriginOfABaselineIsExplained(t *testing.T) {
	for name, test := range map[string]struct {
		baselines collector.Baselines
		want      string
	}{
		"learned": {collector.Baselines{Learned: map[string]float64{watchtest.Service(watchtest.Payments).ID: 2}, From: "median of 1h, 1d before"}, "1.24x = 2.48 / 2, learned: median of 1h, 1d before"},
		"its own": {collector.Baselines{Of: map[string]float64{watchtest.Payments: 2}}, "1.24x = 2.48 / 2, entered for this target"},
		"of all":  {collector.Baselines{Number: 2}, "1.24x = 2.48 / 2, entered for all targets"},
	} {
		m := shown(t, "firing", 120, 40, Options{})
		snap := m.live
		origin := *snap.Good.Origin
		origin.Baselines = test.baselines
		last := *snap.Good
		last.Origin = &origin
		good := watchtest.Edit(&last, func(*collector.Row) {})
		snap.Good, snap.Last = good, good
		m.Update(SnapshotMsg{Snapshot: snap})
		press(m, "i")
		if got := text(m); !strings.Contains(got, test.want) {
			t.Errorf("%s: no %q:\n%s", name, test.want, got)
		}
	}
}
