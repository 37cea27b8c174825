package tune

import (
	"slices"
	"time"

	"stormtop/collector"
)

// Map is what a rule would have done for every pair of a threshold and a time
// of for, over all histories together.
type Map struct {
	Rule       collector.RuleSpec // what is the same everywhere
	Thresholds []float64          // columns, ascending
	Fors       []time.Duration    // rows, ascending
	Cells      []Cell             // row by row
	Incidents  int                // over all histories
}

// Cell is one point of a Map.
type Cell struct {
	Firings int
	Missed  int           // incidents without a firing
	False   time.Duration // firing outside of incidents and grace, summed over the histories
	Worst   time.Duration // the same of the worst history
	Lead    time.Duration // the longest time from the start of a found incident to firing
	Median  time.Duration // the median of those times
}

// Found reports whether some incident of so many was found, so that Lead means
// something.
func (c Cell) Found(incidents int) bool { return c.Missed < incidents }

// At is the cell of threshold x and for y, as places in Thresholds and Fors.
func (m *Map) At(x, y int) *Cell { return &m.Cells[y*len(m.Thresholds)+x] }

// Place is the cell that is nearest to a rule's threshold and for.
func (m *Map) Place(spec collector.RuleSpec) (x, y int) {
	for i, t := range m.Thresholds {
		if abs(t-spec.Threshold) < abs(m.Thresholds[x]-spec.Threshold) {
			x = i
		}
	}
	for i, d := range m.Fors {
		if (d - spec.For).Abs() < (m.Fors[y] - spec.For).Abs() {
			y = i
		}
	}
	return x, y
}

func abs(f float64) float64 { return max(f, -f) }

// NewMap judges histories by a rule at every point of a grid. For each threshold
// a history is walked once; each time of for then follows from the lengths of
// the runs in which the condition held.
func NewMap(list []*History, spec collector.RuleSpec, thresholds []float64, fors []time.Duration) *Map {
	m := &Map{Rule: spec, Thresholds: slices.Clone(thresholds), Fors: slices.Clone(fors)}
	slices.Sort(m.Thresholds)
	slices.Sort(m.Fors)
	m.Thresholds, m.Fors = slices.Compact(m.Thresholds), slices.Compact(m.Fors)
	m.Cells = make([]Cell, len(m.Thresholds)*len(m.Fors))
	for _, h := range list {
		m.Incidents += len(h.Incidents)
	}
	all := make([]int64, 0, len(m.Cells)*m.Incidents) // the leads of a history, cell by cell, one history after the other
	for _, h := range list {
		all = m.add(h, all)
	}
	m.finish(list, all)
	return m
}

// add judges one history at every point.
func (m *Map) add(h *History, all []int64) []int64 {
	t := newTally(h, h.grace(&m.Rule))
	base := len(all)
	all = all[:base+len(m.Cells)*len(h.Incidents)]
	r := newRunner(&m.Rule)
	courses := make([]steps, len(h.Courses))
	for i := range h.Courses {
		courses[i] = r.steps(&h.Courses[i])
	}
	cuts := make([]stretches, len(courses))
	var spans []span
	for x, threshold := range m.Thresholds {
		r.threshold = r.sign * threshold
		for i := range courses {
			cuts[i].cut(&courses[i], &r)
		}
		for y, hold := range m.Fors {
			cell := m.At(x, y)
			spans = spans[:0]
			for i := range cuts {
				spans = cuts[i].fire(int64(hold), spans)
			}
			cell.Firings += len(spans)
			spans = union(spans)
			t.count(spans)
			wrong := time.Duration(t.wrong)
			cell.False += wrong
			cell.Worst = max(cell.Worst, wrong)
			place := base + (y*len(m.Thresholds)+x)*len(h.Incidents)
			copy(all[place:], t.leads)
		}
	}
	return all
}

// finish takes leads and misses together, over all histories.
func (m *Map) finish(list []*History, all []int64) {
	mine := make([]int64, 0, m.Incidents)
	for i := range m.Cells {
		mine = mine[:0]
		base := 0
		for _, h := range list {
			n := len(h.Incidents)
			for _, l := range all[base+i*n : base+(i+1)*n] {
				if l >= 0 {
					mine = append(mine, l)
				}
			}
			base += len(m.Cells) * n
		}
		c := &m.Cells[i]
		if c.Missed = m.Incidents - len(mine); len(mine) > 0 {
			slices.Sort(mine)
			c.Lead, c.Median = time.Duration(mine[len(mine)-1]), time.Duration(mine[len(mine)/2])
		}
	}
}
