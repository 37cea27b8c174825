package views

import (
	"slices"
	"strings"

	"stormtop/collector"
)

// steering is how the user would like the source to look at its data.
type steering struct {
	wish    collector.Wish
	waits   bool     // the source does not show it yet
	alone   []string // the systems that were wished for last by name
	systems []string // what can be judged alone, as the source told it while it chose by itself
}

// follow takes notice of the origin of a new reading. It reports whether the
// wish was answered by it.
func (s *steering) follow(o *collector.Origin) bool {
	names := systemsOf(o)
	if s.wish.Systems == nil && !s.waits {
		s.systems = o.Offered
		if len(names) > 1 { // one alone is what is judged anyway
			s.systems = slices.Concat(names, o.Offered)
		}
	}
	if !s.waits || o.Grouping != s.wish.Grouping {
		return false
	}
	if s.wish.Systems != nil && !slices.Equal(names, s.wish.Systems) ||
		s.wish.Systems == nil && s.alone != nil && slices.Equal(names, s.alone) {
		return false
	}
	s.waits = false
	return true
}

func systemsOf(o *collector.Origin) []string {
	var out []string
	for i := range o.Systems {
		out = append(out, o.Systems[i].Profile)
	}
	return out
}

// wanted is the sentence for a wish that was not answered yet, "" without one.
func (s *steering) wanted(o *collector.Origin) string {
	switch {
	case !s.waits:
		return ""
	case o != nil && o.Grouping != s.wish.Grouping:
		return "grouping by " + s.wish.Grouping.String() + "…"
	case s.wish.Systems == nil:
		return "judging all systems…"
	}
	return "judging " + collector.Clean(strings.Join(s.wish.Systems, ", ")) + " alone…"
}

// groupings are those that the source can be asked for, the present one included.
func (m *Model) groupings() []collector.Grouping {
	if m.opt.Steer == nil || m.live.Good == nil {
		return nil
	}
	o := m.live.Good.Origin
	out := append([]collector.Grouping{o.Grouping}, o.Groupings...)
	slices.Sort(out)
	return slices.Compact(out)
}

// groupNext asks for the next grouping.
func (m *Model) groupNext() {
	all, now := m.groupings(), m.live.Good.Origin.Grouping
	if m.steering.waits {
		now = m.steering.wish.Grouping
	}
	wish := m.steering.wish
	wish.Grouping = all[(slices.Index(all, now)+1)%len(all)]
	m.steer(wish)
}

// choices are the systems that can be judged: nil, which is all of them, then
// each alone.
func (m *Model) choices() [][]string {
	if m.opt.Steer == nil || m.live.Good == nil {
		return nil
	}
	out := [][]string{nil}
	for _, name := range m.steering.systems {
		if name != "" && !slices.ContainsFunc(out, func(c []string) bool { return len(c) > 0 && c[0] == name }) {
			out = append(out, []string{name})
		}
	}
	return out
}

// systemNext asks for the next choice of systems.
func (m *Model) systemNext() {
	all := m.choices()
	at := slices.IndexFunc(all, func(c []string) bool { return slices.Equal(c, m.steering.wish.Systems) })
	wish := m.steering.wish
	wish.Grouping = m.live.Good.Origin.Grouping
	if m.steering.waits {
		wish.Grouping = m.steering.wish.Grouping
	}
	wish.Systems = all[(at+1)%len(all)]
	m.steer(wish)
}

func (m *Model) steer(wish collector.Wish) {
	s := &m.steering
	if s.wish.Systems != nil {
		s.alone = s.wish.Systems
	}
	s.wish, s.waits = wish, true
	m.opt.Steer(wish)
	s.follow(m.live.Good.Origin) // a wish for what is there needs no answer
}
