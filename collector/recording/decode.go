package recording

import (
	"errors"
	"fmt"
	"math"

	"stormtop/collector"
)

// decoder reads the lines of readings into one frame, which it uses again.
type decoder struct {
	cursor
	tables *tables
	frame  frame
	spare  []collector.State // the room for the states of a frame
}

// read is the frame of a line, good until the next call.
func (d *decoder) read(line []byte, origin *collector.Origin) (*frame, error) {
	d.cursor = cursor{line: line}
	f := &d.frame
	*f = frame{origin: origin, layout: f.layout[:0], numbers: f.numbers[:0], states: d.spare[:0]}
	ok := true // every value is a number without a remark
	rows := 0  // 0: none read, 1: the total, 2: the targets
	d.fields(func(name []byte) {
		switch string(name) {
		case "at":
			f.at = d.time()
		case "newest":
			f.newest = d.time()
		case "begins":
			f.begins = d.bool()
		case "past":
			f.past = d.bool()
		case "overloaded":
			f.overload = collector.OverloadOf(d.bool())
		case "missed":
			f.missed = int(min(max(d.int(), 0), math.MaxInt32))
		case "cost":
			d.fields(func(name []byte) { d.cost(name, &f.cost) })
		case "failures":
			d.list(func() { d.particulars().failures = append(d.particulars().failures, d.failure()) })
		case "warnings":
			d.list(func() { d.particulars().warnings = append(d.particulars().warnings, d.text().clean()) })
		case "reporters":
			d.list(func() { d.particulars().reporters = append(d.particulars().reporters, d.reporter()) })
		case "asked":
			d.list(func() { d.particulars().asked = append(d.particulars().asked, d.query()) })
		case "total":
			if rows > 0 {
				d.fail("the total stands behind the rows, or twice")
				return
			}
			rows, f.total = 1, true
			ok = d.row() && ok
		case "rows":
			if rows > 1 {
				d.fail("the rows are there twice")
				return
			}
			rows = 2
			ok = d.rows() && ok
		default:
			d.skip()
		}
	})
	if err := d.end(); err != nil {
		return nil, err
	}
	if f.at.IsZero() {
		return nil, errors.New("a reading has no time")
	}
	if d.spare = f.states; ok {
		f.states = nil
	}
	return f, nil
}

// rows reads the rows of the targets; false when a value has another state than ok.
func (d *decoder) rows() bool {
	ok := true
	d.take('[')
	for n := 0; d.more(n == 0, ']'); n++ {
		if n == maxTargets {
			d.fail(fmt.Sprintf("a reading has more than %d targets", maxTargets))
			return ok
		}
		ok = d.row() && ok
	}
	return ok
}

// row reads one row; false when a value has another state than ok.
func (d *decoder) row() bool {
	f := &d.frame
	d.take('[')
	target := d.int()
	d.take(',')
	shape := d.int()
	d.take(',')
	baseline := d.float()
	if d.err != nil {
		return true
	}
	p, err := d.tables.place(int(target), int(shape))
	if err != nil {
		d.err = err
		return true
	}
	f.layout = append(f.layout, p)
	f.numbers = append(f.numbers, baseline)
	n, start := len(p.shape.columns), len(f.states)
	absent := false
	for range n {
		d.take(',')
		if d.peek() == 'n' {
			d.literal("null")
			f.numbers, f.states = append(f.numbers, 0), append(f.states, collector.Missing)
			absent = true
		} else {
			f.numbers, f.states = append(f.numbers, d.float()), append(f.states, collector.Ok)
		}
	}
	ok := true
	if d.peek() == ',' {
		d.at++
		ok = false
		d.states(f.states[start:], f.numbers[len(f.numbers)-n:])
	} else if absent {
		d.fail("a value is null and no state says why")
	}
	d.take(']')
	return ok
}

// states reads the letters behind the values of a row.
func (d *decoder) states(states []collector.State, numbers []float64) {
	word := d.word()
	if len(word) != len(states) {
		d.fail("there is not one letter for each value")
		return
	}
	for i := range states {
		s, known := parseLetter(word[i])
		if !known {
			d.fail("a letter names no state")
			return
		}
		if s.HasNumber() && states[i] == collector.Missing {
			d.fail("a value is null and its state says that it is a number")
			return
		}
		if !s.HasNumber() {
			numbers[i] = 0
		}
		states[i] = s
	}
}
