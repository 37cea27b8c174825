package recording

import (
	"strconv"
	"time"

	"stormtop/collector"
)

// appendReading writes the line of a frame whose rows are declared as places.
func appendReading(b []byte, f *frame, places []placed) []byte {
	b = append(b, `{"type":"reading","at":`...)
	b = appendTime(b, f.at)
	if !f.newest.IsZero() {
		b = append(b, `,"newest":`...)
		b = appendTime(b, f.newest)
	}
	if f.begins {
		b = append(b, `,"begins":true`...)
	}
	if f.past {
		b = append(b, `,"past":true`...)
	}
	if f.overload.Known() {
		b = append(b, `,"overloaded":`...)
		b = strconv.AppendBool(b, f.overload == collector.Overloaded)
	}
	if f.missed != 0 {
		b = append(b, `,"missed":`...)
		b = strconv.AppendInt(b, int64(f.missed), 10)
	}
	if f.cost != (collector.Cost{}) {
		b = append(b, `,"cost":`...)
		b = append(appendCost(append(b, '{'), f.cost), '}')
	}
	if f.particulars != nil {
		b = appendParticulars(b, f.particulars)
	}
	rows := appender{f.numbers, f.states, places}
	if f.total {
		b = append(b, `,"total":`...)
		b = rows.next(b)
	}
	b = append(b, `,"rows":[`...)
	for first := true; len(rows.places) > 0; first = false {
		if !first {
			b = append(b, ',')
		}
		b = rows.next(b)
	}
	return append(b, "]}\n"...)
}

// appender writes the rows of a frame, one after the other.
type appender struct {
	numbers []float64
	states  []collector.State
	places  []placed
}

func (a *appender) next(b []byte) []byte {
	p := a.places[0]
	n := len(p.shape.what.columns)
	b = strconv.AppendInt(append(b, '['), int64(p.target.index), 10)
	b = strconv.AppendInt(append(b, ','), int64(p.shape.index), 10)
	b = appendNumber(append(b, ','), a.numbers[0])
	ok := true
	for i, s := range a.states[:n] {
		b = append(b, ',')
		if s.HasNumber() {
			b = appendNumber(b, a.numbers[1+i])
		} else {
			b = append(b, "null"...)
		}
		ok = ok && s == collector.Ok
	}
	if !ok {
		b = append(b, ',', '"')
		for _, s := range a.states[:n] {
			b = append(b, letters[s])
		}
		b = append(b, '"')
	}
	a.numbers, a.states, a.places = a.numbers[1+n:], a.states[n:], a.places[1:]
	return append(b, ']')
}

func appendCost(b []byte, c collector.Cost) []byte {
	b = strconv.AppendInt(append(b, `"queries":`...), int64(c.Queries), 10)
	b = strconv.AppendInt(append(b, `,"bytes":`...), c.Bytes, 10)
	return appendDuration(append(b, `,"took":`...), c.Took)
}

func appendDuration(b []byte, d time.Duration) []byte {
	return append(append(append(b, '"'), d.String()...), '"')
}

func appendParticulars(b []byte, p *particulars) []byte {
	b = appendList(b, "failures", p.failures, func(b []byte, f collector.Failure) []byte {
		b = appendString(append(b, `"kind":`...), f.Kind.String())
		if f.Signal != collector.NoSignal {
			b = appendString(append(b, `,"signal":`...), f.Signal.String())
		}
		if f.System != "" {
			b = appendString(append(b, `,"system":`...), f.System)
		}
		if !f.Retry.IsZero() {
			b = appendTime(append(b, `,"retry":`...), f.Retry)
		}
		return appendString(append(b, `,"text":`...), f.Text)
	})
	if len(p.warnings) > 0 {
		b = append(b, `,"warnings":[`...)
		for i, w := range p.warnings {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, w)
		}
		b = append(b, ']')
	}
	b = appendList(b, "reporters", p.reporters, func(b []byte, r collector.Reporters) []byte {
		b = appendString(append(b, `"side":`...), r.Side.String())
		if r.System != "" {
			b = appendString(append(b, `,"system":`...), r.System)
		}
		if r.Target != "" {
			b = appendText(append(b, `,"target":`...), r.Target)
		}
		b = strconv.AppendInt(append(b, `,"now":`...), int64(r.Now), 10)
		return strconv.AppendInt(append(b, `,"usual":`...), int64(r.Usual), 10)
	})
	return appendList(b, "asked", p.asked, func(b []byte, a collector.Asked) []byte {
		b = appendString(append(b, `"signal":`...), a.Signal.String())
		if a.System != "" {
			b = appendString(append(b, `,"system":`...), a.System)
		}
		b = strconv.AppendInt(append(b, `,"series":`...), int64(a.Series), 10)
		return appendCost(append(b, ','), a.Cost)
	})
}

// appendList writes a field that is a list of objects, nothing where it is empty.
func appendList[T any](b []byte, name string, list []T, fields func([]byte, T) []byte) []byte {
	for i, item := range list {
		if i == 0 {
			b = append(append(append(b, ',', '"'), name...), `":[{`...)
		} else {
			b = append(b, ',', '{')
		}
		b = append(fields(b, item), '}')
	}
	if len(list) > 0 {
		b = append(b, ']')
	}
	return b
}
