package draw

import (
	"fmt"
	"strings"
	"time"

	"stormtop/collector"
)

// Shape is the kind of a distribution of times.
type Shape uint8

// The shapes.
const (
	Constant    Shape = iota // always the mean
	Exponential              // by its mean
	LogNormal                // by its median and its 99th percentile
)

// String is the name in scenario files.
func (s Shape) String() string {
	switch s {
	case Constant:
		return "constant"
	case Exponential:
		return "exponential"
	case LogNormal:
		return "lognormal"
	}
	return fmt.Sprintf("Shape(%d)", uint8(s))
}

// MaxTime is the longest time of a distribution, and the longest one drawn.
const MaxTime = 24 * time.Hour

// quantile99 is the 99th percentile of the standard normal distribution.
const quantile99 = 2.3263478740408408

// Dist is a distribution of times. The zero value is always 0.
type Dist struct {
	Shape Shape
	Mean  time.Duration // of Constant and Exponential
	P50   time.Duration // of LogNormal, above 0
	P99   time.Duration // of LogNormal, at least P50
}

// Const is always d.
func Const(d time.Duration) Dist { return Dist{Mean: d} }

// Expo is exponential with a mean.
func Expo(mean time.Duration) Dist { return Dist{Shape: Exponential, Mean: mean} }

// LogN is lognormal with a median and a 99th percentile.
func LogN(p50, p99 time.Duration) Dist { return Dist{Shape: LogNormal, P50: p50, P99: p99} }

// String is the form that ParseDist reads: "180ms", "exponential 5ms",
// "lognormal p50=40ms p99=400ms".
func (d Dist) String() string {
	switch d.Shape {
	case Constant:
		return collector.FormatInterval(d.Mean)
	case LogNormal:
		return "lognormal p50=" + collector.FormatInterval(d.P50) + " p99=" + collector.FormatInterval(d.P99)
	}
	return d.Shape.String() + " " + collector.FormatInterval(d.Mean)
}

// ParseDist reads the form of String; "constant 180ms" is read, too. The error
// is a sentence that ends with the remedy.
func ParseDist(text string) (Dist, error) {
	words := strings.Fields(text)
	bad := fmt.Errorf("%s is no distribution: write 180ms, exponential 5ms, or lognormal p50=40ms p99=400ms", collector.Quote(text))
	switch {
	case len(words) == 1:
		mean, err := parseTime(words[0])
		return Dist{Mean: mean}, err
	case len(words) == 2 && words[0] == "constant":
		mean, err := parseTime(words[1])
		return Dist{Mean: mean}, err
	case len(words) == 2 && words[0] == "exponential":
		mean, err := parseTime(words[1])
		return Dist{Shape: Exponential, Mean: mean}, err
	case len(words) == 3 && words[0] == "lognormal":
		d := Dist{Shape: LogNormal}
		for _, word := range words[1:] {
			name, value, _ := strings.Cut(word, "=")
			t, err := parseTime(value)
			if err != nil {
				return Dist{}, err
			}
			switch {
			case name == "p50" && d.P50 == 0:
				d.P50 = t
			case name == "p99" && d.P99 == 0:
				d.P99 = t
			default:
				return Dist{}, bad
			}
		}
		if d.P50 <= 0 || d.P99 < d.P50 {
			return Dist{}, fmt.Errorf("%s cannot be: p50 must be above 0 and p99 at least p50", collector.Quote(text))
		}
		return d, nil
	}
	return Dist{}, bad
}

func parseTime(text string) (time.Duration, error) {
	if strings.HasPrefix(text, "-") {
		return 0, fmt.Errorf("%s is negative: a time is 0s or more", collector.Quote(text))
	}
	d, err := collector.ParseDuration(text)
	if err == nil && d > MaxTime {
		return 0, fmt.Errorf("%s is too long: %s at most", collector.Quote(text), collector.FormatInterval(MaxTime))
	}
	return d, err
}

// Average is the mean of the distribution.
func (d Dist) Average() time.Duration {
	if d.Shape == LogNormal {
		sigma := d.sigma()
		return time.Duration(float64(d.P50) * Exp(float64(sigma*sigma)/2))
	}
	return d.Mean
}

func (d Dist) sigma() float64 {
	if d.P50 <= 0 {
		return 0
	}
	return Log(float64(d.P99)/float64(d.P50)) / quantile99
}

// Sampler draws from a Dist, with what can be computed before.
type Sampler struct {
	shape Shape
	scale float64
	sigma float64
}

// Sampler prepares to draw.
func (d Dist) Sampler() Sampler {
	if d.Shape == LogNormal {
		return Sampler{LogNormal, float64(d.P50), d.sigma()}
	}
	return Sampler{shape: d.Shape, scale: float64(d.Mean)}
}

// Constant reports whether every draw is the same.
func (s *Sampler) Constant() bool { return s.shape == Constant }

// Draw draws a time, stretched by a factor of 0 or more, in whole nanoseconds
// and at most MaxTime.
func (s *Sampler) Draw(from *Stream, factor float64) time.Duration {
	t := s.scale
	switch s.shape {
	case Exponential:
		t *= from.Exp()
	case LogNormal:
		t *= Exp(float64(s.sigma * from.Normal()))
	}
	t *= factor
	if !(t < float64(MaxTime)) {
		return MaxTime
	}
	return time.Duration(t)
}
