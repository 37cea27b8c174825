package watch

import (
	"slices"
	"strings"
	"time"

	"stormtop/collector"
)

// asked names a query: what a signal of a system is read by.
type asked struct {
	system string
	signal collector.Signal
}

// failing notes which queries fail, once for each stretch. While nothing at all
// can be read the event of that says so.
func (w *Watch) failing(r *collector.Reading) []collector.Event {
	if r.Blind() || r.Past {
		return nil
	}
	var out []collector.Event
	now := make(map[asked]time.Time, len(r.Failures))
	for _, f := range r.Failures {
		key := asked{f.System, f.Signal}
		if _, again := now[key]; again {
			continue
		}
		since, before := w.failed[key]
		if !before {
			since = r.At
			out = append(out, collector.Event{At: r.At, Kind: collector.EventGap, Text: key.String() + " cannot be read: " + f.Text})
		}
		now[key] = since
	}
	for key, since := range w.failed {
		if _, still := now[key]; !still {
			out = append(out, collector.Event{At: r.At, Kind: collector.EventGap,
				Text: key.String() + " is read again after " + collector.FormatDuration(r.At.Sub(since))})
		}
	}
	w.failed = now
	slices.SortFunc(out, func(a, b collector.Event) int { return strings.Compare(a.Text, b.Text) })
	return out
}

func (a asked) String() string {
	if a.system == "" {
		return a.signal.String()
	}
	return a.signal.String() + " (" + collector.Clean(a.system) + ")"
}
