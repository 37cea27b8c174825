package collector

// column is the course of one signal. Its slices are shared with views: they
// are only appended to, never changed.
type column struct {
	values []float64
	states []State // as many; nil: all are ok
	unit   Unit
	trust  Trust
}

// state is that of point i; behind the end it is Missing.
func (c *column) state(i int) State {
	switch {
	case i >= len(c.values):
		return Missing
	case c.states == nil:
		return Ok
	}
	return c.states[i]
}

// value is point i, missing behind the end.
func (c *column) value(i int) Value {
	v := Value{State: c.state(i), Unit: c.unit, Trust: c.trust}
	if i < len(c.values) {
		v.V = c.values[i]
	}
	return v
}

// since is the course from point i on.
func (c *column) since(i int) column {
	i = min(i, len(c.values))
	out := column{values: c.values[i:], unit: c.unit, trust: c.trust}
	if c.states != nil {
		out.states = c.states[i:]
	}
	return out
}

// put sets point i, filling what was skipped as missing.
func (c *column) put(i int, v *Value, room int) {
	c.reach(i, 1, room)
	c.append(v)
}

// reach fills what is before point i as missing and makes room for n points from
// there on.
func (c *column) reach(i, n, room int) {
	c.values = withRoom(c.values, i+n, room)
	if c.states != nil {
		c.states = withRoom(c.states, i+n, room)
	}
	if skipped := i - len(c.values); skipped > 0 {
		c.tell()
		c.values = append(c.values, make([]float64, skipped)...)
		c.states = append(c.states, make([]State, skipped)...)
	}
}

func (c *column) append(v *Value) {
	if c.states == nil && v.State != Ok {
		c.tell()
	}
	if c.states != nil {
		c.states = append(c.states, v.State)
	}
	c.values = append(c.values, v.V)
	if v.Unit != NoUnit {
		c.unit, c.trust = v.Unit, v.Trust
	}
}

// tell writes down the states, in a slice of their own.
func (c *column) tell() {
	if c.states != nil {
		return
	}
	c.states = make([]State, len(c.values), cap(c.values))
	for i := range c.states {
		c.states[i] = Ok
	}
}

// drop returns the column without its first n points, in fresh slices; nil when
// nothing is left.
func (c *column) drop(n, room int) *column {
	if c == nil || len(c.values) <= n {
		return nil
	}
	out := c.since(n)
	out.values = append(make([]float64, 0, max(room, len(out.values))), out.values...)
	if out.states != nil {
		out.states = append(make([]State, 0, cap(out.values)), out.states...)
	}
	return &out
}
