package draw

import (
	"math"
	"time"
)

// Stream is a generator of 64-bit numbers (SplitMix64: a Weyl sequence put
// through a mixer). It is a value: a copy continues on its own.
type Stream struct{ state uint64 }

// Purpose tells apart the streams of one run, so that a policy that draws more
// numbers does not move the arrivals.
type Purpose uint64

// The purposes.
const (
	Arrivals Purpose = iota + 1 // of a class
	Think                       // of the closed-loop clients of a class
	Work                        // service times at a class and service
	Faults                      // errors and hangs at a class and service
	FanOut                      // calls a request at a class and edge
	Jitter                      // back-off at a class and edge
	Admit                       // breakers and throttles at a class and edge
)

const golden = 0x9E3779B97F4A7C15 // 2^64 / the golden ratio

// NewStream derives a stream from the seed of the run, what it is for and for
// whom. Each of the three is scrambled, so that neighbours share nothing.
func NewStream(seed int64, purpose Purpose, entity uint64) Stream {
	z := mix(uint64(seed) + golden)
	z = mix(z ^ uint64(purpose)*golden)
	return Stream{mix(z ^ (entity+1)*golden)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Uint64 draws 64 bits.
func (s *Stream) Uint64() uint64 {
	s.state += golden
	return mix(s.state)
}

// Float64 draws a number of at least 0 and below 1, a multiple of 2^-53.
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) * (1.0 / (1 << 53)) }

// Below draws a duration of at least 0 and below d, which is 0 for a d of 0 or
// less.
func (s *Stream) Below(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return time.Duration(s.Float64() * float64(d))
}

// Exp draws from the exponential distribution of mean 1.
func (s *Stream) Exp() float64 { return -Log(1 - s.Float64()) }

// Normal draws from the standard normal distribution, by the polar method.
func (s *Stream) Normal() float64 {
	for {
		u, v := 2*s.Float64()-1, 2*s.Float64()-1
		q := float64(u*u) + float64(v*v)
		if q > 0 && q < 1 {
			return u * math.Sqrt(-2*Log(q)/q)
		}
	}
}
