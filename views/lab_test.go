package views

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts/watch"
	"stormtop/collector"
)

// pictures are the simulations of the golden screens.
var pictures = map[string]func() *collector.Rig{"storm": burning, "repaired": repaired}

func TestLabAtEverySize(t *testing.T) { rigAtEverySize(t, "5") }

func rigAtEverySize(t *testing.T, key string) {
	for name, rig := range pictures {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size.w, size.h), func(t *testing.T) {
				m := rehearsed(t, &rehearsal{rig: rig()}, size.w, size.h, Options{}, key)
				requireSize(t, m.Frame(), size.w, size.h)
				golden.RequireEqual(t, text(m))
			})
		}
	}
	t.Run("styled", func(t *testing.T) {
		golden.RequireEqual(t, rehearsed(t, &rehearsal{rig: repaired()}, 120, 40, Options{}, key).Frame())
	})
}

func TestTheLabIsSteeredByKeys(t *testing.T) {
	for _, test := range []struct{ keys, asked string }{
		{"5 ]", "gateway.attempts=5"},
		{"5 ] ]", "gateway.attempts=5"},
		{"5 [ [ [", "gateway.attempts=2, gateway.attempts=1"},
		{"5 tab [", "order.attempts=2"},
		{"5 tab shift+tab [", "gateway.attempts=2"},
		{"5 shift+tab ]", "payment.bulkhead=6,000"},
		{"5 shift+tab tab ]", "gateway.attempts=5"},
		{"5 down right ]", "order.backoff=50ms"},
		{"5 down right left ]", "gateway.backoff=50ms"},
		{"5 down up right right right [", "payment.attempts=2"},
		{"5 up left ]", "gateway.attempts=5"},
		{"5 down down down down down down ]", "order.bulkhead=6,000"},
		{"5 o o", "channel.outage=1, channel.outage=0"},
		{"5 d", "channel.delay=300ms"},
		{"5 u u", "payments.rate=4020/s, payments.rate=2010/s"},
		{"5 n n n n n n", "do cut, do bulkhead, do drain, do half-open"},
		{"5 end enter", "do queue"},
		{"5 end up enter", "do restart"},
		{"5 end down enter home [", "do queue, gateway.attempts=2"},
		{"5 shift+tab down enter enter", "channel.outage=1, channel.outage=0"},
		{"5 shift+tab down down down down enter", "channel.service=180ms"},
		{"5 shift+tab down right enter", "do cut"},
		{"5 shift+tab down right left enter", "channel.outage=1"},
		{"5 end left enter", "channel.service=180ms"},
		{"5 end tab [", "gateway.attempts=2"},
		{"5 end shift+tab ]", "payment.bulkhead=6,000"},
		{"5 enter", ""},
		{"5 > > <", "speed 20, speed 50, speed 20"},
		{"> <", "speed 20, speed 10"},
		{"3 >", "speed 20"},
		{"5 R", "restart 7"},
		{"5 N N R", "restart 8, restart 9, restart 9"},
		{"o d u n N R [ ] tab", ""},
		{"3 o d u n N R [ ] tab", ""},
		{"5 ? ] n o R >", ""},
		{"5 space ] n o d u R N enter", ""},
		{"5 space ] space ]", "gateway.attempts=5"},
	} {
		r := &rehearsal{rig: burning()}
		m := rehearsed(t, r, 120, 40, Options{}, strings.Fields(test.keys)...)
		if got := strings.Join(r.asked, ", "); got != test.asked {
			t.Errorf("%s: asked for %q, want %q\n%s", test.keys, got, test.asked, text(m))
		}
	}
}

func TestOtherArrivalsThanThoseOfTheRunAreSaidToBe(t *testing.T) {
	for _, width := range []int{50, 80, 120} {
		for seed, want := range map[int64]bool{7: false, 8: true} {
			r := &rehearsal{rig: burning()}
			r.rig.Seed = seed
			got := text(rehearsed(t, r, width, 60, Options{}, "5"))
			if !strings.Contains(got, "OTHER POLICIES") || strings.Contains(got, "OTHER POLICIES, of seed 7") != want {
				t.Errorf("a run of seed %d beside courses of seed 7 at %d:\n%s", seed, width, got)
			}
		}
	}
}

func TestTheEndOfARunSaysWhatBecameOfIt(t *testing.T) {
	const outcome = "metastable: outside its baseline for the last 2m20s"
	for _, key := range []string{"3", "5"} {
		for _, width := range []int{80, 120} {
			for _, over := range []bool{false, true} {
				r := burning()
				r.Over, r.Outcome = over, outcome
				if got := text(rehearsed(t, &rehearsal{rig: r}, width, 24, Options{}, key)); strings.Contains(got, "   over: "+outcome) != over {
					t.Errorf("%s at %d, over %v:\n%s", key, width, over, got)
				}
			}
		}
	}
}

func TestTheChartOfASimulationNamesItsTarget(t *testing.T) {
	alone := storming()
	other, good := alone.Good.Targets[0], *alone.Good
	other.Target = collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: "order"})
	good.Targets = append(slices.Clone(good.Targets), other)
	several := alone
	several.Good = &good
	for _, key := range []string{"3", "5"} {
		for _, size := range [][2]int{{120, 50}, {200, 60}} {
			for of, s := range map[int]watch.Snapshot{1: alone, 2: several} {
				m := rehearsed(t, &rehearsal{rig: burning()}, size[0], size[1], Options{}, key)
				m.Update(SnapshotMsg{Snapshot: s})
				if got := text(m); strings.Contains(got, " AMPLIFICATION  of channel") != (of > 1) {
					t.Errorf("%s at %v: the name of the chart's target, one of %d:\n%s", key, size, of, got)
				}
			}
		}
	}
}

func TestAfterTheLastSeedComesTheFirst(t *testing.T) {
	r := &rehearsal{rig: burning()}
	r.rig.Seed = math.MaxInt64
	if rehearsed(t, r, 120, 40, Options{}, "5", "N"); !slices.Equal(r.asked, []string{"restart 1"}) {
		t.Errorf("asked for %v", r.asked)
	}
}

func TestWhatWasTurnedIsSaidAndShownAtOnce(t *testing.T) {
	r, told := &rehearsal{rig: burning()}, []string{}
	m := rehearsed(t, r, 120, 40, Options{Change: func(text string) { told = append(told, text) }}, "5", "tab", "[")
	for _, want := range []string{"   attempts at order: 3 → 2", " attempts  3        [2]        3"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q:\n%s", want, text(m))
		}
	}
	press(m, "o")
	if got := text(m); !strings.Contains(got, "the channel is down: on") || !strings.Contains(got, "o ON  the channel is down") {
		t.Errorf("an outage:\n%s", got)
	}
	press(m, "n")
	if got := text(m); !strings.Contains(got, "done: retries off") || !strings.Contains(got, "done  retries off") || !strings.Contains(got, "n     own pool") {
		t.Errorf("a repair:\n%s", got)
	}
	press(m, "N")
	if got := text(m); !strings.Contains(got, "started again with seed 8") || !strings.Contains(got, "t=0s of 12m  seed 8") {
		t.Errorf("another seed:\n%s", got)
	}
	if len(told) != 4 || told[0] != "attempts at order: 3 → 2" || told[1] != "the channel is down: on" || !strings.HasPrefix(told[2], "done: ") || told[3] != "started again with seed 8" {
		t.Errorf("entered among what happened: %q", told)
	}
}

func TestARefusalSaysWhyAndChangesNothing(t *testing.T) {
	for _, keys := range []string{"5 ]", "5 o", "5 n", "5 end enter"} {
		r := &rehearsal{rig: burning(), fails: errRefused}
		m := rehearsed(t, r, 120, 40, Options{Change: func(text string) { t.Errorf("%s: entered %q", keys, text) }}, strings.Fields(keys)...)
		if got := text(m); !strings.Contains(got, " ! the breaker is forced open until 640s:") || strings.Contains(m.Frame(), "\x1b[2J") || strings.Contains(got, "done") {
			t.Errorf("%s:\n%s", keys, got)
		}
	}
}

func TestASpeedAskedForIsSaidUntilTheSimulationHasIt(t *testing.T) {
	r := &rehearsal{rig: burning()}
	m := rehearsed(t, r, 120, 40, Options{}, ">")
	m.Update(RigMsg{Rig: burning()}) // of before
	m.take(SnapshotMsg{Snapshot: m.live})
	if !strings.Contains(head(m), "SIMULATED 20x") {
		t.Errorf("asked for: %q", head(m))
	}
	m.Update(RigMsg{Rig: r.rig})
	m.take(SnapshotMsg{Snapshot: m.live}) // whose origin is as old as it was
	if m.playing.speed != 0 || !strings.Contains(head(m), "SIMULATED 20x") {
		t.Errorf("reached: %v, %q", m.playing.speed, head(m))
	}
	r.rig = burning()
	r.rig.Speed = 1
	if m = rehearsed(t, r, 120, 40, Options{}); !strings.Contains(head(m), "SIMULATED 1x") {
		t.Errorf("live: %q", head(m))
	}
}

func TestAFrozenScreenKeepsThePictureOfTheSimulation(t *testing.T) {
	m := rehearsed(t, &rehearsal{rig: burning()}, 120, 40, Options{}, "5", "space")
	before := text(m)
	m.Update(RigMsg{Rig: repaired()})
	if text(m) != before {
		t.Errorf("it moves while it is frozen:\n%s", text(m))
	}
	if press(m, "3"); strings.Contains(text(m), "half-open, 5.0%") {
		t.Errorf("the Chain is of another instant:\n%s", text(m))
	}
	if press(m, "5", "space"); !strings.Contains(text(m), "LAST CHANGE  20s ago") {
		t.Errorf("thawed:\n%s", text(m))
	}
}

func TestLabAndChainAreOfNowSoACursorEndsThere(t *testing.T) {
	for _, key := range []string{"3", "5"} {
		m := rehearsed(t, &rehearsal{rig: burning()}, 120, 40, Options{}, "left", "left", key)
		if m.past() || strings.Contains(head(m), " AT ") {
			t.Errorf("%s: the numbers are of %v, %q", key, m.time.cursor, head(m))
		}
	}
}

func TestTheSelectionStaysOnItsLever(t *testing.T) {
	r := &rehearsal{rig: burning()}
	m := rehearsed(t, r, 120, 40, Options{}, "5", "down", "down", "right")
	next := burning()
	next.Levers = append([]collector.Lever{{Row: "attempts", Field: "new.attempts", Value: "1"}}, next.Levers...)
	m.Update(RigMsg{Rig: next})
	if l, _ := m.lever(); l.Field != "order.jitter" {
		t.Errorf("selected is %q", l.Field)
	}
	next = burning()
	next.Levers = next.Levers[:2]
	m.Update(RigMsg{Rig: next})
	if s, _, ok := m.selectedSpot(); !ok || s.kind == leverSpot && s.i > 1 {
		t.Errorf("selected is %v", s)
	}
	m.Update(RigMsg{Rig: &collector.Rig{}})
	press(m, "tab", "]", "up", "down", "left", "right", "end", "enter", "n", "o")
	if _, _, ok := m.selectedSpot(); ok || len(r.asked) > 0 {
		t.Errorf("of nothing something is selected, asked for %v", r.asked)
	}
}

func TestEverythingInTheLabCanBeReachedByArrows(t *testing.T) {
	rig := burning()
	rig.Levers = slices.DeleteFunc(rig.Levers, func(l collector.Lever) bool { return (l.Layer+len(l.Row))%3 == 0 })
	m := rehearsed(t, &rehearsal{rig: rig}, 120, 40, Options{}, "5")
	all := len(spots(m.rig.shown))
	seen := map[int]bool{0: true}
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] {
		for _, key := range []string{"up", "down", "left", "right"} {
			m.selectSpot(todo[0])
			press(m, key)
			if _, at, _ := m.selectedSpot(); !seen[at] {
				seen[at] = true
				todo = append(todo, at)
			}
		}
	}
	if len(seen) != all {
		t.Errorf("%d of %d can be reached", len(seen), all)
	}
}

func TestWhatIsSelectedIsSeenAtEverySize(t *testing.T) {
	for _, size := range []struct{ w, h int }{{20, 3}, {24, 4}, {40, 10}, {60, 16}, {80, 12}, {80, 24}, {120, 40}} {
		m := rehearsed(t, &rehearsal{rig: burning()}, size.w, size.h, Options{}, "5")
		for range len(spots(m.rig.shown)) {
			s, _, _ := m.selectedSpot()
			r, got := m.rig.shown, text(m)
			want := ""
			switch s.kind {
			case leverSpot:
				want = "[" + r.Levers[s.i].Value + "]"
			case faultSpot:
				want = r.Faults[s.i].Title[:9]
			case repairSpot:
				want = r.Repairs[s.i].Title[:9]
			}
			if !strings.Contains(got, want) {
				t.Errorf("%dx%d: no %q:\n%s", size.w, size.h, want, got)
			}
			_, at, _ := m.selectedSpot()
			m.selectSpot(at + 1)
			m.fresh = false
		}
	}
}

func TestKeysOfTheLabAreOfferedWhereTheyDoSomething(t *testing.T) {
	foot := func(m *Model) string {
		rows := strings.Split(text(m), "\n")
		return rows[len(rows)-1]
	}
	last := burning()
	for i := range last.Repairs {
		last.Repairs[i].Done = true
	}
	last.Faults = last.Faults[:1]
	over := burning()
	over.Over = true
	for name, test := range map[string]struct {
		r       *collector.Rig
		keys    string
		has, no []string
	}{
		"a lever": {burning(), "5", []string{"i story  tab lever  [ to 2  ] to 5  n repair  o outage  d delay  u load  3 chain  <> speed  R restart  N new seed"},
			[]string{"enter", "5 lab", "←→"}},
		"the end of a lever":   {repaired(), "5", []string{"] to 2"}, []string{"[ to"}},
		"a repair":             {burning(), "5 end", []string{"enter do it"}, []string{"[ to", "] to"}},
		"a fault":              {burning(), "5 end left", []string{"enter switch"}, []string{"[ to", "] to"}},
		"all repairs done":     {last, "5", []string{"o outage"}, []string{"n repair", "d delay", "u load"}},
		"over":                 {over, "5", []string{"i story  tab lever  3 chain  <> speed  R restart  N new seed"}, []string{"[ to", "] to", "n repair", "o outage", "d delay", "u load"}},
		"frozen":               {burning(), "5 space", []string{"0 live  space thaw", "<> speed"}, []string{"[ to", "n repair", "R restart", "tab lever"}},
		"the chain":            {burning(), "3", []string{"5 lab", "<> speed"}, []string{"n repair", "[ to", "3 chain", "←→ cursor"}},
		"the overview":         {burning(), "", []string{"5 lab  3 chain  <> speed"}, []string{"n repair", "R restart", "R again"}},
		"no simulation at all": {nil, "5 3", []string{"? help", "←→ cursor"}, []string{"lab", "chain", "speed"}},
	} {
		m := rehearsed(t, &rehearsal{rig: test.r}, 200, 60, Options{}, strings.Fields(test.keys)...)
		for _, want := range test.has {
			if !strings.Contains(foot(m), want) {
				t.Errorf("%s: no %q in %q", name, want, foot(m))
			}
		}
		for _, bad := range test.no {
			if strings.Contains(foot(m), bad) {
				t.Errorf("%s: %q in %q", name, bad, foot(m))
			}
		}
	}
}

func TestTheHelpOfTheLabSaysWhatItsKeysDoThere(t *testing.T) {
	m := rehearsed(t, &rehearsal{rig: burning()}, 100, 70, Options{}, "5", "?")
	for _, want := range []string{"the selected lever a step down", "restart the simulation with the same seed", "lab: the next repair", "select the lever of the next layer"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q:\n%s", want, text(m))
		}
	}
	if got := text(m); strings.Contains(got, "replay: half") || strings.Contains(got, "again from the cursor") {
		t.Errorf("it speaks of a replay:\n%s", got)
	}
	m = replay(t, &player{})
	m.Update(tea.WindowSizeMsg{Width: 100, Height: 70})
	if press(m, "?"); !strings.Contains(text(m), "half a span back") || strings.Contains(text(m), "lab: the next") {
		t.Errorf("the help of a replay:\n%s", text(m))
	}
}

func TestTheLabLeadsBackAndTheWheelSelects(t *testing.T) {
	m := rehearsed(t, &rehearsal{rig: burning()}, 120, 40, Options{}, "5", "M")
	m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if l, _ := m.lever(); l.Field != "gateway.budget" {
		t.Errorf("the wheel selects %q", l.Field)
	}
	press(m, "esc")
	if m.path.mode() != overview {
		t.Errorf("esc leads to %d", m.path.mode())
	}
}

func TestWhatTheLastChangeDidIsCopied(t *testing.T) {
	m := rehearsed(t, &rehearsal{rig: repaired()}, 120, 40, Options{}, "5", "y")
	want := "payment-1945 2026-03-14T11:56:50Z SIMULATED\npayment-1945 seed 7, 20s after: retries off at gateway and order\n" +
		"amplification 26.1x → 4.05x, 10s after it 4.22x\nattempts 52,250 → 8,140/s, 10s after it 8,480/s\n"
	if !strings.HasPrefix(m.copied, want) || !strings.HasSuffix(m.copied, "worst case now 9x = 3 x 1 x 3, on average at most 4.17x with budgets = 1.39 x 1 x 3") {
		t.Errorf("copied:\n%s", m.copied)
	}
	m = rehearsed(t, &rehearsal{rig: burning()}, 120, 40, Options{}, "5", "y")
	if !strings.Contains(m.copied, "FIRING") {
		t.Errorf("before any change:\n%s", m.copied)
	}
}

func BenchmarkLabFrame120x40(b *testing.B) {
	m := rehearsed(b, &rehearsal{rig: repaired()}, 120, 40, Options{}, "5")
	b.ReportAllocs()
	for b.Loop() {
		m.Update(RigMsg{Rig: m.opt.Rig.Rig()})
		m.Frame()
	}
}

func TestLongValuesLeaveRoomForWhatTheChangeDid(t *testing.T) {
	rig := repaired()
	for i := range rig.Levers {
		switch l := &rig.Levers[i]; l.Row {
		case "backoff":
			l.Value = "exponential 100ms"
		case "budget":
			l.Value = "attempts 23.5%"
		}
	}
	got := text(rehearsed(t, &rehearsal{rig: rig}, 80, 24, Options{}, "5"))
	if !strings.Contains(got, "exponent…") || !strings.Contains(got, " 52,250/s 8,480/s 8,140/s") {
		t.Errorf("at 80:\n%s", got)
	}
	got = text(rehearsed(t, &rehearsal{rig: rig}, 120, 40, Options{}, "5"))
	if !strings.Contains(got, "exponential 100ms  ") || !strings.Contains(got, "after 10s") {
		t.Errorf("at 120:\n%s", got)
	}
}
