package scenario

import (
	"slices"
	"strings"
	"time"

	"stormtop/simfeed/chain"
)

// tellAfter is how long after its trouble begins the story of a scenario is told:
// so long that a rule that waits a minute has had its time.
const tellAfter = 2 * time.Minute

// Told is the moment that a single reading should be of, and what it is in words:
// some time after the trouble begins, or its last second when that is earlier, and
// the end of a scenario without trouble of its own. It is 0 for one that loops,
// which is watched with what was before filled in.
func (s *Scenario) Told() (at time.Duration, words string) {
	if s.Loop {
		return 0, ""
	}
	from, to, ok := s.Trigger()
	switch {
	case !ok || from >= s.Length:
		return s.Length, "its end"
	case to > from && !s.staysOn() && to <= min(from+tellAfter, s.Length):
		return to, "the last second of its trouble"
	case from+tellAfter <= s.Length:
		return from + tellAfter, "two minutes after its trouble begins"
	}
	return s.Length, "its end"
}

// staysOn reports whether some of the trouble is for good.
func (s *Scenario) staysOn() bool {
	return slices.ContainsFunc(s.Timeline, func(c chain.Change) bool {
		return !c.Standing && !c.Operator && c.For == 0 && !strings.HasSuffix(c.Field, ".restart")
	})
}
