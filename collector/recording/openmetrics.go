package recording

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"stormtop/collector"
)

// heldPoints bounds how many points are held at once: series are written one
// after the other, as OpenMetrics wants them, while readings go across them.
const heldPoints = 2 << 20

const openMetricsHead = `# TYPE stormtop_signal gauge
# HELP stormtop_signal A signal as stormtop saw it, in its own unit. Idle (0/0) is NaN, infinite (x/0) +Inf. A NaN one millisecond after a sample ends it: nothing is known from there on. target="" is the sum over all targets.
`

// WriteOpenMetrics writes a recording as OpenMetrics text, which promtool tsdb
// create-blocks-from openmetrics accepts: gauges stormtop_signal by signal,
// target, system and kind with the labels of the target, at the instants of the
// readings (in milliseconds; where a time comes twice, the first one counts).
//
// What is missing or failed has no sample. Since Prometheus would look back five
// minutes from there, and OpenMetrics has no staleness marker, a NaN one
// millisecond after the last sample before a gap stands for one.
func WriteOpenMetrics(w io.Writer, rec *Recording) error {
	out := &metricsWriter{w: bufio.NewWriterSize(w, 64<<10), used: map[string]bool{}}
	out.w.WriteString(openMetricsHead)
	ids := rec.targets()
	size := max(1, heldPoints/(max(1, rec.Len())*len(collector.Signals())))
	for group := range slices.Chunk(ids, size) {
		for _, t := range rec.traces(group) {
			out.trace(t)
		}
	}
	out.w.WriteString("# EOF\n")
	if err := out.w.Flush(); err != nil {
		return fmt.Errorf("the OpenMetrics text cannot be written: %w", err)
	}
	return nil
}

// targets are the IDs of all targets of a recording, the total first, by name.
func (r *Recording) targets() []string {
	names := map[string]string{}
	for i := range r.frames {
		if i > 0 && len(r.frames[i].layout) > 0 && len(r.frames[i-1].layout) > 0 && &r.frames[i].layout[0] == &r.frames[i-1].layout[0] {
			continue
		}
		for _, p := range r.frames[i].layout {
			names[p.target.ID] = p.target.Name
		}
	}
	ids := make([]string, 0, len(names))
	for id := range names {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		switch {
		case a == collector.TotalID:
			return -1
		case b == collector.TotalID:
			return 1
		}
		if c := strings.Compare(names[a], names[b]); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	return ids
}

// trace is the course of one target.
type trace struct {
	target  collector.Target
	signals [collector.NumSignals][]point
	open    [collector.NumSignals]bool // the last point still holds
}

// point is a sample at an instant in milliseconds since 1970.
type point struct {
	at int64
	v  float64
}

// traces gathers the courses of some targets.
func (r *Recording) traces(ids []string) []*trace {
	out, byID := make([]*trace, len(ids)), make(map[string]*trace, len(ids))
	for i, id := range ids {
		out[i] = &trace{}
		byID[id] = out[i]
	}
	var row collector.Row
	var none collector.Values
	seen := make(map[*trace]bool, len(ids))
	for i := range r.frames {
		f := &r.frames[i]
		at := f.at.UnixMilli()
		if i > 0 && torn(&r.frames[i-1], f) {
			for _, t := range out {
				t.put(at, &none)
			}
		}
		clear(seen)
		numbers, states := f.numbers, f.states
		for _, p := range f.layout {
			t := byID[p.target.ID]
			if t == nil || seen[t] {
				n := len(p.shape.columns)
				if numbers = numbers[1+n:]; states != nil {
					states = states[n:]
				}
				continue
			}
			row = collector.Row{}
			numbers, states = p.fill(&row, numbers, states)
			t.target, seen[t] = row.Target, true
			t.put(at, &row.Values)
		}
		for _, t := range out {
			if !seen[t] {
				t.put(at, &none)
			}
		}
	}
	for _, t := range out {
		t.put(math.MaxInt64, &none)
	}
	return out
}

// torn reports whether nothing is known of some time between two readings.
func torn(a, b *frame) bool {
	step := b.origin.Interval
	return b.missed > 0 || b.begins || step > 0 && b.at.Sub(a.at) > 2*step
}

// put adds the values of an instant, or ends what has none.
func (t *trace) put(at int64, values *collector.Values) {
	for s := range t.signals {
		list := t.signals[s]
		last := int64(math.MinInt64)
		if len(list) > 0 {
			last = list[len(list)-1].at
		}
		if at <= last {
			continue
		}
		if v, ok := values[s].Float(); ok {
			t.signals[s], t.open[s] = append(list, point{at, v}), true
		} else if t.open[s] {
			t.open[s] = false
			if at > last+1 {
				t.signals[s] = append(list, point{last + 1, math.NaN()})
			}
		}
	}
}

// metricsWriter writes series; its writer remembers the first error.
type metricsWriter struct {
	w    *bufio.Writer
	used map[string]bool // label sets that were written
	buf  []byte
}

func (m *metricsWriter) trace(t *trace) {
	for s, points := range t.signals {
		if len(points) == 0 {
			continue
		}
		series := m.series(collector.Signal(s), &t.target)
		for _, p := range points {
			m.buf = append(append(m.buf[:0], series...), ' ')
			switch {
			case math.IsNaN(p.v):
				m.buf = append(m.buf, "NaN"...)
			case math.IsInf(p.v, 0):
				m.buf = append(m.buf, "+Inf"...)
			default:
				m.buf = appendNumber(m.buf, p.v)
			}
			m.buf = append(appendMillis(append(m.buf, ' '), p.at), '\n')
			m.w.Write(m.buf)
		}
	}
}

// appendMillis writes an instant in seconds so that whoever multiplies the
// number that it parses as by 1000, and cuts, gets the same milliseconds.
func appendMillis(b []byte, ms int64) []byte {
	start := len(b)
	if ms < 0 {
		b = append(b, '-')
		ms = -ms
	}
	b = strconv.AppendInt(b, ms/1000, 10)
	if ms%1000 == 0 {
		return b
	}
	b = append(b, '.')
	b = append(b, byte('0'+ms%1000/100), byte('0'+ms%100/10), byte('0'+ms%10))
	if f, err := strconv.ParseFloat(string(b[start:]), 64); err == nil && int64(math.Abs(f)*1000) != ms {
		b = append(b, '2') // a fifth of a millisecond more
	}
	return b
}

// series is the name and the labels of a series, which no other one has.
func (m *metricsWriter) series(s collector.Signal, t *collector.Target) string {
	var b strings.Builder
	b.WriteString(`stormtop_signal{signal="` + s.String() + `",target="`)
	taken := map[string]bool{"signal": true, "target": true, "system": true, "kind": true}
	if t.ID != collector.TotalID {
		b.WriteString(metricValue(collector.Clean(t.Name)))
	}
	b.WriteByte('"')
	write := func(name, value string) {
		if value != "" {
			b.WriteString(`,` + name + `="` + metricValue(value) + `"`)
		}
	}
	write("system", collector.Clean(t.System))
	write("kind", kindName(t.Kind))
	for _, l := range t.Labels {
		name := metricName(l.Name)
		for taken[name] {
			name = "exported_" + name
		}
		taken[name] = true
		write(name, l.Value)
	}
	labels := b.String()
	for n := 2; m.used[labels]; n++ { // another target of the same name and labels
		labels = b.String() + `,again="` + strconv.Itoa(n) + `"`
	}
	m.used[labels] = true
	return labels + "}"
}

var metricEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func metricValue(s string) string { return metricEscapes.Replace(strings.ToValidUTF8(s, "\uFFFD")) }

// metricName is a label name as every Prometheus accepts it.
func metricName(s string) string {
	name := []byte(s)
	for i, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9' && i > 0) {
			name[i] = '_'
		}
	}
	if len(name) == 0 || strings.HasPrefix(string(name), "__") {
		return "label" + string(name)
	}
	return string(name)
}
