// Package hist counts times in buckets whose width grows with the time, so that
// a quantile is within 0.8 % of the true one, without keeping single values.
package hist

import (
	"math/bits"
	"time"
)

const (
	unitBits = 10 // the narrowest bucket is 1.024 us wide
	subBits  = 6  // 64 buckets for each doubling
	sub      = 1 << subBits
	maxBits  = 38 // above 2^(38+10) ns, 78 h, all times share the last bucket
	buckets  = (maxBits - subBits + 1) * sub
)

// Hist is a histogram of times. The zero value is empty.
type Hist struct {
	counts    [buckets]uint32
	low, high int32 // buckets that may not be 0: [low, high)
	n         int64
	sum       int64
}

// Add counts a time; a negative one is 0.
func (h *Hist) Add(d time.Duration) {
	d = max(d, 0)
	i := bucket(d)
	h.counts[i]++
	if h.n == 0 {
		h.low, h.high = i, i+1
	} else if i < h.low {
		h.low = i
	} else if i >= h.high {
		h.high = i + 1
	}
	h.n++
	h.sum += int64(d)
}

func bucket(d time.Duration) int32 {
	v := uint64(d) >> unitBits
	if v < 2*sub {
		return int32(v)
	}
	e := bits.Len64(v) - subBits - 1
	i := e<<subBits + int(v>>e)
	return int32(min(i, buckets-1))
}

// middle is the time in the middle of a bucket.
func middle(i int32) time.Duration {
	v, width := int64(i), int64(1)
	if i >= 2*sub {
		e := i>>subBits - 1
		v, width = (int64(i)-int64(e)<<subBits)<<e, 1<<e
	}
	return time.Duration(v<<unitBits + width<<unitBits/2)
}

// Count is how many times were counted.
func (h *Hist) Count() int64 { return h.n }

// Mean is their exact mean, 0 when there is none.
func (h *Hist) Mean() time.Duration {
	if h.n == 0 {
		return 0
	}
	return time.Duration(h.sum / h.n)
}

// Sum is their exact sum.
func (h *Hist) Sum() time.Duration { return time.Duration(h.sum) }

// Quantile is the nearest rank of a share q from 0 to 1, within 0.8 % (or
// 1 us), and 0 when nothing was counted.
func (h *Hist) Quantile(q float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	rank := int64(q * float64(h.n))
	if float64(rank) < q*float64(h.n) {
		rank++
	}
	rank = max(rank, 1)
	for i := h.low; i < h.high; i++ {
		if rank -= int64(h.counts[i]); rank <= 0 {
			return middle(i)
		}
	}
	return middle(h.high - 1)
}

// Merge adds all times of another histogram.
func (h *Hist) Merge(o *Hist) {
	if o.n == 0 {
		return
	}
	if h.n == 0 {
		h.low, h.high = o.low, o.high
	}
	h.low, h.high = min(h.low, o.low), max(h.high, o.high)
	for i := o.low; i < o.high; i++ {
		h.counts[i] += o.counts[i]
	}
	h.n += o.n
	h.sum += o.sum
}

// Reset empties it.
func (h *Hist) Reset() {
	clear(h.counts[h.low:h.high])
	h.low, h.high, h.n, h.sum = 0, 0, 0, 0
}
