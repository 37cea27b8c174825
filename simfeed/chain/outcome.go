package chain

// Outcome is the verdict on the windows of a run that somebody steered while it
// ran. What was changed by hand is in steered, the manual changes in their order:
// it is what an operator did about the trigger, and no part of it. There was no
// control run, so that it never says of a triggered run that it would have been
// unstable without its trigger.
func (s *Scenario) Outcome(windows []Window, steered []Applied) (Verdict, Judged) {
	with := s.Clone()
	for _, a := range steered {
		c := Change{At: a.At, Field: a.Field, Value: a.To, Note: a.Note, Operator: true}
		if c.restarts() != "" {
			c.Value = "now"
		}
		with.Timeline = append(with.Timeline, c)
	}
	return with.judge(windows, nil)
}
