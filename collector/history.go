package collector

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// History remembers the readings of a span of time, bounded in time and in the
// number of targets. It is not safe for concurrent use; View hands out
// immutable pictures that are.
//
// Points live in slices that only grow at the end and are copied to fresh ones
// when half of them is out of date, so a View shares them without copying.
type History struct {
	span       time.Duration
	maxTargets int
	times      []int64
	overload   []Overload // as many, less those at the end of which nobody knows
	forgotten  int64      // the newest time that was trimmed; 0: none was
	room       int        // how many points slices are made for
	tracks     map[string]*track
	pinned     string // a target that has a place of its own; TotalID: none
	newcomers  []int  // indices of targets without a track, reused by put
	waiting    waiting
	order      []*track // those of the last reading's targets; nil: not each of them has one
}

// clearlyWorse is how much larger than the calmest kept amplification a
// newcomer's must be, so that noise among calm targets does not swap places,
// and lose a course, at every reading.
const clearlyWorse = 1.1

// minTrim is how many points are out of date before they are worth forgetting.
const minTrim = 64

// NewHistory makes a history that keeps span and at most maxTargets targets, at
// least one, beside the total. When there are more, those are kept that came
// first, worst first; the calmest gives its place to one whose amplification is
// clearly (a tenth) larger. A pinned target (Pin) comes beside these.
func NewHistory(span time.Duration, maxTargets int) *History {
	return &History{span: span, maxTargets: max(maxTargets, 1), tracks: map[string]*track{}}
}

// Span is how much time is kept.
func (h *History) Span() time.Duration { return h.span }

// put appends a reading.
func (h *History) put(r *Reading) {
	at := r.At.UnixNano()
	i := h.begin(r)
	h.total().put(&r.Total, i, at, h.room)
	h.newcomers, h.order = h.newcomers[:0], h.order[:0]
	for k := range r.Targets {
		id := r.Targets[k].Target.ID
		t := h.tracks[id]
		if t == nil && id == h.pinned {
			t = &track{}
			h.tracks[id] = t
		}
		if t == nil {
			h.newcomers = append(h.newcomers, k)
		} else if t.put(&r.Targets[k], i, at, h.room) {
			h.order = append(h.order, t)
		}
	}
	if len(h.order) < len(r.Targets) {
		h.order = h.order[:0]
	}
	h.admit(r.Targets, i, at)
}

// begin makes a point of time of a reading and returns its index.
func (h *History) begin(r *Reading) int {
	i := len(h.times)
	if i >= h.room {
		h.room = h.roomier()
	}
	h.times = append(withRoom(h.times, i+1, h.room), r.At.UnixNano())
	if r.Overload.Known() {
		h.overload = withRoom(h.overload, i+1, h.room)
		h.overload = append(append(h.overload, make([]Overload, i-len(h.overload))...), r.Overload)
	}
	return i
}

// total is the track of the total.
func (h *History) total() *track {
	t := h.tracks[TotalID]
	if t == nil {
		t = &track{}
		h.tracks[TotalID] = t
	}
	return t
}

// admit gives the free places to the worst newcomers, then those of the calmest
// kept targets to newcomers that are clearly worse.
func (h *History) admit(rows []Row, i int, at int64) {
	free := h.maxTargets - h.ordinary()
	var kept []string // calmest first
	if len(h.newcomers) > free {
		kept = h.calmest()
		h.contenders(rows, free, kept)
	}
	for _, k := range h.newcomers {
		row := &rows[k]
		if again(rows, k) {
			continue
		}
		if free <= 0 {
			if len(kept) == 0 || !h.yields(kept[0], rank(row.Values[Amplification])) {
				return
			}
			delete(h.tracks, kept[0])
			kept = kept[1:]
			free++
		}
		t := &track{}
		t.put(row, i, at, h.room)
		h.tracks[row.Target.ID] = t
		free--
	}
}

// again reports whether the target of row k is that of a row before it: the first
// one counts.
func again(rows []Row, k int) bool {
	for i := range rows[:k] {
		if rows[i].Target.ID == rows[k].Target.ID {
			return true
		}
	}
	return false
}

// contenders leaves those newcomers that can get a place, worst first.
func (h *History) contenders(rows []Row, free int, kept []string) {
	if free <= 0 {
		h.newcomers = slices.DeleteFunc(h.newcomers, func(k int) bool {
			return len(kept) == 0 || !h.yields(kept[0], rank(rows[k].Values[Amplification]))
		})
	}
	slices.SortStableFunc(h.newcomers, func(a, b int) int {
		return cmp.Compare(rank(rows[b].Values[Amplification]), rank(rows[a].Values[Amplification]))
	})
}

// calmest lists the kept targets, the first to be forgotten first.
func (h *History) calmest() []string {
	ids := make([]string, 0, len(h.tracks))
	for id := range h.tracks {
		if id != TotalID && id != h.pinned {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(h.standing(a), h.standing(b)), strings.Compare(a, b))
	})
	return ids
}

// standing ranks a kept target; one that was in neither of the last two
// readings stands below all.
func (h *History) standing(id string) float64 {
	t := h.tracks[id]
	if n := len(h.times); n >= 2 && t.seen < h.times[n-2] {
		return -2
	}
	return t.rank
}

// yields reports whether a kept target gives way to a newcomer of that rank.
func (h *History) yields(id string, newcomer float64) bool {
	standing := h.standing(id)
	if standing > 0 {
		standing *= clearlyWorse
	}
	return newcomer > standing
}

// trim forgets what is before oldest once that is at least half of what is held.
func (h *History) trim(oldest int64) {
	drop := searchNanos(h.times, oldest)
	if drop < minTrim || drop*2 < len(h.times) {
		return
	}
	h.forgotten = h.times[drop-1]
	h.times = append(make([]int64, 0, max(h.room, len(h.times)-drop)), h.times[drop:]...)
	if h.overload = h.overload[min(drop, len(h.overload)):]; len(h.overload) > 0 {
		h.overload = append(make([]Overload, 0, h.room), h.overload...)
	}
	for id, t := range h.tracks {
		if id != TotalID && id != h.pinned && t.seen < oldest {
			delete(h.tracks, id)
			h.order = h.order[:0]
			continue
		}
		for s, c := range t.columns {
			t.columns[s] = c.drop(drop, h.room)
		}
	}
}

// roomier is for how many points there shall be room when there is none left:
// twice as many, so that all copying together costs no more than what is kept;
// but for the whole span, and then for what trim lets stand beside it, no more
// than that takes at the spacing of the readings so far.
func (h *History) roomier() int {
	n := len(h.times)
	if n < minTrim {
		return 2 * minTrim
	}
	whole := int(float64(h.span)/float64(h.times[n-1]-h.times[0])*float64(n-1)) + 2
	for _, enough := range []int{whole, 2*whole + minTrim} {
		switch {
		case enough <= n:
		case enough <= 5*n: // a step less of copying; what is not used yet costs little
			return enough
		default:
			return 2 * n
		}
	}
	return 2 * n
}

// withRoom is s, in a fresh slice for so many points where fewer than n fit.
func withRoom[T any](s []T, n, room int) []T {
	if n <= cap(s) {
		return s
	}
	return append(make([]T, 0, max(room, n)), s...)
}
