package play

import (
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// How an effect is measured, in seconds: the mean of so many before the change,
// and the mean of so many around some time after it.
const (
	effectBefore = 10
	effectAfter  = 10
	effectAround = 2
	effectKept   = effectBefore + 2
)

// together is how many seconds may be between two steps of a lever that are one
// change.
const together = 3

// effects follows what the last change did: the last of an operator, or while
// there is none the last of the timeline.
type effects struct {
	recent [][]collector.EffectFigure // the newest second last; Now alone is set
	last   change                     // "" where there was none
	since  int                        // seconds since the change, that of the change included
	before []collector.EffectFigure
	later  [][]collector.EffectFigure

	repeated int // changes of the next second that only repeat those of the lap before
}

// change is one of the scenario, in words. The zero value is none.
type change struct {
	field, from, to string
	note            string // said instead of these; "" without one
	manual          bool   // of an operator
}

func (c change) String() string {
	text := c.note
	if text == "" {
		text = where(c.field) + ": " + valueWords(c.from) + " → " + valueWords(c.to)
	}
	return collector.Clean(text)
}

// add takes a second.
func (e *effects) add(w *chain.Window, s *chain.Scenario, baseline float64) {
	now := figures(w, s, baseline)
	if c, ok := changed(w.Changes[min(e.repeated, len(w.Changes)):]); ok && (c.manual || !e.last.manual) {
		if goesOn := c.manual && c.note == "" && e.last.note == "" && c.field == e.last.field && e.since <= together && e.last.from != c.to; goesOn {
			c.from = e.last.from
		} else {
			e.before = mean(e.recent[max(0, len(e.recent)-effectBefore):])
		}
		e.last, e.since, e.later = c, 0, nil
	}
	e.repeated = 0
	e.recent = append(e.recent, now)
	if len(e.recent) > effectKept {
		e.recent = e.recent[1:]
	}
	e.since++
	if d := e.since - effectAfter; e.last != (change{}) && d >= -effectAround && d <= effectAround {
		e.later = append(e.later, now)
	}
}

// effect is that of the last change; nil where there was none. A fault that a key
// switches is told by its title.
func (e *effects) effect(faults []collector.Fault) *collector.Effect {
	if e.last == (change{}) || len(e.recent) == 0 {
		return nil
	}
	text := e.last.String()
	for i := range faults {
		if f := &faults[i]; f.Field == e.last.field && e.last.note == "" {
			switch e.last.to {
			case f.On:
				text = collector.Clean(f.Title) + ": on"
			case f.Off:
				text = collector.Clean(f.Title) + ": off"
			}
		}
	}
	out := &collector.Effect{Text: text, Ago: time.Duration(e.since) * time.Second}
	var later []collector.EffectFigure
	if e.since >= effectAfter+effectAround {
		later = mean(e.later)
	}
	for i, f := range e.recent[len(e.recent)-1] {
		if i < len(e.before) {
			f.Before = e.before[i].Now
		}
		if i < len(later) {
			f.Later = later[i].Now
		}
		out.Figures = append(out.Figures, f)
	}
	return out
}

// changed is the last change of a second: of an operator, if there is one. The
// steps of one field in it are one change, and none where they lead back.
func changed(changes []chain.Applied) (out change, ok bool) {
	first := map[string]string{}
	for _, a := range changes {
		if a.Ended && a.Manual || out.manual && !a.Manual {
			continue
		}
		c := changeOf(a)
		if c.manual {
			if _, seen := first[c.field]; !seen {
				first[c.field] = c.from
			}
			c.from = first[c.field]
			if c.note == "" && c.from == c.to {
				if out.field == c.field {
					out, ok = change{}, false
				}
				continue
			}
		}
		out, ok = c, true
	}
	return out, ok
}

func changeOf(a chain.Applied) change {
	c := change{field: a.Field, from: a.From, to: a.To, note: a.Note, manual: a.Manual}
	if a.Ended {
		if c.note == "" {
			c.note = c.String()
		}
		c.note = "the end of: " + c.note
	}
	return c
}

// where is a path in words: "attempts at order>payment".
func where(path string) string {
	kind, rest, ok := strings.Cut(path, ".")
	owner, field, ok2 := strings.Cut(rest, ".")
	if !ok || !ok2 || kind != "edges" && kind != "services" && kind != "classes" {
		return path
	}
	return words(field) + " at " + owner
}

// valueWords is a value of a field as the levers say it.
func valueWords(value string) string {
	if value == "unlimited" {
		return "none"
	}
	if n, err := strconv.Atoi(value); err == nil {
		return collector.FormatCount(float64(n))
	}
	return value
}

// words is a field as the screen calls it: a lever by its row.
func words(field string) string {
	switch field {
	case "backoff.kind":
		return "backoff"
	case "backoff.jitter":
		return "jitter"
	case "budget.kind":
		return "budget"
	case "breaker.on":
		return "breaker"
	case "breaker.force":
		return "breaker forced"
	case "probe_gap":
		return "gap of probes"
	}
	return strings.NewReplacer(".", " ", "_", " ").Replace(field)
}

// figures are the numbers of a second that an effect is about; the ratio is that of
// the rules, against a baseline.
func figures(w *chain.Window, s *chain.Scenario, baseline float64) []collector.EffectFigure {
	class, service := s.Watched()
	var out []collector.EffectFigure
	add := func(name string, v collector.Value) { out = append(out, collector.EffectFigure{Name: name, Now: v}) }
	signals, ok := w.Signals(class, service)
	if !ok {
		return nil
	}
	add("amplification", quotient(float64(signals.Downstream), float64(signals.Ingress)*baseline, collector.Ratio))
	add("attempts", collector.Num(float64(signals.Downstream)/w.Seconds(), collector.PerSecond, collector.Exact))
	if c := w.Class(class); c != nil {
		add("pending", collector.Num(float64(c.Pending), collector.Count, collector.Exact))
	}
	for _, c := range w.Classes {
		add("delivered", quotient(float64(c.Delivered), float64(c.Requests), collector.Fraction))
		if len(w.Classes) > 1 {
			out[len(out)-1].Of = c.Class
		}
	}
	return out
}

func quotient(a, b float64, u collector.Unit) collector.Value {
	if b == 0 {
		return collector.Value{State: collector.Idle, Unit: u, Trust: collector.Exact}
	}
	return collector.Num(a/b, u, collector.Exact)
}

// mean is the mean of each figure over some seconds, of those that have one.
func mean(seconds [][]collector.EffectFigure) []collector.EffectFigure {
	if len(seconds) == 0 {
		return nil
	}
	out := make([]collector.EffectFigure, len(seconds[0]))
	for i := range out {
		out[i] = seconds[0][i]
		sum, n := 0.0, 0
		for _, s := range seconds {
			if i < len(s) {
				if v, ok := s[i].Now.Number(); ok {
					sum, n = sum+v, n+1
				}
			}
		}
		if n > 0 {
			out[i].Now = collector.Num(sum/float64(n), out[i].Now.Unit, collector.Exact)
		}
	}
	return out
}
