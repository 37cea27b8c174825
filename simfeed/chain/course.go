package chain

import "math"

// course is a Rate times a factor, ready to be walked along: the expected
// number of arrivals is the area below it.
type course []stretch

// stretch is a straight piece: from its time on, until the next one begins.
type stretch struct {
	from  int64   // ns
	rate  float64 // a ns, at from
	slope float64 // a ns and ns
}

func newCourse(r Rate, factor float64) course {
	var c course
	rate := func(p RatePoint) float64 { return p.PerSecond * factor / 1e9 }
	for i, p := range r.Points {
		at := int64(p.At)
		if i == 0 {
			at = 0
		}
		s := stretch{from: at, rate: rate(p)}
		if i+1 < len(r.Points) && r.Points[i+1].Ramp {
			next := r.Points[i+1]
			if length := int64(next.At) - at; length > 0 {
				s.slope = (rate(next) - s.rate) / float64(length)
			}
		}
		c = append(c, s)
	}
	return c
}

// end is where a stretch ends.
func (c course) end(i int) int64 {
	if i+1 < len(c) {
		return c[i+1].from
	}
	return never
}

// area is the expected number of arrivals from one time to a later one.
func (c course) area(from, to int64) float64 {
	sum := 0.0
	for i, s := range c {
		a, b := max(from, s.from), min(to, c.end(i))
		if a >= b {
			continue
		}
		d := float64(b - a)
		r := s.rate + float64(s.slope*float64(a-s.from))
		sum += float64(r*d) + float64(s.slope*float64(d*d))/2
	}
	return sum
}

// after is when so much area is reached from a time on, and never when that is
// never, or later than a simulation lasts.
func (c course) after(from int64, area float64) int64 {
	for i, s := range c {
		end := c.end(i)
		a := max(from, s.from)
		if a >= end {
			continue
		}
		r := s.rate + float64(s.slope*float64(a-s.from))
		d := reach(r, s.slope, area)
		if d < float64(MaxLength)*2 && a+int64(d) < end {
			return a + int64(d)
		}
		if end == never {
			return never
		}
		length := float64(end - a)
		area -= float64(r*length) + float64(s.slope*float64(length*length))/2
		area = math.Max(area, 0)
	}
	return never
}

// reach is the time in which a rate with a slope covers an area, infinite when
// it never does.
func reach(rate, slope, area float64) float64 {
	if slope == 0 {
		if rate <= 0 {
			return math.Inf(1)
		}
		return area / rate
	}
	root := float64(rate*rate) + float64(2*slope*area)
	if root < 0 {
		return math.Inf(1)
	}
	// This form of the quadratic's solution loses no digits.
	sum := rate + math.Sqrt(root)
	if sum <= 0 {
		return math.Inf(1)
	}
	return 2 * area / sum
}
