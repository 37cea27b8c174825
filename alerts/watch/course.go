package watch

import "stormtop/collector"

// Course puts the past of one target (collector.Prober) into the history, which
// keeps only the worst, and keeps the target from now on until another is asked
// for. It reports whether anything came of it: a course that was taken before
// the source began anew, in another grouping, fits nothing.
func (w *Watch) Course(id string, rs []*collector.Reading) bool {
	if w.last == nil || len(rs) > 0 && stale(rs[len(rs)-1], w.last) {
		return false
	}
	w.pinned = id
	return w.history.Fill(id, rs)
}

// Pin keeps the course of a target from now on, until another is pinned.
// collector.TotalID pins none.
func (w *Watch) Pin(id string) {
	w.pinned = id
	w.history.Pin(id)
}

// stale reports whether a course is of another grouping than what is read now.
func stale(course, now *collector.Reading) bool {
	return course.Origin != nil && now.Origin != nil && course.Origin.Grouping != now.Origin.Grouping
}
