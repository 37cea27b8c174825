package play

import (
	"fmt"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// longest is how long a run may be that is judged at its end: of each second
// something is kept until then.
const longest = 2 * time.Hour

// judging is what is kept of a run, to judge it at its end.
type judging struct {
	windows []chain.Window
	steered []chain.Applied
}

// add takes a second of a scenario.
func (j *judging) add(w *chain.Window, s *chain.Scenario) {
	if s.Length > longest {
		return
	}
	j.windows = append(j.windows, chain.Window{Start: w.Start, End: w.End, Classes: w.Classes})
	for _, a := range w.Changes {
		if a.Manual {
			j.steered = append(j.steered, a)
		}
	}
}

// outcome is what became of the run in words; "" where that cannot be said: what
// somebody broke by hand in a scenario without a trigger has no verdict.
func (j *judging) outcome(s *chain.Scenario) string {
	if _, _, triggered := s.Trigger(); len(j.windows) == 0 || !triggered && len(j.steered) > 0 {
		return ""
	}
	r := chain.Result{Scenario: *s, Windows: j.windows}
	r.Verdict, r.Judged = s.Outcome(j.windows, j.steered)
	return Outcome(&r)
}

// Outcome is the verdict on a run in words.
func Outcome(r *chain.Result) string {
	j := &r.Judged
	outside := collector.FormatDuration(time.Duration(j.OutsideFor) * r.Scenario.Every)
	trigger := fmt.Sprintf("the trigger (%s to %s)", collector.FormatInterval(j.From), collector.FormatInterval(j.To))
	switch r.Verdict {
	case chain.NoTrigger:
		if !asked(r) {
			return "no trigger: no fault on its timeline, and no request came"
		}
		return "no trigger: no fault on its timeline, and it stayed as it began"
	case chain.Recovered:
		if j.RecoveredAt <= j.To {
			return "recovered as soon as " + trigger + " was over"
		}
		return fmt.Sprintf("recovered %s after %s", collector.FormatInterval(j.RecoveredAt-j.To), trigger)
	case chain.Metastable:
		return fmt.Sprintf("metastable: outside its baseline for the last %s, long after %s", outside, trigger)
	case chain.UnstableWithout:
		if j.To == 0 {
			return "unstable without a trigger: it left its baseline at " + collector.FormatInterval(j.ControlFailed)
		}
		return fmt.Sprintf("unstable without a trigger: the control run left its baseline at %s", collector.FormatInterval(j.ControlFailed))
	}
	switch {
	case !asked(r):
		return "not judged: no request came"
	case len(j.TriggerOn) > 0:
		return fmt.Sprintf("not judged: outside its baseline for the last %s, but its trigger is still on (%s)", outside, listed(j.TriggerOn))
	case len(j.OperatorOn) > 0:
		return fmt.Sprintf("not judged: outside its baseline for the last %s, but what an operator changed is still on (%s)", outside, listed(j.OperatorOn))
	}
	return "not judged: the run ends too soon after its trigger, or nothing was there before it"
}

// asked reports whether any request came.
func asked(r *chain.Result) bool {
	return slices.ContainsFunc(r.Windows, func(w chain.Window) bool {
		return slices.ContainsFunc(w.Classes, func(c chain.ClassWindow) bool { return c.Requests > 0 })
	})
}

// listed is the first of some fields, and how many more there are.
func listed(fields []string) string {
	if more := len(fields) - 1; more > 0 {
		return fmt.Sprintf("%s and %d more", fields[0], more)
	}
	return fields[0]
}
