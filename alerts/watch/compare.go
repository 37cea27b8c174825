package watch

import (
	"time"

	"stormtop/collector"
)

// BeforeSpan is the time in front of a mark over which the mean is taken.
const BeforeSpan = 2 * time.Minute

// Comparison is a target before a mark and at the newest reading of a snapshot.
type Comparison struct {
	Mark  collector.Mark
	Since time.Duration // in the time of the data, from the mark to the newest reading; 0 when that is not later
	// Before are the means over BeforeSpan up to the mark, with the state of what
	// they were made of: infinite where a part is, idle where all of them are,
	// missing where nothing is known.
	Before  collector.Values
	Now     collector.Values // at the newest reading, as it is
	Counted int              // readings that the means are of
	LeftOut int              // readings of that time that could not be counted: partial, old, failed, or without the target
	Older   time.Duration    // how much of the rate range of Now is still from before the mark
}

// Known reports whether anything is known of the time before the mark.
func (c Comparison) Known() bool { return c.Counted > 0 }

// Compare compares a target before and after a mark, from what the snapshot
// remembers of it.
func Compare(s Snapshot, id string, mark collector.Mark) Comparison {
	c := Comparison{Mark: mark}
	if s.Last == nil {
		return c
	}
	c.Since = max(s.Last.At.Sub(mark.At), 0)
	if o := s.Last.Origin; o != nil {
		c.Older = max(o.RateRange-c.Since, 0)
	}
	c.Now = s.values(id)
	m := s.before(id, mark)
	c.Before, c.Counted, c.LeftOut = m.values, m.counted, m.leftOut
	return c
}

// before is what was before a mark: as it was when the mark was made, since the
// history forgets, where the target was kept then.
func (s *Snapshot) before(id string, mark collector.Mark) means {
	for i, m := range s.Marks {
		if m != mark || i >= len(s.beforeMarks) {
			continue
		}
		if was, ok := s.beforeMarks[i][id]; ok && was.counted > 0 {
			return was
		}
	}
	return meansOf(s.History, id, mark.At)
}

// means are the values of a target over BeforeSpan.
type means struct {
	values           collector.Values
	counted, leftOut int // readings
}

func meansOf(v collector.View, id string, at time.Time) (m means) {
	var sums [collector.NumSignals]mean
	for i := v.Until(at.Add(-BeforeSpan - 1)); i < v.Until(at); i++ {
		values := v.Values(id, i)
		if !sound(&values) {
			m.leftOut++
			continue
		}
		m.counted++
		for sig := range values {
			sums[sig].add(values[sig])
		}
	}
	for sig := range sums {
		m.values[sig] = sums[sig].value()
	}
	return m
}

// values are those of a target at the newest reading; failed while nothing can
// be read.
func (s *Snapshot) values(id string) collector.Values {
	var out collector.Values
	if s.Last.Blind() {
		for _, sig := range collector.Signals() {
			out[sig] = collector.Value{State: collector.Failed, Unit: sig.Unit()}
		}
		return out
	}
	row, _ := s.Last.Row(id)
	return row.Values
}

// sound reports whether a reading of a target can be part of a mean: something
// is known of it, and neither side of its ratio is in doubt.
func sound(v *collector.Values) bool {
	any := false
	for sig, x := range v {
		switch x.State {
		case collector.Partial, collector.Stale, collector.Failed:
			switch collector.Signal(sig) {
			case collector.Ingress, collector.Downstream, collector.Amplification:
				return false
			}
		case collector.Missing:
		default:
			any = true
		}
	}
	return any
}

// mean averages the values of a signal.
type mean struct {
	sum      float64
	n        int
	last     collector.Value
	idle     bool
	infinite bool
}

func (m *mean) add(v collector.Value) {
	switch v.State {
	case collector.Ok:
		m.sum += v.V
		m.n++
	case collector.Idle:
		m.idle = true
	case collector.Infinite:
		m.infinite = true
	default:
		return
	}
	v.Trust = max(v.Trust, m.last.Trust)
	m.last = v
}

func (m *mean) value() collector.Value {
	switch v := m.last; {
	case m.infinite:
		return v.With(collector.Infinite)
	case m.n > 0:
		return collector.Num(m.sum/float64(m.n), v.Unit, v.Trust)
	case m.idle:
		return v.With(collector.Idle)
	}
	return collector.Value{}
}
