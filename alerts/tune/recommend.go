package tune

import (
	"cmp"
	"fmt"
	"time"

	"stormtop/collector"
)

// Advice is the point of a Map that is recommended, and how much room there is
// around it.
type Advice struct {
	Threshold float64
	For       time.Duration
	Cell      Cell
	X, Y      int // its place in the Map

	// Region marks the cells that are as good: no worse than the rule as it is in
	// anything, of these with as few misses as can be, and of those with as little
	// false alarm.
	Region []bool

	// Least and Most are the thresholds of the region around the point, at its
	// for; Shortest and Longest the times of for, at its threshold. They are the
	// margin: what is beyond them is worse, or not on the map.
	Least, Most       float64
	Shortest, Longest time.Duration
	// Clear is how many steps of the map, in each direction, are as good.
	Clear int
	Weak  string // what speaks against relying on it; "" where nothing does

	// What could be had at a price: Quieter has less false alarm, and warns later
	// than the rule as it is; More misses less, and has more false alarm or warns
	// later. They are nil where nothing is to be had.
	Quieter, More *Choice
}

// Choice is a point of a Map.
type Choice struct {
	Threshold float64
	For       time.Duration
	Cell      Cell
}

// enoughClear is the margin, in steps of the map, beyond which a shorter lead is
// worth more than a larger margin.
const enoughClear = 2

// Recommend chooses the point of a map: of those that are no worse than the
// rule as it is (no more misses, no more false alarm, no later warning) the ones
// with the fewest misses, of those the ones with the least false alarm, and of
// those the earliest that has two steps of room to all sides, or else the one
// with the most room.
func Recommend(m *Map, current collector.RuleSpec) Advice {
	cx, cy := m.Place(current)
	if len(m.Cells) == 0 {
		return Advice{}
	}
	is := m.At(cx, cy)
	a := Advice{Region: m.fewest(func(c *Cell) bool { return c.noWorse(is, m.Incidents) })}
	room := m.room(a.Region)
	best := m.best(a.Region, room, cx, cy)
	if best < 0 {
		return a
	}
	w := len(m.Thresholds)
	a.X, a.Y = best%w, best/w
	a.Cell, a.Clear = m.Cells[best], room[best]
	a.Threshold, a.For = m.Thresholds[a.X], m.Fors[a.Y]
	lo, hi := a.X, a.X
	for lo > 0 && a.Region[a.Y*w+lo-1] {
		lo--
	}
	for hi < w-1 && a.Region[a.Y*w+hi+1] {
		hi++
	}
	a.Least, a.Most = m.Thresholds[lo], m.Thresholds[hi]
	lo, hi = a.Y, a.Y
	for lo > 0 && a.Region[(lo-1)*w+a.X] {
		lo--
	}
	for hi < len(m.Fors)-1 && a.Region[(hi+1)*w+a.X] {
		hi++
	}
	a.Shortest, a.Longest = m.Fors[lo], m.Fors[hi]
	a.Quieter = m.choice(cx, cy, func(c *Cell) bool { return c.Missed <= a.Cell.Missed && c.False < a.Cell.False })
	a.More = m.choice(cx, cy, func(c *Cell) bool { return c.Missed < a.Cell.Missed })
	a.Weak = a.weak(m)
	return a
}

// noWorse reports whether a point is in nothing worse than another one: the
// longest time to a warning counts where both find as much.
func (c *Cell) noWorse(is *Cell, incidents int) bool {
	later := is.Found(incidents) && (c.Median > is.Median || c.Missed == is.Missed && c.Lead > is.Lead)
	return c.Missed <= is.Missed && c.False <= is.False && !later
}

// choice is the best of some points; nil where there are none.
func (m *Map) choice(cx, cy int, of func(*Cell) bool) *Choice {
	region := m.fewest(of)
	i := m.best(region, m.room(region), cx, cy)
	if i < 0 {
		return nil
	}
	return &Choice{Threshold: m.Thresholds[i%len(m.Thresholds)], For: m.Fors[i/len(m.Thresholds)], Cell: m.Cells[i]}
}

// best is the cell of a region that is to be chosen; -1 where it has none.
func (m *Map) best(region []bool, room []int, cx, cy int) int {
	best := -1
	for i := range m.Cells {
		if region[i] && (best < 0 || m.better(i, best, room, cx, cy)) {
			best = i
		}
	}
	return best
}

func (a *Advice) weak(m *Map) string {
	switch {
	case m.Incidents == 0:
		return "no incident to judge by: it only keeps quiet"
	case a.Cell.Missed == m.Incidents:
		if a.More == nil {
			return "no point of the map finds an incident"
		}
		return "no incident is found without more false alarm"
	case m.Incidents == 1:
		return "1 incident: weak evidence"
	case a.Cell.Missed > 0:
		return fmt.Sprintf("%d of %d incidents are missed all the same", a.Cell.Missed, m.Incidents)
	case a.Cell.False > 0:
		return fmt.Sprintf("%s of false alarm all the same", collector.FormatDuration(a.Cell.False))
	}
	return ""
}

// fewest marks, of some cells, those with the fewest misses, and of these those
// with the least false alarm.
func (m *Map) fewest(of func(*Cell) bool) []bool {
	out := make([]bool, len(m.Cells))
	var least *Cell
	order := func(a, b *Cell) int { return cmp.Or(cmp.Compare(a.Missed, b.Missed), cmp.Compare(a.False, b.False)) }
	for i := range m.Cells {
		if c := &m.Cells[i]; of(c) && (least == nil || order(c, least) < 0) {
			least = c
		}
	}
	for i := range m.Cells {
		out[i] = least != nil && of(&m.Cells[i]) && order(&m.Cells[i], least) == 0
	}
	return out
}

// room is, for each cell of a region, how many steps the nearest cell outside
// of it is away, less one; the edges of the map are not outside.
func (m *Map) room(region []bool) []int {
	w, h := len(m.Thresholds), len(m.Fors)
	out := make([]int, len(region))
	for n, grew := 1, true; grew; n++ {
		grew = false
		for i := range out {
			if !region[i] || out[i] != n-1 {
				continue
			}
			if m.surrounded(region, i%w, i/w, n, w, h) {
				out[i], grew = n, true
			}
		}
		if n >= max(w, h) {
			break
		}
	}
	return out
}

// surrounded reports whether all cells at n steps from one are in the region.
func (m *Map) surrounded(region []bool, x, y, n, w, h int) bool {
	in := func(x, y int) bool { return x < 0 || y < 0 || x >= w || y >= h || region[y*w+x] }
	for d := -n; d <= n; d++ {
		if !in(x+d, y-n) || !in(x+d, y+n) || !in(x-n, y+d) || !in(x+n, y+d) {
			return false
		}
	}
	return true
}

// better reports whether cell i is to be chosen before cell k.
func (m *Map) better(i, k int, room []int, cx, cy int) bool {
	a, b := &m.Cells[i], &m.Cells[k]
	w := len(m.Thresholds)
	farA, farB := steps2(i%w-cx, i/w-cy), steps2(k%w-cx, k/w-cy)
	if m.Incidents == 0 && (farA == 0 || farB == 0) {
		return farA == 0 // it is as it should be, and there is nothing to win
	}
	roomA, roomB := min(room[i], enoughClear), min(room[k], enoughClear)
	switch {
	case roomA != roomB:
		return roomA > roomB
	case a.Median != b.Median:
		return a.Median < b.Median
	case a.Lead != b.Lead:
		return a.Lead < b.Lead
	case room[i] != room[k] && m.Incidents > 0: // else there is no reason to go far
		return room[i] > room[k]
	}
	return farA < farB
}

func steps2(dx, dy int) int { return dx*dx + dy*dy }
