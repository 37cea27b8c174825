package views

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// logged is the screen of events of an hour with a storm, a blind minute and a mark.
func logged(t testing.TB, w, h int) *Model {
	t.Helper()
	past := hourOf(t)
	past.Note(collector.Event{At: watchtest.Start.Add(20 * time.Minute), Kind: collector.EventMark, Text: "retries off at orders"})
	past.Note(collector.Event{At: watchtest.Start.Add(21 * time.Minute), Kind: collector.EventChange, Text: "baseline 3.63, learned"})
	m := New(Options{Span: 15 * time.Minute})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	m.Update(SnapshotMsg{Snapshot: past.Snapshot()})
	press(m, "6")
	return m
}

func TestEventsAtEverySize(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			m := logged(t, size.w, size.h)
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, text(m))
		})
	}
}

func TestEventsAreFiltered(t *testing.T) {
	m := logged(t, 120, 40)
	press(m, "/")
	typing(m, "mark|blind")
	if got := text(m); !strings.Contains(got, "retries off at orders") || !strings.Contains(got, "503") || strings.Contains(got, "RetryStorm  ") {
		t.Errorf("filtered:\n%s", got)
	}
	press(m, "enter")
	if got := text(m); !strings.Contains(got, "filter mark|blind") || !strings.Contains(got, "2 of ") {
		t.Errorf("kept:\n%s", got)
	}
	press(m, "esc")
	if !strings.Contains(text(m), "baseline 3.63") || m.path.screen() != events {
		t.Errorf("esc clears the filter first:\n%s", text(m))
	}
	press(m, "/")
	typing(m, "no such thing")
	if !strings.Contains(text(m), "no event is left by this filter") {
		t.Errorf("nothing left:\n%s", text(m))
	}
}

func TestEnterJumpsToTheEvent(t *testing.T) {
	m := logged(t, 120, 40)
	press(m, "/")
	typing(m, "firing RetryAmpl")
	press(m, "enter", "enter")
	if got := text(m); !strings.Contains(head(m), "AT 12:01:20Z, live is") || m.path.mode() != overview || m.selected != watchtest.Service(watchtest.Payments).ID {
		t.Errorf("not there:\n%s", got)
	}
	if m.time.end.IsZero() || m.time.cursor.Before(m.begin()) || m.time.cursor.After(m.time.end) {
		t.Errorf("the cursor %v is not on the charts %v to %v", m.time.cursor, m.begin(), m.time.end)
	}
}

func TestAnEventThatIsForgottenIsNotJumpedTo(t *testing.T) {
	m := logged(t, 120, 40)
	m.base.Events = append([]collector.Event{{At: watchtest.Start.Add(-time.Hour), Kind: collector.EventStart}}, m.base.Events...)
	m.log.all = nil
	press(m, "end", "enter")
	if got := text(m); m.past() || !strings.Contains(got, "not kept any more") {
		t.Errorf("jumped:\n%s", got)
	}
}

func TestThePointerStaysOnItsEventWhileOthersCome(t *testing.T) {
	m := New(Options{Span: 15 * time.Minute})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	past := hourOf(t)
	m.Update(SnapshotMsg{Snapshot: past.Snapshot()})
	press(m, "6", "down", "down")
	pointed := func() string {
		for _, row := range strings.Split(text(m), "\n") {
			if strings.HasPrefix(row, "▸") {
				return row
			}
		}
		return ""
	}
	before := pointed()
	past.Note(collector.Event{At: watchtest.Start.Add(50 * time.Minute), Kind: collector.EventMark, Text: "new"})
	m.Update(SnapshotMsg{Snapshot: past.Snapshot()})
	if after := pointed(); after != before || before == "" {
		t.Errorf("before %q\nafter  %q", before, after)
	}
}
