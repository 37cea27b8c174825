package prom

import (
	"fmt"
	"time"

	"stormtop/collector"
)

// rateRanges are the ranges that are chosen from.
var rateRanges = []time.Duration{
	2 * time.Second, 4 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second,
	30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
}

const (
	assumedRate     = time.Minute      // the range of the rates while no spacing is known
	assumedInterval = 15 * time.Second // the interval while no spacing is known
	firstInterval   = 5 * time.Second  // the interval before the server was ever reached
	leastInterval   = time.Second
)

// chooseRate is the smallest range that is at least four times the spacing of
// the samples; beyond the largest, four times the spacing in whole minutes.
func chooseRate(spacing time.Duration) time.Duration {
	if spacing <= 0 {
		return assumedRate
	}
	for _, r := range rateRanges {
		if r >= 4*spacing {
			return r
		}
	}
	return (4*spacing + time.Minute - 1).Truncate(time.Minute)
}

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
		collector.FormatInterval(rate), collector.FormatInterval(spacing), collector.FormatInterval(chooseRate(spacing)))
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
