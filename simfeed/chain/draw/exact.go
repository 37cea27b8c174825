package draw

import "math"

// ln 2 in two parts: the first has so few bits that a whole multiple of it is
// exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// Log is the natural logarithm of a positive finite number, within 2 ulp and
// the same everywhere: the series of the inverse hyperbolic tangent.
func Log(x float64) float64 {
	shift := 0
	if x < 0x1p-1022 { // subnormal
		x, shift = x*0x1p54, -54
	}
	bits := math.Float64bits(x)
	k := int(bits>>52) - 1023
	m := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m /= 2
		k++
	}
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	// Two independent halves: even and odd powers of z.
	w := float64(z * z)
	even := float64(w*(2.0/21)) + 2.0/17
	even = float64(w*even) + 2.0/13
	even = float64(w*even) + 2.0/9
	even = float64(w*even) + 2.0/5
	odd := float64(w*(2.0/23)) + 2.0/19
	odd = float64(w*odd) + 2.0/15
	odd = float64(w*odd) + 2.0/11
	odd = float64(w*odd) + 2.0/7
	odd = float64(w*odd) + 2.0/3
	tail := float64(s * (float64(z*odd) + float64(w*even)))
	n := float64(k + shift)
	return float64(n*ln2High) + (float64(2*s) + (tail + float64(n*ln2Low)))
}

// Exp is e to the power of x, within 2 ulp and the same everywhere: 0 below
// -708, infinite above 709.
func Exp(x float64) float64 {
	switch {
	case x < -708:
		return 0
	case x > 709:
		return math.Inf(1)
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	p := 1.0
	for n := 14; n > 0; n-- {
		p = float64(p*r)/float64(n) + 1
	}
	return p * math.Float64frombits(uint64(int(k)+1023)<<52)
}

// Tanh is the hyperbolic tangent, from Exp.
func Tanh(x float64) float64 {
	if x < 0 {
		return -Tanh(-x)
	}
	return 1 - 2/(Exp(2*x)+1)
}
