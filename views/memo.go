package views

import (
	"stormtop/collector"
	"stormtop/views/chart"
)

// memo keeps what the small charts show while only the cursor moves: sorting a
// day of readings into columns costs more than the rest of a frame.
type memo struct {
	timing  chart.Timing
	courses map[courseKey][]chart.Bucket
	peaks   map[courseKey]float64
}

type courseKey struct {
	id      string
	signal  collector.Signal
	columns int
}

// remembered is the memo of the present charts, nil while they follow the data.
func (m *Model) remembered() *memo {
	if !m.past() {
		return nil
	}
	if t := m.timing(); m.memo == nil || m.memo.timing != t {
		m.memo = &memo{timing: t, courses: map[courseKey][]chart.Bucket{}, peaks: map[courseKey]float64{}}
	}
	return m.memo
}

// course is a signal of a target in the columns of a small chart; nil leaves that
// to the chart.
func (m *Model) course(id string, s collector.Signal, columns int) []chart.Bucket {
	r := m.remembered()
	if r == nil {
		return nil
	}
	key := courseKey{id, s, columns}
	out, known := r.courses[key]
	if !known {
		out = r.timing.Course(m.base.History.Series(id, s), columns, lowFirst(s))
		r.courses[key] = out
	}
	return out
}

// peak is the largest number of a signal of a target on the charts.
func (m *Model) peak(id string, s collector.Signal) float64 {
	v, r := m.base.History, m.remembered()
	if v.Len() == 0 {
		return 0
	}
	key := courseKey{id: id, signal: s}
	if r != nil {
		if p, known := r.peaks[key]; known {
			return p
		}
	}
	p, _ := chart.Peak(v.Series(id, s), m.begin(), m.edge())
	if r != nil {
		r.peaks[key] = p
	}
	return p
}
