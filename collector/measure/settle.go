package measure

import "stormtop/collector"

// Sides are the signals of the two sides of a ratio, in their order.
var Sides = [2]collector.Signal{collector.Ingress, collector.Downstream}

// Set is a set of signals.
type Set [collector.NumSignals]bool

// Join adds the signals of another set.
func (s *Set) Join(o Set) {
	for i := range s {
		s[i] = s[i] || o[i]
	}
}

// AtSides are the signals that are measured at the sides that are marked.
func AtSides(ingress, downstream bool) (out Set) {
	for s := collector.Ingress; s < collector.NumSignals; s++ {
		switch s {
		case collector.Ingress, collector.Successes, collector.Delivered:
			out[s] = ingress
		default:
			out[s] = downstream
		}
	}
	return out
}

// Marks are what is known of the numbers of a row beside themselves.
type Marks struct {
	Failed  Set // could not be asked
	Partial Set // parts are missing
	Stale   Set // older than they should be
}

// Finish completes the rows of a system: baselines, failed and absent signals,
// states, derived signals. marks are those of the target of an ID, and for
// TotalID of the system as a whole. The remark is what is odd about them, "" where
// nothing is.
func (y *System) Finish(rows []collector.Row, b collector.Baselines, marks func(id string) Marks) (p Part, remark string) {
	p = Part{System: y, Rows: rows}
	for i := range rows {
		y.settle(&rows[i], b, marks(rows[i].Target.ID))
	}
	remark = y.deaf(rows)
	for i := range rows {
		y.derive(&rows[i], remark != "")
	}
	y.settle(&p.Blank, b, marks(collector.TotalID))
	y.derive(&p.Blank, false)
	return p, remark
}

// settle gives every measured value of a row its state.
func (y *System) settle(row *collector.Row, b collector.Baselines, m Marks) {
	v := &row.Values
	if b.Given(row.Target) {
		row.Baseline = b.For(row.Target)
	}
	for _, s := range y.Profile.ZeroFill {
		if y.Has(s) && v[s].State == collector.Missing && v[collector.Ingress].State != collector.Missing {
			v[s] = y.Num(s, 0)
		}
	}
	for _, s := range y.Signals {
		switch {
		case m.Failed[s]:
			v[s] = collector.Value{State: collector.Failed, Unit: y.Units[s], Trust: y.Trust[s]}
		case v[s].State == collector.Ok && m.Partial[s]:
			v[s].State = collector.Partial
		case v[s].State == collector.Ok && m.Stale[s]:
			v[s].State = collector.Stale
		}
	}
	if y.Sum {
		v[collector.Downstream] = collector.Plus(v[collector.Ingress], v[collector.Retries])
	}
}

// derive fills the derived signals of a row. Where the counter of retries is
// deaf, they follow from attempts and requests.
func (y *System) derive(row *collector.Row, deaf bool) {
	v := &row.Values
	if deaf {
		if y.Sum {
			v[collector.Downstream] = v[collector.Arrived]
		}
		v[collector.Retries] = collector.Value{}
	}
	direct := *v
	v.Derive(row.Baseline)
	for _, s := range y.Signals {
		if s.Derived() {
			v[s] = direct[s] // absent stays absent: what was named wins
		}
	}
}
