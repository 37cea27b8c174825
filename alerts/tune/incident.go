package tune

import (
	"fmt"
	"slices"
	"time"
)

// Incident is a time in which a rule should have fired.
type Incident struct {
	From, To time.Time
	Text     string // how it is known: "marked", "--incident", "scenario"
	Early    bool   // it went on already at From, when somebody first looked: when it began is not known
}

// Sorted puts incidents in order and joins those that overlap or touch. Those
// that end before they begin are dropped.
func Sorted(list []Incident) []Incident {
	list = slices.DeleteFunc(slices.Clone(list), func(i Incident) bool { return i.To.Before(i.From) })
	slices.SortStableFunc(list, func(a, b Incident) int { return a.From.Compare(b.From) })
	var out []Incident
	for _, i := range list {
		if n := len(out); n > 0 && !i.From.After(out[n-1].To) {
			if i.To.After(out[n-1].To) {
				out[n-1].To = i.To
			}
			continue
		}
		out = append(out, i)
	}
	return out
}

// Split tells the incidents that a history from one time to another can be judged
// by from those that began before it. Of these a rule would be found with a lead
// that is that of the cut, or missed because its time of for was cut short: they
// prove nothing, but firing in them, or in the grace after them, is no false
// alarm. A start up to one evaluation, step, before the history is within it.
// Incidents that begin after the history are in neither.
func Split(list []Incident, from, to time.Time, step time.Duration) (judged, begun []Incident) {
	for _, i := range Sorted(list) {
		switch {
		case i.From.After(to):
		case i.Early || i.From.Before(from.Add(-step)) || i.To.Before(from):
			begun = append(begun, i)
		default:
			judged = append(judged, i)
		}
	}
	return judged, begun
}

// LeftOut are the incidents that a history shows only the rest of.
func (h *History) LeftOut() []Incident {
	from, _ := h.Span()
	if from.IsZero() { // it shows nothing
		return nil
	}
	return slices.DeleteFunc(slices.Clone(h.Begun), func(i Incident) bool { return i.To.Before(from) })
}

// goesOn reports whether the last incident of the one history lasts until its
// end: a rule that has not fired in it may yet do so.
func goesOn(list []*History) bool {
	if len(list) != 1 || len(list[0].Incidents) == 0 {
		return false
	}
	h := list[0]
	_, to := h.Span()
	return !to.IsZero() && !h.Incidents[len(h.Incidents)-1].To.Before(to)
}

// Evidence says in words how much the incidents of histories prove.
func Evidence(list ...*History) string {
	n, out := 0, 0
	for _, h := range list {
		n += len(h.Incidents)
		out += len(h.LeftOut())
	}
	var said string
	switch {
	case n == 0 && out == 0:
		return "no incident is known: every firing counts as a false alarm"
	case n == 0 && out == 1:
		return "the one incident began before the history, and proves nothing"
	case n == 0:
		return fmt.Sprintf("all %d incidents began before the histories, and prove nothing", out)
	case n == 1 && goesOn(list):
		said = "1 incident, which goes on: weak evidence"
	case n == 1:
		said = "1 incident: weak evidence"
	case goesOn(list):
		said = fmt.Sprintf("%d incidents, the last one goes on", n)
	default:
		said = fmt.Sprintf("%d incidents", n)
	}
	if out > 0 {
		said += fmt.Sprintf("; %d that began before left out", out)
	}
	return said
}
