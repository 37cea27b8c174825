package report

import (
	"stormtop/alerts/watch"
	"stormtop/collector"
)

// The exit statuses of a run without a screen.
const (
	ExitOk       = 0 // nothing fires, and every rule that is on could be judged
	ExitFiring   = 1 // at least one rule fires, or is held firing
	ExitUsage    = 2 // never the outcome of a reading
	ExitNoData   = 3 // no data, or the source cannot be reached
	ExitUnjudged = 4 // nothing fires, but some rule could not be judged, or not any more by some system
)

// ExitStatus is the exit status of a run that ends with this snapshot.
func ExitStatus(s watch.Snapshot) int {
	switch {
	case s.Firing() > 0:
		return ExitFiring
	case s.Last == nil, s.Last.Blind(), empty(s.Last):
		return ExitNoData
	case s.Coverage.Judged < s.Coverage.Of, s.Coverage.Lost():
		return ExitUnjudged
	}
	return ExitOk
}

// empty reports whether a reading holds no sample of anything.
func empty(r *collector.Reading) bool {
	if len(r.Targets) > 0 {
		return false
	}
	for _, v := range r.Total.Values {
		if _, ok := v.Float(); ok {
			return false
		}
	}
	return true
}
