package prom

import (
	"fmt"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
)

const (
	assumedInterval = 15 * time.Second // the interval while no spacing is known
	firstInterval   = 5 * time.Second  // the interval before the server was ever reached
	leastInterval   = time.Second
)

// chooseInterval is the spacing, at least a second.
func chooseInterval(spacing time.Duration) time.Duration {
	if spacing <= 0 {
		return assumedInterval
	}
	return max(spacing, leastInterval)
}

// rateWarning says that a range holds fewer than two samples, so that rates
// are empty, or "".
func rateWarning(rate, spacing time.Duration) string {
	if spacing <= 0 || rate >= 2*spacing {
		return ""
	}
	return fmt.Sprintf("rate range %s holds fewer than 2 samples: they come about every %s; try --rate=%s",
		collector.FormatInterval(rate), collector.FormatInterval(spacing), collector.FormatInterval(pace.RateRange(spacing)))
}

// spacingOf is the usual distance of samples, rounded to 100 ms; 0 when there
// are fewer than three. The median ignores a gap or a late scrape.
func spacingOf(points []point) time.Duration {
	if len(points) < 3 {
		return 0
	}
	gaps := make([]int64, 0, len(points)-1)
	for i := 1; i < len(points); i++ {
		if d := points[i].t - points[i-1].t; d > 0 {
			gaps = append(gaps, d)
		}
	}
	if len(gaps) < 2 {
		return 0
	}
	return max((time.Duration(median(gaps)) * time.Millisecond).Round(100*time.Millisecond), 100*time.Millisecond)
}

// median is the middle one of some numbers, which are put in order; 0 of none.
func median(n []int64) int64 {
	if len(n) == 0 {
		return 0
	}
	slices.Sort(n)
	return n[len(n)/2]
}
