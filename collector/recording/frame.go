package recording

import (
	"math"
	"time"

	"stormtop/collector"
)

// A column says what a number of a row is.
type column struct {
	signal collector.Signal
	unit   collector.Unit
	trust  collector.Trust
}

// A shape is how the numbers of a row are to be read. Rows of one system have
// the same shape, or one of a few.
type shape struct {
	columns []column // the values of the row, in order
	absent  []column // signals that are missing and have a unit or trust all the same
	derived bool     // what is in neither follows by Values.Derive
}

// A place is a row without its numbers.
type place struct {
	target *collector.Target
	shape  *shape
}

// A frame is a reading, packed: a tenth of its size, and nothing in it that a
// garbage collector must follow but what readings share.
type frame struct {
	at, newest  time.Time
	origin      *collector.Origin
	layout      []place           // the total first, where there is one
	numbers     []float64         // for each row its baseline, then its values
	states      []collector.State // of every value of every row; nil: all are ok
	total       bool
	begins      bool
	past        bool
	overload    collector.Overload
	missed      int
	cost        collector.Cost
	particulars *particulars
}

// particulars are what most readings have nothing of.
type particulars struct {
	failures  []collector.Failure
	warnings  []string
	reporters []collector.Reporters
	asked     []collector.Asked
}

// reading unpacks the frame.
func (f *frame) reading() *collector.Reading {
	r := &collector.Reading{
		At: f.at, Newest: f.newest, Origin: f.origin, Begins: f.begins, Past: f.past, Overload: f.overload, Missed: f.missed, Cost: f.cost,
	}
	if p := f.particulars; p != nil {
		r.Failures, r.Warnings, r.Reporters, r.Asked = p.failures, p.warnings, p.reporters, p.asked
	}
	numbers, states, layout := f.numbers, f.states, f.layout
	if f.total {
		numbers, states = layout[0].fill(&r.Total, numbers, states)
		layout = layout[1:]
	}
	if len(layout) > 0 {
		r.Targets = make([]collector.Row, len(layout))
	}
	for i := range layout {
		numbers, states = layout[i].fill(&r.Targets[i], numbers, states)
	}
	return r
}

// fill unpacks one row and returns the numbers and states of those that follow.
func (p *place) fill(row *collector.Row, numbers []float64, states []collector.State) ([]float64, []collector.State) {
	row.Target, row.Baseline = *p.target, numbers[0]
	numbers = numbers[1:]
	n := len(p.shape.columns)
	for i, c := range p.shape.columns {
		v := collector.Value{V: numbers[i], State: collector.Ok, Unit: c.unit, Trust: c.trust}
		if states != nil {
			v.State = states[i]
		}
		row.Values[c.signal] = v
	}
	for _, c := range p.shape.absent {
		row.Values[c.signal] = collector.Value{Unit: c.unit, Trust: c.trust}
	}
	if p.shape.derived {
		row.Values.Derive(row.Baseline)
	}
	if states != nil {
		states = states[n:]
	}
	return numbers[n:], states
}

// plain is a value that JSON can hold: a number that is not finite becomes the
// state that says so, and a state without a number has none.
func plain(v collector.Value) collector.Value {
	if v.State > collector.Failed {
		v.State = collector.Missing
	}
	switch {
	case !v.State.HasNumber():
		v.V = 0
	case math.IsNaN(v.V), math.IsInf(v.V, 0):
		return collector.Num(v.V, v.Unit, v.Trust)
	}
	return v
}
