package lab

// The linear congruential generator that java.util.Random documents: 48 bits
// of state, the seed scrambled with an XOR. The state is kept shifted to the
// top of 64 bits, so that the arithmetic wraps at 2^48 by itself.
const (
	lcgMultiplier = 0x5DEECE66D
	lcgIncrement  = 11 << 16
	lcgScramble   = 0x5DEECE66D

	// Two steps at once: they do not wait for each other.
	lcgMultiplier2 = lcgMultiplier * lcgMultiplier & (1<<48 - 1)
	lcgIncrement2  = (11*lcgMultiplier + 11) & (1<<48 - 1) << 16
)

// Rand draws the numbers that java.util.Random draws from the same seed. It is
// a value: a copy continues on its own.
type Rand struct{ state uint64 }

// NewRand seeds a generator; every int64 is a valid seed, of which the lowest
// 48 bits count.
func NewRand(seed int64) Rand { return Rand{(uint64(seed) ^ lcgScramble) << 16} }

// Bits draws an unsigned number of n bits, 1 to 32.
func (r *Rand) Bits(n uint) uint32 {
	r.state = r.state*lcgMultiplier + lcgIncrement
	return uint32(r.state >> (64 - n))
}

// Float64 draws a number of at least 0 and below 1, in two draws.
func (r *Rand) Float64() float64 {
	n, next := draw53(r.state)
	r.state = next
	return float64(int64(n)) * (1.0 / (1 << 53))
}

// draw53 draws the 53 bits of a double (26 high ones, then 27) and returns the
// state after it. It works on plain numbers so that a loop keeps the state in
// a register.
func draw53(state uint64) (bits, next uint64) {
	high := state*lcgMultiplier + lcgIncrement
	next = state*lcgMultiplier2 + lcgIncrement2
	return high>>38<<27 + next>>37, next
}
