package collector

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// View is an immutable picture of a History at the moment it was taken.
type View struct {
	times    []int64
	overload []Overload // see History
	series   map[string]viewTrack
}

type viewTrack struct {
	target  Target
	columns [NumSignals]column
}

// View takes a picture of the last span, at a cost that grows with the number
// of targets kept, not with the number of points.
func (h *History) View() View {
	h.settle()
	lo := 0
	if n := len(h.times); n > 0 {
		lo = searchNanos(h.times, h.times[n-1]-int64(h.span))
	}
	v := View{times: h.times[lo:len(h.times):len(h.times)], series: make(map[string]viewTrack, len(h.tracks))}
	for id, t := range h.tracks {
		vt := viewTrack{target: t.target}
		for s, c := range t.columns {
			if c != nil && len(c.values) > lo {
				vt.columns[s] = c.since(lo)
			}
		}
		v.series[id] = vt
	}
	v.overload = h.overload[min(lo, len(h.overload)):]
	return v
}

// Len is the number of readings in the view.
func (v View) Len() int { return len(v.times) }

// Time is the time of reading i, oldest first.
func (v View) Time(i int) time.Time { return time.Unix(0, v.times[i]).UTC() }

// Overload is what was known of overload at reading i.
func (v View) Overload(i int) Overload {
	if i >= len(v.overload) {
		return OverloadUnknown
	}
	return v.overload[i]
}

// Until counts the readings that are not later than t.
func (v View) Until(t time.Time) int { return searchNanos(v.times, t.UnixNano()+1) }

// Has reports whether the view holds the course of a target.
func (v View) Has(id string) bool { _, ok := v.series[id]; return ok }

// Targets are those of which the view holds the course, by name and ID, the
// total left out.
func (v View) Targets() []Target {
	out := make([]Target, 0, len(v.series))
	for id, t := range v.series {
		if id != TotalID {
			out = append(out, t.target)
		}
	}
	slices.SortFunc(out, func(a, b Target) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return out
}

// Series is the course of a signal of a target (TotalID for the total); all
// its points are missing when the target is not kept.
func (v View) Series(id string, s Signal) Series {
	t := v.series[id]
	return Series{v.times, t.columns[s]}
}

// Values are all values of a target at reading i.
func (v View) Values(id string, i int) Values {
	t := v.series[id]
	var out Values
	for s := range t.columns {
		c := &t.columns[s]
		if i < len(c.values) {
			out[s] = c.value(i)
		}
	}
	return out
}
