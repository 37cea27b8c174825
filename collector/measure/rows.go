package measure

import "stormtop/collector"

// Rows are the rows of one system at one instant while they are filled, each
// target once, in the order in which they came.
type Rows struct {
	List []collector.Row
	ids  map[string]int
}

// NewRows makes room for a number of rows; there may be more.
func NewRows(size int) Rows {
	return Rows{List: make([]collector.Row, 0, size), ids: make(map[string]int, size)}
}

// Row is the place of a target in the list; it is added where it is not there.
func (r *Rows) Row(t collector.Target) int {
	i, ok := r.ids[t.ID]
	if !ok {
		i = len(r.List)
		r.ids[t.ID] = i
		r.List = append(r.List, collector.Row{Target: t})
	}
	return i
}
