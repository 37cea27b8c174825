package recording

import (
	"math"

	"stormtop/collector"
)

func (d *decoder) particulars() *particulars {
	if d.frame.particulars == nil {
		d.frame.particulars = &particulars{}
	}
	return d.frame.particulars
}

func (d *decoder) cost(name []byte, c *collector.Cost) {
	switch string(name) {
	case "queries":
		c.Queries = d.count()
	case "bytes":
		c.Bytes = d.int()
	case "took":
		c.Took = d.duration()
	default:
		d.skip()
	}
}

func (d *decoder) failure() (f collector.Failure) {
	d.fields(func(name []byte) {
		switch string(name) {
		case "kind":
			f.Kind = readName[collector.FailureKind](d, "kind of failure")
		case "signal":
			f.Signal = readName[collector.Signal](d, "signal")
		case "system":
			f.System = d.text().clean()
		case "retry":
			f.Retry = d.time()
		case "text":
			f.Text = d.text().clean()
		default:
			d.skip()
		}
	})
	return f
}

func (d *decoder) reporter() (r collector.Reporters) {
	d.fields(func(name []byte) {
		switch string(name) {
		case "side":
			r.Side = readName[collector.Signal](d, "side")
		case "system":
			r.System = d.text().clean()
		case "target":
			r.Target = string(d.text())
		case "now":
			r.Now = d.count()
		case "usual":
			r.Usual = d.count()
		default:
			d.skip()
		}
	})
	return r
}

func (d *decoder) query() (a collector.Asked) {
	d.fields(func(name []byte) {
		switch string(name) {
		case "signal":
			a.Signal = readName[collector.Signal](d, "signal")
		case "system":
			a.System = d.text().clean()
		case "series":
			a.Series = d.count()
		default:
			d.cost(name, &a.Cost)
		}
	})
	return a
}

// count is a whole number that is never negative.
func (d *decoder) count() int { return int(min(max(d.int(), 0), math.MaxInt)) }

// readName reads the name of an enumeration's number.
func readName[T enum](d *decoder, what string) T {
	v, err := named[T](what, d.word())
	if err != nil {
		d.fail(err.Error())
	}
	return v
}
