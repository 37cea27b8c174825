package collector

import "time"

// Pin gives a target a place of its own, so that its course is kept from now on
// and never forgotten to make room, until another one is pinned. TotalID pins
// none.
func (h *History) Pin(id string) {
	h.settle()
	h.pinned = id
	over := h.ordinary() - h.maxTargets
	if over <= 0 {
		return
	}
	for _, calm := range h.calmest()[:over] {
		delete(h.tracks, calm)
	}
	h.order = h.order[:0]
}

// ordinary counts the targets that share the bounded places.
func (h *History) ordinary() int {
	n := len(h.tracks)
	if h.tracks[TotalID] != nil {
		n--
	}
	if h.pinned != TotalID && h.tracks[h.pinned] != nil {
		n--
	}
	return n
}

// Fill puts the course of a target into the readings that are kept, where they
// have nothing of it: each of the course's readings, in ascending order, goes to
// the nearest of them that is less than half a step away. Fill pins the target.
// It reports whether anything came of it. Views that were taken before stay as
// they are.
func (h *History) Fill(id string, course []*Reading) bool {
	if id == TotalID {
		return false
	}
	h.Pin(id)
	old := h.tracks[id]
	if old == nil {
		old = &track{}
	}
	filled, took, next := &track{target: old.target}, false, 0
	for i, at := range h.times {
		row, known := old.row(i)
		if !known {
			row, next, known = nearest(course, next, id, at, h.reach(i))
			took = took || known
		}
		if known {
			filled.put(&row, i, at, h.room)
		}
	}
	if !took {
		return false
	}
	if old.seen >= filled.seen {
		filled.target, filled.seen, filled.rank = old.target, old.seen, old.rank
	}
	h.tracks[id], h.order = filled, h.order[:0]
	return true
}

// reach is how far from the time of reading i a sample may be and still belong
// to it: half the way to its nearer neighbour.
func (h *History) reach(i int) int64 {
	var step int64
	switch {
	case i > 0:
		step = h.times[i] - h.times[i-1]
	case h.forgotten != 0:
		step = h.times[i] - h.forgotten
	}
	if i+1 < len(h.times) {
		if after := h.times[i+1] - h.times[i]; step == 0 || after < step {
			step = after
		}
	}
	if step == 0 {
		step = 2 * int64(time.Second)
	}
	return step / 2
}

// nearest finds the row of a target in the reading of a course that is nearest
// to a time, from reading next on, and where to look on from.
func nearest(course []*Reading, next int, id string, at, reach int64) (row Row, from int, ok bool) {
	for next < len(course) && course[next].At.UnixNano() <= at-reach {
		next++
	}
	best := reach
	for k := next; k < len(course); k++ {
		away := course[k].At.UnixNano() - at
		if away >= reach {
			break
		}
		r, there := course[k].Row(id)
		if there && max(away, -away) < best {
			row, best, ok = r, max(away, -away), true
		}
	}
	return row, next, ok
}

// row is what is known of the target at point i; ok is false when nothing is.
func (t *track) row(i int) (row Row, ok bool) {
	row.Target = t.target
	for s, c := range t.columns {
		if c != nil && i < len(c.values) {
			row.Values[s] = c.value(i)
			ok = ok || row.Values[s].State != Missing
		}
	}
	return row, ok
}
