package chain

// layer is a change of a field that is in force, over what the field was before
// it. Layers lie on each other in the order in which they began.
type layer struct {
	change Change
	before string
}

// without is the value of a field when a layer is taken out: what was before it,
// with the later layers on that, each of which is told what is now before it. The
// field stays as it is.
func (s *Scenario) without(path, before string, later []*layer) string {
	slots, err := s.find(path)
	if err != nil {
		return before
	}
	now, value := slots[0].get(), before
	for _, l := range later {
		l.before = value
		one := l.change
		one.Field = path
		if slots[0].set(value) != nil {
			continue
		}
		if target, err := s.target(one); err == nil {
			value = target
		}
	}
	_ = slots[0].set(now) // it was that
	return value
}
