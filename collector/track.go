package collector

// track is the course of one target. Its columns begin at the same index as
// History.times and may be shorter: what is beyond their end is missing.
type track struct {
	target  Target
	columns [NumSignals]*column
	rank    float64 // the newest amplification, to choose whom to forget
	seen    int64   // the time of the newest reading that had the target
}

// column is the course of one signal. Its slices are shared with views: they
// are only appended to, never changed.
type column struct {
	values []float64
	states []State
	unit   Unit
	trust  Trust
}

// put sets point i of every signal to the values of row, in slices for as many
// points as there is to be room for. A second row of the same target in one
// reading is ignored.
func (t *track) put(row Row, i int, at int64, room int) {
	if t.seen == at {
		return
	}
	t.target, t.seen, t.rank = row.Target, at, rank(row.Values[Amplification])
	for s, v := range row.Values {
		c := t.columns[s]
		if c == nil {
			if v.State == Missing {
				continue
			}
			c = &column{}
			t.columns[s] = c
		}
		c.put(i, v, room)
	}
}

// put sets point i, filling what was skipped as missing.
func (c *column) put(i int, v Value, room int) {
	c.values, c.states = withRoom(c.values, room), withRoom(c.states, room)
	if skipped := i - len(c.values); skipped > 0 {
		c.values = append(c.values, make([]float64, skipped)...)
		c.states = append(c.states, make([]State, skipped)...)
	}
	c.values = append(c.values, v.V)
	c.states = append(c.states, v.State)
	if v.Unit != NoUnit {
		c.unit, c.trust = v.Unit, v.Trust
	}
}

// drop returns the column without its first n points, in fresh slices; nil when
// nothing is left.
func (c *column) drop(n, room int) *column {
	if c == nil || len(c.values) <= n {
		return nil
	}
	return &column{values: tail(c.values, n, room), states: tail(c.states, n, room), unit: c.unit, trust: c.trust}
}

// tail is s without its first points, in a fresh slice for so many.
func tail[T any](s []T, drop, room int) []T {
	return append(make([]T, 0, max(room, len(s)-drop)), s[drop:]...)
}
