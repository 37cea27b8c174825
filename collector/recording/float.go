package recording

import (
	"math"
	"math/bits"
)

// powers are the powers of ten that fit into 64 bits.
var powers = func() (p [20]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = 10 * p[i-1]
	}
	return p
}()

// plainFloat reads a number without an exponent and with at most 19 digits at
// the start of b, and says how long it is: a quotient of two whole numbers of 64
// bits, rounded once. Any other number is left to strconv (ok is false), which
// takes three times as long.
func plainFloat(b []byte) (f float64, n int, ok bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		n++
	}
	var digits uint64
	start, point, significant := n, -1, 0
	for ; n < len(b); n++ {
		c := b[n]
		switch {
		case c >= '0' && c <= '9':
			digits = 10*digits + uint64(c-'0')
			if significant > 0 || c != '0' {
				significant++
			}
			continue
		case c == '.' && point < 0:
			point = n
			continue
		case c == '.', c == 'e', c == 'E', c == '+', c == '-':
			return 0, 0, false
		}
		break
	}
	decimals := 0
	if point >= 0 {
		decimals = n - point - 1
	}
	if significant > 19 || decimals >= len(powers) || n == start || point == start || point >= 0 && decimals == 0 {
		return 0, 0, false
	}
	f = float64(digits)
	if decimals > 0 && digits > 0 {
		f = quotientOf(digits, powers[decimals])
	}
	if negative {
		f = math.Copysign(f, -1)
	}
	return f, n, true
}

// quotientOf is a/b, both above 0, rounded to the nearest float, half to even.
func quotientOf(a, b uint64) float64 {
	x, y := bits.LeadingZeros64(a), bits.LeadingZeros64(b)
	a, b = a<<x, b<<y
	q, rest := bits.Div64(a>>1, a<<63, b) // a * 2^63 / b, of 63 or 64 bits
	drop := bits.Len64(q) - 53
	mantissa, lost, half := q>>drop, q&(1<<drop-1), uint64(1)<<(drop-1)
	if lost > half || lost == half && (rest > 0 || mantissa&1 == 1) {
		mantissa++
	}
	return float64(mantissa) * math.Float64frombits(uint64(1023+drop-63+y-x)<<52)
}
