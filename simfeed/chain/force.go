package chain

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// forces follows which changes of a timeline are in force: fields that are not
// as they would be without the trigger and without what an operator did.
type forces struct {
	now, calm Scenario // with all changes so far, and with the standing ones
	events    []*turn
	held      []*held
	on        map[string]bool // by field; true where an operator changed it last
	clear     time.Duration   // since when nothing is in force
}

// turn is the begin or the end of a change.
type turn struct {
	at     time.Duration
	change *Change
	begun  *turn // of an end, its begin
}

// held is a change of one field that has begun and not ended.
type held struct {
	begun     *turn
	path      string
	now, calm layer // calm of a standing one
}

func newForces(s *Scenario) *forces {
	f := &forces{now: s.Clone(), calm: s.Clone(), on: map[string]bool{}}
	var begins, ends []*turn
	for i := range s.Timeline {
		c := &s.Timeline[i]
		begin := &turn{at: c.At, change: c}
		begins = append(begins, begin)
		length := c.For
		if k := slices.Index(s.serviceNames(), c.restarts()); k >= 0 {
			length = s.Services[k].Restart.Down + s.Services[k].Restart.Cold
		}
		if length > 0 {
			ends = append(ends, &turn{at: c.At + length, change: c, begun: begin})
		}
	}
	all := append(begins, ends...) // at the same time what begins comes first, as in a run
	slices.SortStableFunc(all, func(a, b *turn) int { return cmp.Compare(a.at, b.at) })
	f.events = all
	return f
}

// before makes all changes before a time.
func (f *forces) before(t time.Duration) {
	for len(f.events) > 0 && f.events[0].at < t {
		was := len(f.on)
		f.make(f.events[0])
		if was > 0 && len(f.on) == 0 {
			f.clear = f.events[0].at
		}
		f.events = f.events[1:]
	}
}

func (f *forces) make(t *turn) {
	c := t.change
	switch {
	case c.restarts() != "" && c.Standing:
	case c.restarts() != "" && t.begun != nil:
		delete(f.on, c.Field)
	case c.restarts() != "":
		f.on[c.Field] = c.Operator
	case t.begun != nil:
		for i := 0; i < len(f.held); {
			if h := f.held[i]; h.begun == t.begun {
				f.end(i)
				f.compare(h.path, c)
				continue
			}
			i++
		}
	default:
		for _, path := range f.now.meant(c.Field) { // some: Check has found what means nothing
			h := &held{begun: t, path: path, now: layer{*c, f.change(&f.now, path, c)}}
			if c.Standing {
				h.calm = layer{*c, f.change(&f.calm, path, c)}
			}
			f.held = append(f.held, h)
			f.compare(path, c)
		}
	}
}

// end ends a change that is held. What changed the field after it goes on.
func (f *forces) end(i int) {
	h := f.held[i]
	f.held = slices.Delete(f.held, i, i+1)
	var now, calm []*layer
	for _, later := range f.held[i:] {
		if later.path != h.path {
			continue
		}
		now = append(now, &later.now)
		if later.begun.change.Standing {
			calm = append(calm, &later.calm)
		}
	}
	f.set(&f.now, h.path, f.now.without(h.path, h.now.before, now))
	if h.begun.change.Standing {
		f.set(&f.calm, h.path, f.calm.without(h.path, h.calm.before, calm))
	}
}

// change makes a change to one field and returns what it was.
func (f *forces) change(s *Scenario, path string, c *Change) (before string) {
	slots, err := s.find(path)
	if err != nil {
		return ""
	}
	before = slots[0].get()
	one := *c
	one.Field = path
	if target, err := s.target(one); err == nil {
		f.set(s, path, target)
	}
	return before
}

func (f *forces) set(s *Scenario, path, value string) {
	if slots, err := s.find(path); err == nil {
		_ = slots[0].set(value) // what a run could not set either stays as it is
	}
}

func (f *forces) compare(path string, c *Change) {
	a, err := f.now.find(path)
	b, err2 := f.calm.find(path)
	switch {
	case err != nil || err2 != nil:
	case a[0].get() == b[0].get():
		delete(f.on, path)
	case !c.Standing:
		f.on[path] = c.Operator
	}
}

// fields are those in force that an operator changed, or the others, sorted.
func (f *forces) fields(operator bool) (out []string) {
	for _, path := range slices.Sorted(maps.Keys(f.on)) {
		if f.on[path] == operator {
			out = append(out, path)
		}
	}
	return out
}
