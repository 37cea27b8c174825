package chart

import (
	"math"

	"stormtop/collector"
)

// Kind says what a Bucket holds.
type Kind uint8

// The kinds, in ascending precedence: a bucket is the largest of its readings.
const (
	None     Kind = iota // before the first reading, or after Now
	Gap                  // no reading, or only missing and failed ones
	Idle                 // neither requests nor attempts
	Number               // at least one number
	Infinite             // at least one infinite value
)

// Bucket is what a column of a chart stands for.
type Bucket struct {
	Max   float64 // the largest number; meaningful only for Number
	Kind  Kind
	Doubt bool // a number in it is stale or partial
}

func bucketOf(s *collector.Series, i int) Bucket {
	switch st := s.State(i); st {
	case collector.Ok, collector.Stale, collector.Partial:
		return numberOf(s.Raw(i), st != collector.Ok)
	case collector.Idle:
		return Bucket{Kind: Idle}
	case collector.Infinite:
		return Bucket{Kind: Infinite}
	}
	return Bucket{Kind: Gap}
}

// plain reports whether reading i is a finite number without a doubt, as nearly
// all of a day are.
func plain(s *collector.Series, i int) bool {
	f := s.Raw(i)
	return s.State(i) == collector.Ok && f-f == 0
}

// numberOf also keeps out what a Value built by hand could hold.
func numberOf(f float64, doubt bool) Bucket {
	switch {
	case math.IsInf(f, 1):
		return Bucket{Kind: Infinite}
	case math.IsNaN(f), math.IsInf(f, -1):
		return Bucket{Kind: Gap}
	}
	return Bucket{Max: f, Kind: Number, Doubt: doubt}
}

// join merges two buckets into the one that both are in.
func (b Bucket) join(o Bucket, low bool) Bucket {
	doubt := b.Doubt || o.Doubt
	if o.Kind > b.Kind || o.Kind == b.Kind && o.Kind == Number && o.Max != b.Max && (o.Max < b.Max) == low {
		b = o
	}
	b.Doubt = doubt
	return b
}

// Buckets sorts the readings of s up to now into the columns of the axis, each
// divided into per equal parts, and returns them in dst, oldest first.
func (a Axis) Buckets(dst []Bucket, s collector.Series, per int) []Bucket {
	return a.buckets(dst, s, per, false)
}

// buckets is Buckets; low keeps the smallest number of each bucket in Max.
func (a Axis) buckets(dst []Bucket, s collector.Series, per int, low bool) []Bucket {
	per = max(per, 1)
	n := a.cols * per
	dst = grow(dst, n)
	clear(dst)
	if a.step == 0 {
		return dst
	}
	part := a.step / int64(per)
	b := a.first * per
	from := a.start + int64(a.first)*a.step
	i, end := searchSeries(&s, from), searchSeries(&s, a.now+1)
	for until, of := int64(0), -1; b < n && from <= a.now; b++ {
		to := from + part
		switch {
		case i < end && s.Nanos(i) < to:
			here := bucketOf(&s, i)
			for i++; i < end && s.Nanos(i) < to; i++ {
				if here.Kind != Number || !plain(&s, i) {
					here = here.join(bucketOf(&s, i), low)
				} else if f := s.Raw(i); f != here.Max && (f < here.Max) == low {
					here.Max = f
				}
			}
			dst[b] = here
		case i == 0 || i > end: // nothing was read yet
		default:
			if of != i-1 {
				of, until = i-1, a.until(&s, i-1, end)
			}
			dst[b] = Bucket{Kind: Gap}
			if from+part/2 < until {
				dst[b] = bucketOf(&s, of)
			}
		}
		from = to
	}
	return dst
}

// until is how far reading i of the first end ones counts: to the next one when
// that follows within one and a half spacings, else for one spacing; the newest
// one for one and a half.
func (a Axis) until(s *collector.Series, i, end int) int64 {
	t, spacing := s.Nanos(i), a.spacingAt(s, i)
	most := t + spacing + spacing/2
	if i+1 >= end {
		return most
	}
	if next := s.Nanos(i + 1); next <= most {
		return next
	}
	return t + spacing
}

// spacingAt is the distance between readings at reading i: the nominal one, or
// the least of the last few distances where this is more, so that a history
// whose older part is coarser (filled in at start) shows no gaps; a single hole
// changes nothing. The first readings have no past and look forward instead.
func (a Axis) spacingAt(s *collector.Series, i int) int64 {
	const few = 4
	first := max(i-few, 0)
	if s.Len()-first <= few {
		return a.spacing
	}
	least := s.Nanos(first+1) - s.Nanos(first)
	for k := first + 1; k < first+few; k++ {
		least = min(least, s.Nanos(k+1)-s.Nanos(k))
	}
	return max(a.spacing, least)
}

// searchSeries is the index of the first point at or after t.
func searchSeries(s *collector.Series, t int64) int {
	lo, hi := 0, s.Len()
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s.Nanos(mid) < t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
