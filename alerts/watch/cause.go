package watch

import (
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// The readings by which the cause of a past moment is found: those before the
// trouble, to know what calm was, and those before the moment.
const (
	causeBefore = 12 * time.Minute
	causeAfter  = 2 * time.Minute
)

// diagnose is what the engine would have said of the worst target of a past
// picture, asked again with what is remembered of that target.
func (then *Snapshot) diagnose(s *Snapshot) alerts.Diagnosis {
	row := then.Worst
	last := s.reading(then.Good.At)
	if last < 0 || !s.History.Has(row.Target.ID) {
		return alerts.Diagnosis{}
	}
	began := then.Good.At
	for _, st := range then.Statuses {
		if st.Active() && st.Target.ID == row.Target.ID && !st.ActiveAt.IsZero() && st.ActiveAt.Before(began) {
			began = st.ActiveAt
		}
	}
	engine := alerts.New(s.Rules)
	i := s.reading(began.Add(-causeBefore)) + 1
	until := s.reading(began.Add(causeAfter))
	for ; i <= last; i++ {
		if i > until {
			i = max(i, s.reading(then.Good.At.Add(-causeAfter))+1)
			until = last
		}
		engine.Eval(s.alone(&row, i))
	}
	return engine.Diagnose(row.Target.ID)
}

// alone is reading i of the history with one target only.
func (s *Snapshot) alone(row *collector.Row, i int) *collector.Reading {
	one := s.rowAt(row, i)
	r := &collector.Reading{At: s.History.Time(i), Origin: s.Good.Origin, Total: one}
	switch {
	case failed(&s.History, i):
		r.Failures = []collector.Failure{{Text: "nothing could be read"}}
	case row.Target.ID != collector.TotalID && someKnown(&one.Values):
		r.Targets = []collector.Row{one}
	}
	return r
}

// failed reports whether nothing could be read at reading i.
func failed(v *collector.View, i int) bool {
	total := v.Values(collector.TotalID, i)
	return total[collector.Ingress].State == collector.Failed && total[collector.Downstream].State == collector.Failed &&
		total[collector.AtLimit].State == collector.Failed && total[collector.QueueDepth].State == collector.Failed
}

func someKnown(v *collector.Values) bool {
	for i := range v {
		if v[i].State != collector.Missing {
			return true
		}
	}
	return false
}
