package alerts

import (
	"time"

	"stormtop/collector"
)

// calm is what a target looked like while its ratio was calm: with an
// amplification of at most a fifth of the way from 1 to the threshold (1.1 for
// 1.5x), whatever the ingress did. Two questions are asked. While the ratio is
// up: what changed since just before? That is the average of the last few calm
// readings, enough to smooth the noise of rates and short enough to follow the
// traffic. While the ratio is calm: has the traffic grown? That is the same
// average as it was some minutes ago.
type calm struct {
	recent  level
	last    time.Time // the last calm reading
	n       int       // readings in recent, up to calmReadings
	now     bool      // the last reading was calm
	earlier moment    // recent as it was between calmMemory and twice that ago
	between moment    // the moment that becomes earlier next
}

// moment is a level and when it was.
type moment struct {
	level level
	at    time.Time
}

const (
	calmReadings = 8                // readings that recent averages over
	calmFirst    = 4                // readings that the first moment averages over
	calmMemory   = 5 * time.Minute  // the least age of earlier, once there is so much
	calmGap      = 10 * time.Minute // after so long without a calm reading recent begins anew
)

// level is a rate of requests and of attempts a second.
type level struct{ ingress, attempts, retries float64 }

func (l *level) blend(x level, weight float64) {
	l.ingress += (x.ingress - l.ingress) * weight
	l.attempts += (x.attempts - l.attempts) * weight
	l.retries += (x.retries - l.retries) * weight
}

// calmLimit is the largest calm amplification for a threshold above 1.
func calmLimit(threshold float64) float64 { return 1 + (threshold-1)/5 }

// note takes a reading into the averages when it is calm, and settled: its rates
// cover a whole range.
func (c *calm) note(at time.Time, v *collector.Values, limit float64, settled bool) {
	x, ok := levelOf(v)
	amp, known := v[collector.Amplification].Number()
	if c.now = ok && known && amp <= limit; !c.now || !settled {
		return
	}
	if c.n == 0 || at.Sub(c.last) > calmGap {
		m := moment{x, at}
		*c = calm{recent: x, last: at, n: 1, now: true, earlier: m, between: m}
		return
	}
	c.n = min(c.n+1, calmReadings)
	c.recent.blend(x, 1/float64(c.n))
	c.last = at
	if c.n <= calmFirst { // the first moment is no single noisy reading either
		c.earlier.level, c.between.level = c.recent, c.recent
	}
	if at.Sub(c.between.at) >= calmMemory {
		c.earlier, c.between = c.between, moment{c.recent, at}
	}
}

// levelOf reads the rates of a target; ok is false when they are not sound or
// there is no traffic to speak of.
func levelOf(v *collector.Values) (x level, ok bool) {
	in, down := v[collector.Ingress], v[collector.Downstream]
	if in.State != collector.Ok && in.State != collector.Stale || down.State != collector.Ok && down.State != collector.Stale {
		return level{}, false
	}
	retries, _ := v[collector.Retries].Number()
	return level{in.V, down.V, retries}, in.V > 0 && max(in.V, down.V) >= DefaultMinTraffic
}
