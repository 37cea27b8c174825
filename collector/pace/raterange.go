package pace

import "time"

// AssumedRange is the range of the rates while the spacing of the samples is not known.
const AssumedRange = time.Minute

// rateRanges are the ranges that are chosen from.
var rateRanges = []time.Duration{
	2 * time.Second, 4 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second,
	30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
}

// RateRange is the range of the rates for a spacing of the samples: the smallest
// of a few friendly ones that is at least four times the spacing; beyond the
// largest, four times the spacing in whole minutes. A spacing of 0 is not known.
// All sources choose by it, so that they show the same numbers.
func RateRange(spacing time.Duration) time.Duration {
	if spacing <= 0 {
		return AssumedRange
	}
	for _, r := range rateRanges {
		if r >= 4*spacing {
			return r
		}
	}
	return (4*spacing + time.Minute - 1).Truncate(time.Minute)
}
