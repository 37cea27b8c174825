package tune

import (
	"time"

	"stormtop/collector"
)

// Truth puts incidents together from what is known of single instants, such as
// the seconds of a simulation: those in which it was bad, with pauses of at most
// join between them.
type Truth struct {
	Text string        // how it is known
	Join time.Duration // 0: instants next to each other only
	// Midway: the first instant is no beginning, so that what is bad there began
	// before it, nobody knows when.
	Midway bool

	list []Incident
	last time.Time
}

// Note notes an instant, later than the one before.
func (t *Truth) Note(at time.Time, bad bool) {
	step := at.Sub(t.last)
	first := t.last.IsZero()
	t.last = at
	if !bad {
		return
	}
	if n := len(t.list); n > 0 && !first && at.Sub(t.list[n-1].To) <= max(t.Join, step) {
		t.list[n-1].To = at
		return
	}
	t.list = append(t.list, Incident{From: at, To: at, Text: t.Text, Early: first && t.Midway})
}

// Known reports whether anything was noted.
func (t *Truth) Known() bool { return !t.last.IsZero() }

// Incidents are those so far.
func (t *Truth) Incidents() []Incident { return Sorted(t.list) }

// MarkedText says of an incident that it was marked.
const MarkedText = "marked"

// Marked are the incidents that marks bound, two each, in their order; of an odd
// number the last one begins an incident that lasts until the end.
func Marked(marks []collector.Mark, end time.Time) []Incident {
	var out []Incident
	for i := 0; i < len(marks); i += 2 {
		to := end
		if i+1 < len(marks) {
			to = marks[i+1].At
		}
		out = append(out, Incident{From: marks[i].At, To: to, Text: MarkedText})
	}
	return Sorted(out)
}
