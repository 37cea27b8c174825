package chain

// place is somewhere that things are for a while: a queue, the slots of a
// service, a pool. It keeps both sides of Little's law apart: the number of
// things over time, and the time of each thing.
type place struct {
	n       int64   // in it now
	last    int64   // when n changed
	area    float64 // n over time, in things x ns; too much for an int64 in a long storm
	mark    float64 // the area at the start of the window
	entered int64
	sojourn float64 // of those that left
}

func (p *place) enter(now int64) {
	p.area += float64(p.n * (now - p.last))
	p.last = now
	p.n++
	p.entered++
}

func (p *place) leave(now, since int64) {
	p.area += float64(p.n * (now - p.last))
	p.last = now
	p.n--
	p.sojourn += float64(now - since)
}

// mean is the mean number of things since the last mark, which it sets.
func (p *place) mean(now, from int64) float64 {
	p.area += float64(p.n * (now - p.last))
	p.last = now
	area := p.area - p.mark
	p.mark = p.area
	if now <= from {
		return 0
	}
	return area / float64(now-from)
}
