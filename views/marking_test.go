package views

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// ending is a storm whose end was marked before it came, 42 s ago.
func ending() *watch.Watch {
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	for _, r := range (watchtest.Storm{Targets: 12}).Readings(25*time.Minute, watchtest.Subsides+30*time.Second) {
		w.Add(r)
	}
	w.Note(collector.Event{At: watchtest.Start.Add(watchtest.Subsides - 12*time.Second), Kind: collector.EventMark, Text: "retries off at orders"})
	return w
}

// marked is a moment with an incident between two marks.
func marked() watchtest.Moment {
	w := ending()
	w.Note(collector.Event{At: watchtest.Start.Add(watchtest.Subsides - 8*time.Minute), Kind: collector.EventMark, Text: "it begins"})
	return watchtest.Moment{Name: "marked", Snapshot: w.Snapshot(), Now: watchtest.Start.Add(watchtest.Subsides + 32*time.Second)}
}

func TestAfterAMark(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			m := New(Options{Span: 15 * time.Minute})
			m.Update(tea.WindowSizeMsg{Width: size.w, Height: size.h})
			m.Update(SnapshotMsg{Snapshot: ending().Snapshot()})
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, text(m))
			if small := size.w < stripWidth || size.h < stripHeight; strings.Contains(text(m), "since \"retries off") == small {
				t.Errorf("the strip on a screen of %dx%d", size.w, size.h)
			}
		})
	}
	t.Run("incident", func(t *testing.T) {
		m := New(Options{Span: 15 * time.Minute})
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		m.Update(SnapshotMsg{Snapshot: marked().Snapshot})
		golden.RequireEqual(t, text(m))
	})
}

func TestTheRightBeforeAndAfterOfAFix(t *testing.T) {
	m := New(Options{Span: 15 * time.Minute})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 40})
	m.Update(SnapshotMsg{Snapshot: ending().Snapshot()})
	for _, want := range []string{
		`since "retries off at orders" 42s, payments-channel:`, "2.46x → 1.01x", "attempts 4,920 → 2,022/s", "delivered 46.7% → 100%",
		"18s of the rate range are still from before the mark",
	} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q:\n%s", want, text(m))
		}
	}
	times(m, 100, "left") // before the mark there is no strip
	if strings.Contains(text(m), "since \"retries") {
		t.Errorf("a strip before the mark:\n%s", text(m))
	}
}

func TestAMarkIsTypedAndHandedOn(t *testing.T) {
	var got []collector.Mark
	opt := Options{Mark: func(mark collector.Mark) { got = append(got, mark) }}
	m := shown(t, "firing", 80, 24, opt)
	press(m, "m")
	typing(m, "retries off ")
	if last := strings.Split(text(m), "\n")[23]; !strings.Contains(last, "mark 12:04:32Z retries off") || !strings.Contains(last, "enter set  esc cancel") {
		t.Errorf("the line: %q", last)
	}
	m.Update(tea.PasteMsg{Content: "at\norders\x1b[2J"})
	m.Update(TickMsg{At: m.now.Add(10 * time.Second)})
	press(m, "enter")
	want := collector.Mark{At: moments()["firing"].Now, Text: "retries off at orders" + collector.Clean("\x1b[2J")}
	if len(got) != 1 || got[0] != want {
		t.Errorf("marks %v, want %v: of the moment of the key", got, want)
	}
	times(m, 12, "left")
	press(m, "m", "enter")
	if len(got) != 2 || got[1].At.Format("15:04:05") != "12:03:30" {
		t.Errorf("at the cursor: %v", got)
	}
	press(m, "m", "x", "esc")
	if len(got) != 2 || m.path.mode() != overview {
		t.Error("esc does not cancel")
	}
	if press(shown(t, "firing", 80, 24, Options{}), "m"); m.path.mode() == marking {
		t.Error("offered although nobody takes a mark")
	}
}

// TestAMarkIsOfTheTimeOfTheData: where the clock is not that of the data, as in a
// replay, the newest reading is now.
func TestAMarkIsOfTheTimeOfTheData(t *testing.T) {
	var got collector.Mark
	m := shown(t, "firing", 80, 24, Options{Mark: func(mark collector.Mark) { got = mark }})
	m.Update(TickMsg{At: m.now.Add(24 * time.Hour)})
	press(m, "m", "enter")
	if !got.At.Equal(moments()["firing"].Snapshot.Last.At) {
		t.Errorf("a day later: %v", got.At)
	}
}

func TestAMarkIsShownOnAFrozenPictureToo(t *testing.T) {
	m := New(Options{Span: 15 * time.Minute})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	w := ending()
	m.Update(SnapshotMsg{Snapshot: w.Snapshot()})
	press(m, "space")
	w.Note(collector.Event{At: watchtest.Start.Add(watchtest.Subsides), Kind: collector.EventMark, Text: "budget on"})
	m.Update(SnapshotMsg{Snapshot: w.Snapshot()})
	if got := text(m); !strings.Contains(got, `since "budget on" 30s, payments-channel`) || strings.Count(got, "▲") < 2 {
		t.Errorf("not shown:\n%s", got)
	}
}

// relay is a storm of one target that hands over to another one at a time: the
// worst is first the one, then the other.
func relay(seconds, handover int) *watch.Watch {
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	origin := &collector.Origin{Source: "x", Interval: time.Second, RateRange: time.Second}
	for s := range seconds {
		r := &collector.Reading{At: watchtest.Start.Add(time.Duration(s) * time.Second), Origin: origin}
		for i, name := range []string{"alpha", "beta"} {
			row := collector.Row{Target: collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: name}), Baseline: 1}
			burns := (s >= handover) == (i == 1)
			in, gain := 100*float64(i+1), 1.0
			if burns {
				gain = 3
			}
			row.Values[collector.Ingress], row.Values[collector.Downstream] = rate(in), rate(in*gain)
			row.Values.Derive(1)
			r.Targets = append(r.Targets, row)
		}
		r.Total = collector.Total(r.Targets)
		w.Add(r)
	}
	return w
}

// TestTheComparisonKeepsItsSubject when another target becomes the worst, and says
// its name; what the user chooses is compared instead, by its name.
func TestTheComparisonKeepsItsSubject(t *testing.T) {
	const first, second = "alpha", "beta"
	strip := func(m *Model) string {
		t.Helper()
		for _, row := range strings.Split(text(m), "\n") {
			if strings.Contains(row, `since "fix"`) {
				return row
			}
		}
		t.Fatalf("no strip:\n%s", text(m))
		return ""
	}
	for name, elsewhere := range map[string]bool{"made on this screen": false, "made elsewhere": true} {
		before, after := relay(120, 150), relay(240, 150)
		opt := Options{Span: 15 * time.Minute}
		mark := collector.Mark{At: before.Snapshot().Last.At, Text: "fix"}
		opt.Mark = func(got collector.Mark) { mark = got }
		m := New(opt)
		m.Update(tea.WindowSizeMsg{Width: 140, Height: 40})
		if !elsewhere {
			m.Update(SnapshotMsg{Snapshot: before.Snapshot()})
			_ = text(m)
			press(m, "m")
			typing(m, "fix")
			press(m, "enter")
		}
		after.Note(collector.Event{At: mark.At, Kind: collector.EventMark, Text: mark.Text})
		m.Update(SnapshotMsg{Snapshot: after.Snapshot()})
		if got := strip(m); !strings.Contains(got, first+": 3.00x → 1.00x") || !strings.Contains(text(m), "FIRING") || !strings.Contains(strings.Split(text(m), "\n")[1], second) {
			t.Errorf("%s: %q in\n%s", name, got, text(m))
		}
		press(m, "down")
		if got := strip(m); !strings.Contains(got, second+": ") && !strings.Contains(got, first+": ") {
			t.Errorf("%s, selected: %q", name, got)
		}
		press(m, "down")
		selected := m.subjectName(m.subject())
		if got := strip(m); !strings.Contains(got, selected+": ") {
			t.Errorf("%s, with %s selected: %q", name, selected, got)
		}
		press(m, "esc", "esc")
		if got := strip(m); !strings.Contains(got, first+": 3.00x → 1.00x") {
			t.Errorf("%s, nothing selected: %q", name, got)
		}
	}
}

// TestWhatWasSelectedWhenAMarkWasMadeIsCompared after the selection has ended, too.
func TestWhatWasSelectedWhenAMarkWasMadeIsCompared(t *testing.T) {
	w := relay(120, 500)
	m := New(Options{Span: 15 * time.Minute, Mark: func(mark collector.Mark) {
		w.Note(collector.Event{At: mark.At, Kind: collector.EventMark, Text: mark.Text})
	}})
	m.Update(tea.WindowSizeMsg{Width: 140, Height: 40})
	m.Update(SnapshotMsg{Snapshot: w.Snapshot()})
	_ = text(m)
	press(m, "down", "down")
	chosen := m.subjectName(m.subject())
	press(m, "m", "f", "enter", "esc", "esc")
	m.Update(SnapshotMsg{Snapshot: w.Snapshot()})
	if got := text(m); chosen != "beta" || !strings.Contains(got, `since "f" 0s, beta: 1.00x`) {
		t.Errorf("%q:\n%s", chosen, got)
	}
}
