package prom

import (
	"slices"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/measure"
	"stormtop/collector/pace"
)

// system is one profile as it is read: its plan, and how its queries fare.
type system struct {
	plan    *plan
	facts   Examined // what its series look like
	remarks []string // what somebody must know of that
	filled  filled   // what is sent in every poll

	signals [collector.NumSignals]health
	age     [2]health    // of the age queries of the two sides
	newest  [2]time.Time // the newest sample of each side that was ever seen
	known   []collector.Target
	cover   coverage
}

// health is how one query fares when others are well.
type health struct {
	back    pace.Backoff
	due     time.Time // not sent before
	blocked bool      // not sent before somebody asks
	fail    *failure  // why, when it failed the last time
	hint    int       // series in the answer before
}

// jobs are the queries of a system that are due at a slot.
func (sys *system) jobs(at time.Time, rate time.Duration) (signals, ages []*job) {
	if sys.filled.rate != rate {
		sys.filled = sys.plan.fillFor(rate)
	}
	for _, sig := range sys.plan.Signals {
		if h := &sys.signals[sig]; !h.blocked && !h.due.After(at) {
			signals = append(signals, &job{system: sys, name: sig.String(), query: sys.filled.queries[sig], signal: sig, health: h})
		}
	}
	for side, query := range sys.filled.ages {
		if h := &sys.age[side]; query != "" && !h.blocked && !h.due.After(at) {
			ages = append(ages, &job{system: sys, name: "age", query: query, side: side, health: h})
		}
	}
	return signals, ages
}

// unblock lets everything be tried at the next slot.
func (sys *system) unblock() {
	for i := range sys.signals {
		sys.signals[i].blocked, sys.signals[i].due = false, time.Time{}
	}
	for i := range sys.age {
		sys.age[i].blocked, sys.age[i].due = false, time.Time{}
	}
}

// hasFailed reports whether the query of a signal failed the last time.
func (sys *system) hasFailed() bool {
	for _, sig := range sys.plan.Signals {
		if sys.signals[sig].fail != nil {
			return true
		}
	}
	return false
}

// sheet is an empty sheet for the system, with what failed marked.
func (sys *system) sheet() *sheet { return newSheet(sys.plan, len(sys.known)) }

// remember keeps the targets of a sheet, so that they can be shown as failed
// when nothing comes.
func (sys *system) remember(rows []collector.Row) {
	sys.known = sys.known[:0:0]
	for i := range rows {
		sys.known = append(sys.known, rows[i].Target)
	}
}

// assemble puts what read gives of each system into a reading.
func (s *Source) assemble(r *collector.Reading, read func(*system) measure.Part) {
	parts := make([]measure.Part, len(s.systems))
	for i, sys := range s.systems {
		parts[i] = read(sys)
	}
	s.edgeless = measure.Assemble(r, parts)
}

// ranged reports whether any of its queries asks for rates over the range of the
// rates.
func (s *system) ranged() bool {
	return slices.ContainsFunc(s.plan.queries[:], func(t template) bool { return strings.Contains(t.text, "$window") })
}
