package views

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

// TestTheTerminalTellsWhatFires: title and progress follow what is shown.
func TestTheTerminalTellsWhatFires(t *testing.T) {
	for name, want := range map[string]struct {
		title string
		bar   *tea.ProgressBar
	}{
		"calm":    {"stormtop", nil},
		"pending": {"stormtop", &tea.ProgressBar{State: tea.ProgressBarWarning, Value: 100}},
		"firing":  {"FIRING ", &tea.ProgressBar{State: tea.ProgressBarError, Value: 100}},
	} {
		mo, ok := moments()[name]
		if !ok {
			t.Fatalf("there is no moment %s", name)
		}
		m := New(Options{})
		m.Update(SnapshotMsg{Snapshot: mo.Snapshot})
		v := m.View()
		if want.title == "stormtop" && v.WindowTitle != want.title || len(v.WindowTitle) < len(want.title) || v.WindowTitle[:len(want.title)] != want.title {
			t.Errorf("%s: title %q", name, v.WindowTitle)
		}
		if (v.ProgressBar == nil) != (want.bar == nil) || want.bar != nil && *v.ProgressBar != *want.bar {
			t.Errorf("%s: progress %+v", name, v.ProgressBar)
		}
	}
}

// TestTheBellRingsOnceForWhatBeginsToFire, and not for what is over.
func TestTheBellRingsOnceForWhatBeginsToFire(t *testing.T) {
	start := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	snapshot := func(s int, past bool, events ...collector.Event) watch.Snapshot {
		r := &collector.Reading{At: start.Add(time.Duration(s) * time.Second), Origin: &collector.Origin{}, Past: past}
		return watch.Snapshot{Last: r, Good: r, Events: events, Rules: alerts.Documented()}
	}
	event := func(s int, kind collector.EventKind) collector.Event {
		return collector.Event{At: start.Add(time.Duration(s) * time.Second), Kind: kind, Rule: "A"}
	}
	for _, tt := range []struct {
		name  string
		bell  bool
		steps []watch.Snapshot
		want  int
	}{
		{"once", true, []watch.Snapshot{snapshot(0, false), snapshot(5, false, event(5, collector.EventFiring)), snapshot(10, false, event(5, collector.EventFiring))}, 1},
		{"two in one", true, []watch.Snapshot{snapshot(0, false), snapshot(5, false, event(5, collector.EventFiring), event(5, collector.EventFiring))}, 1},
		{"not for pending", true, []watch.Snapshot{snapshot(0, false), snapshot(5, false, event(5, collector.EventPending))}, 0},
		{"not for what was there at the start", true, []watch.Snapshot{snapshot(5, false, event(0, collector.EventFiring))}, 0},
		{"not for what was filled in", true, []watch.Snapshot{snapshot(0, true), snapshot(5, true, event(5, collector.EventFiring)), snapshot(10, false, event(5, collector.EventFiring))}, 0},
		{"not when it is off", false, []watch.Snapshot{snapshot(0, false), snapshot(5, false, event(5, collector.EventFiring))}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, rang := New(Options{Bell: tt.bell}), 0
			for _, s := range tt.steps {
				if _, cmd := m.Update(SnapshotMsg{Snapshot: s}); cmd != nil {
					raw, ok := cmd().(tea.RawMsg)
					if !ok || raw.Msg != "\a" {
						t.Fatalf("%#v", cmd())
					}
					rang++
				}
			}
			if rang != tt.want {
				t.Errorf("it rang %d times, want %d", rang, tt.want)
			}
		})
	}
}
