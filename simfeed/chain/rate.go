package chain

import (
	"fmt"
	"math"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain/field"
)

// MaxRate is the highest rate of a class, in requests a second.
const MaxRate = 1e6

const maxRatePoints = 1000

// Rate is a load as a pure function of elapsed time: steps and ramps. The zero
// value is no load.
type Rate struct{ Points []RatePoint }

// RatePoint is where the course of a rate changes.
type RatePoint struct {
	At        time.Duration // since the start of the run, ascending; the first one counts from 0
	PerSecond float64       // 0 to MaxRate
	Ramp      bool          // reached in a straight line from the point before, instead of at once
}

// Steady is the same rate all the time.
func Steady(perSecond float64) Rate { return Rate{[]RatePoint{{PerSecond: perSecond}}} }

// String is the form that ParseRate reads: "2010/s", or points such as
// "100/s, 60s 200/s, ramp 120s 400/s".
func (r Rate) String() string {
	if len(r.Points) == 0 {
		return field.FormatRate(0)
	}
	out := make([]string, len(r.Points))
	for i, p := range r.Points {
		if i > 0 || p.At > 0 || p.Ramp {
			out[i] = collector.FormatInterval(p.At) + " "
		}
		if p.Ramp {
			out[i] = "ramp " + out[i]
		}
		out[i] += field.FormatRate(p.PerSecond)
	}
	return strings.Join(out, ", ")
}

// ParseRate reads the form of String. The error is a sentence with the remedy.
func ParseRate(text string) (Rate, error) {
	wrong := func() error {
		return fmt.Errorf("%s is no rate: write 2010/s, or points such as 100/s, 60s 200/s, ramp 120s 400/s", collector.Quote(strings.TrimSpace(text)))
	}
	var r Rate
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		var p RatePoint
		if len(words) == 3 && words[0] == "ramp" {
			p.Ramp, words = true, words[1:]
		}
		var err error
		switch len(words) {
		case 2:
			if words[0] == "ramp" {
				return Rate{}, wrong()
			}
			if p.At, err = collector.ParseDuration(words[0]); err != nil {
				return Rate{}, err
			}
		case 1:
			if len(r.Points) > 0 || p.Ramp {
				if _, err := field.ParseRate(words[0]); err != nil {
					return Rate{}, wrong()
				}
				return Rate{}, fmt.Errorf("%s has no time: write 60s %s for a step, ramp 60s %s for a ramp", collector.Quote(words[0]), words[0], words[0])
			}
		default:
			return Rate{}, wrong()
		}
		if p.PerSecond, err = field.ParseRate(words[len(words)-1]); err != nil {
			return Rate{}, err
		}
		r.Points = append(r.Points, p)
		if len(r.Points) > maxRatePoints {
			return Rate{}, fmt.Errorf("more than %d points of a rate: use fewer", maxRatePoints)
		}
	}
	return r, r.check()
}

func (r Rate) check() error {
	for i, p := range r.Points {
		switch {
		case !(p.PerSecond >= 0 && p.PerSecond <= MaxRate):
			return fmt.Errorf("%s is out of range: a rate is from 0/s to %s", field.FormatRate(p.PerSecond), field.FormatRate(MaxRate))
		case p.At < 0 || p.At > MaxLength:
			return fmt.Errorf("the point at %v is out of range: a run lasts from 0s to %s", p.At, collector.FormatInterval(MaxLength))
		case i > 0 && p.At < r.Points[i-1].At:
			return fmt.Errorf("the point at %v comes after the one at %v: order them by time", p.At, r.Points[i-1].At)
		}
	}
	return nil
}

// Max is the highest rate of all.
func (r Rate) Max() float64 {
	high := 0.0
	for _, p := range r.Points {
		high = math.Max(high, p.PerSecond)
	}
	return high
}

// At is the rate at a time since the start of the run.
func (r Rate) At(t time.Duration) float64 {
	for i := len(r.Points) - 1; i >= 0; i-- {
		p := r.Points[i]
		if t < p.At && i > 0 {
			continue
		}
		if i+1 < len(r.Points) && r.Points[i+1].Ramp && t > p.At {
			q := r.Points[i+1]
			share := float64(t-p.At) / float64(q.At-p.At)
			return p.PerSecond + float64(share*(q.PerSecond-p.PerSecond))
		}
		return p.PerSecond
	}
	return 0
}
