package views

import (
	"cmp"
	"math"
	"slices"

	"stormtop/collector"
)

// sorting is what a list of targets is sorted by: the worst first, a name, or
// a signal.
type sorting struct {
	kind   sortKind
	signal collector.Signal // of bySignal
}

type sortKind uint8

const (
	byWorst sortKind = iota
	bySignal
	byName
)

// lowFirst reports whether the small numbers of a signal are the bad ones.
func lowFirst(s collector.Signal) bool { return s == collector.Delivered }

// standing is what a row is sorted by. What is not known comes last, idle
// before it.
type standing struct {
	row, place int // place in the worst-first order, which decides between equals
	known      int8
	number     float64
}

// sorted orders rows, given worst first, by a signal: the largest first, or the
// smallest where those are the bad ones.
func sorted(targets []collector.Row, worstFirst []int, s collector.Signal) []int {
	all := make([]standing, len(worstFirst))
	for i, row := range worstFirst {
		st := standing{row: row, place: i}
		if f, ok := targets[row].Values[s].Float(); ok {
			switch {
			case math.IsNaN(f):
				st.known = 1
			case lowFirst(s):
				st.known, st.number = 2, -f
			default:
				st.known, st.number = 2, f
			}
		}
		all[i] = st
	}
	slices.SortFunc(all, func(a, b standing) int {
		return cmp.Or(cmp.Compare(b.known, a.known), cmp.Compare(b.number, a.number), cmp.Compare(a.place, b.place))
	})
	out := make([]int, len(all))
	for i, st := range all {
		out[i] = st.row
	}
	return out
}

// sortNext sorts by the next of: the worst, each column on the screen, the name.
func (m *Model) sortNext() {
	all := []sorting{{}}
	for _, c := range m.layoutTable().columns {
		all = append(all, sorting{bySignal, c.signal})
	}
	all = append(all, sorting{kind: byName})
	m.list.sorting = all[(slices.Index(all, m.list.sorting)+1)%len(all)]
	m.list.first = 0
}
