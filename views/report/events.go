package report

import (
	"fmt"
	"io"
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// Events writes what happened as text, newest first, one event a line. The error
// is that of w.
func Events(w io.Writer, s watch.Snapshot) error { return Text{}.Events(w, s) }

// Events is the function Events with the options of t.
func (t Text) Events(w io.Writer, s watch.Snapshot) error {
	tab := grid{ascii: t.ASCII}
	for _, e := range s.Log() {
		mark := ""
		switch e.Kind {
		case collector.EventFiring:
			mark = verdict.MarkFiring.String()
		case collector.EventPending:
			mark = verdict.MarkPending.String()
		case collector.EventHeld:
			mark = verdict.MarkHeld.String()
		case collector.EventBlind:
			mark = verdict.MarkNoData.String()
		}
		text := verdict.EventTold(e, thresholdOf(s, e.Rule))
		if e.Rule == "" {
			tab.add(t.clock(e.At), mark, verdict.EventWord(e.Kind), text)
			continue
		}
		tab.add(t.clock(e.At), mark, verdict.EventWord(e.Kind), e.Rule+"  "+e.Name+"  "+text)
	}
	if _, err := io.WriteString(w, tab.String()); err != nil {
		return fmt.Errorf("writing the events: %w", err)
	}
	return nil
}

// clock is a time of day in the zone of t.
func (t Text) clock(at time.Time) string {
	if t.Zone == nil {
		return collector.FormatClock(at.UTC())
	}
	return collector.FormatClock(at.In(t.Zone))
}

func thresholdOf(s watch.Snapshot, rule string) float64 {
	for _, r := range s.Rules {
		if r.Name == rule {
			return r.Threshold
		}
	}
	return 0
}
