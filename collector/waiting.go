package collector

// waiting are readings that were added and are not yet in the columns. Where
// many come without a View between them, as with a past that is read at once,
// each column takes its points of all of them together: a reading touches as
// many places in memory as there are columns, and a column only one.
type waiting struct {
	readings []*Reading
	rows     int // of them, which bounds what they hold in memory
}

// How much waits at most.
const (
	maxWaiting     = 64
	maxWaitingRows = 4096
)

// Add appends a reading. One that is not later than the newest is ignored, and
// so reports false.
func (h *History) Add(r *Reading) bool {
	w := &h.waiting
	if n := len(w.readings); n > 0 && !r.At.After(w.readings[n-1].At) {
		return false
	} else if n == 0 && len(h.times) > 0 && r.At.UnixNano() <= h.times[len(h.times)-1] {
		return false
	}
	w.readings = append(w.readings, r)
	if w.rows += 1 + len(r.Targets); len(w.readings) >= maxWaiting || w.rows >= maxWaitingRows {
		h.settle()
	}
	return true
}

// settle puts into the columns what waits.
func (h *History) settle() {
	for rest := h.waiting.readings; len(rest) > 0; {
		h.trim(rest[0].At.UnixNano() - int64(h.span))
		alike := 0
		for alike < len(rest) && h.fits(rest[alike]) {
			alike++
		}
		if alike < 2 {
			h.put(rest[0])
			rest = rest[1:]
			continue
		}
		h.putAll(rest[:alike])
		rest = rest[alike:]
	}
	clear(h.waiting.readings)
	h.waiting.readings, h.waiting.rows = h.waiting.readings[:0], 0
}

// fits reports whether a reading has the targets of the last one, in its order,
// all of them with a track.
func (h *History) fits(r *Reading) bool {
	if len(r.Targets) == 0 || len(r.Targets) != len(h.order) {
		return false
	}
	for k, t := range h.order {
		if t.target.ID != r.Targets[k].Target.ID {
			return false
		}
	}
	return true
}

// putAll appends readings that fit.
func (h *History) putAll(readings []*Reading) {
	first := h.begin(readings[0])
	for _, r := range readings[1:] {
		h.begin(r)
	}
	rows := make([]*Row, len(readings))
	at := h.times[len(h.times)-1]
	for j, r := range readings {
		rows[j] = &r.Total
	}
	h.total().putAll(rows, first, at, h.room)
	for k, t := range h.order {
		for j, r := range readings {
			rows[j] = &r.Targets[k]
		}
		t.putAll(rows, first, at, h.room)
	}
}

// putAll sets the points from first on, of which the newest is of at.
func (t *track) putAll(rows []*Row, first int, at int64, room int) {
	last := rows[len(rows)-1]
	t.target, t.seen, t.rank = last.Target, at, rank(last.Values[Amplification])
	for s := range last.Values {
		c, rows, first := t.columns[s], rows, first
		if c == nil {
			for len(rows) > 0 && rows[0].Values[s].State == Missing {
				rows, first = rows[1:], first+1
			}
			if len(rows) == 0 {
				continue
			}
			c = &column{}
			t.columns[s] = c
		}
		c.reach(first, len(rows), room)
		for _, row := range rows {
			c.append(&row.Values[s])
		}
	}
}
