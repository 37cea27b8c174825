package chart

// span is the stroke of a curve in one bucket: the dots from lo to hi, counted
// from the bottom of the plot, both included. tip is the dot of the value.
type span struct {
	lo, hi, tip int
	kind        Kind
	beyond      bool // the value is beyond the first threshold
}

func (s span) drawn() bool { return s.kind >= Number }

// height is the dot of a bucket that holds a number or an infinite value.
func (f *frame) height(b Bucket) int {
	if b.Kind == Infinite {
		return f.rows*f.set.dots - 1
	}
	return f.scale.dot(b.Max, f.set.dots)
}

// spans turns buckets into strokes, in out. A stroke reaches towards that of the bucket
// before it, so that curves have no holes; it never depends on what follows, so
// that what was drawn stays. Only an area is filled from the baseline.
func (f *frame) spans(out []span, buckets []Bucket, line bool) []span {
	out = grow(out, len(buckets))
	ground := f.scale.ground(f.set.dots)
	var before span
	for i, b := range buckets {
		s := span{kind: b.Kind}
		if s.drawn() {
			s.tip = f.height(b)
			s.lo, s.hi = s.tip, s.tip
			area := !line && s.tip >= ground
			if area {
				s.lo = ground
			}
			if before.drawn() {
				floor := before.tip // the lowest dot of the stroke before that s can touch
				if !line && before.tip >= ground {
					floor = ground
				}
				if before.tip < s.lo-1 {
					s.lo = before.tip + 1
				}
				if !area && floor > s.hi+1 {
					s.hi = floor - 1
				}
			}
			s.beyond = f.beyond(b)
		}
		out[i] = s
		before = s
	}
	return out
}

// beyond compares a bucket with the first threshold, as its rule does.
func (f *frame) beyond(b Bucket) bool {
	if len(f.spec.Thresholds) == 0 || !f.spec.Thresholds[0].finite() {
		return false
	}
	t := &f.spec.Thresholds[0]
	v := b.Max
	if b.Kind == Infinite {
		v = infinity
	}
	return t.Compare.Holds(v, t.At)
}
