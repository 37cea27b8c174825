package chain

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
)

// restartField is the field by which a service is restarted. It has no value
// of its own and can only be changed.
const restartField = ".restart"

// RestartOf is the change that restarts a service.
func RestartOf(service string) Change {
	return Change{Field: "services." + service + restartField, Value: "now", Note: "restart of " + service}
}

// restarts is the service that a change restarts, or "".
func (c *Change) restarts() string {
	name, ok := strings.CutPrefix(c.Field, "services.")
	name, ok2 := strings.CutSuffix(name, restartField)
	if ok && ok2 && !strings.Contains(name, ".") {
		return name
	}
	return ""
}

// Check says what is wrong with a change to the scenario (a *FieldError), or
// returns nil.
func (s *Scenario) Check(c Change) error {
	switch {
	case c.At < 0 || c.At > MaxLength:
		return bad(c.Field, "changes at %v: a change is between 0s and %s", c.At, collector.FormatInterval(MaxLength))
	case c.For < 0 || c.For > MaxLength || c.Over < 0 || c.Over > MaxLength:
		return bad(c.Field, "changes for %v over %v: both are between 0s and %s", c.For, c.Over, collector.FormatInterval(MaxLength))
	case c.For > 0 && c.Over > c.For:
		return bad(c.Field, "changes over %v but only for %v: it would never get there", c.Over, c.For)
	}
	if service := c.restarts(); service != "" {
		if !slices.Contains(s.serviceNames(), service) {
			return unknown(c.Field, "service", service, s.serviceNames())
		}
		if c.Value != "now" {
			return bad(c.Field, "%s: a restart has the value now", collector.Quote(c.Value))
		}
		return nil
	}
	trial := s.Clone()
	target, err := trial.target(c)
	if err != nil {
		return err
	}
	slots, err := trial.find(c.Field)
	if err != nil {
		return err
	}
	for _, slot := range slots {
		if err := slot.set(target); err != nil {
			return bad(slot.info.Name, "%v", err)
		}
		if _, ok := slot.float(); c.Over > 0 && !ok {
			return bad(c.Field, "is no number: it changes at once, without over")
		}
	}
	trial.Timeline, trial.Actions = nil, nil
	if err := trial.validate(slots); err != nil { // all other fields are as they were
		var first *FieldError
		if errors.As(err, &first) {
			return first
		}
		return err
	}
	switch kind, _, _ := strings.Cut(c.Field, "."); {
	case strings.HasSuffix(c.Field, ".path"), kind == "length", kind == "every", kind == "watch", kind == "judge":
		return bad(c.Field, "cannot change during a run")
	}
	return nil
}

// target is the value that a change leads to: "x5" multiplies the number that
// is there.
func (s *Scenario) target(c Change) (string, error) {
	digits, times := strings.CutPrefix(c.Value, "x")
	factor, err := strconv.ParseFloat(digits, 64)
	if !times || err != nil {
		return c.Value, nil
	}
	if !(factor >= 0 && factor <= 1e6) {
		return "", bad(c.Field, "%s: a factor is from x0 to x1e6", collector.Quote(c.Value))
	}
	slots, err := s.find(c.Field)
	if err != nil {
		return "", err
	}
	n, ok := slots[0].float()
	if !ok {
		return "", bad(c.Field, "%s multiplies a number, which it is not: write the value itself", collector.Quote(c.Value))
	}
	if !slots[0].setNum(n * factor) {
		return "", bad(c.Field, "is no number")
	}
	text := slots[0].get()
	slots[0].setNum(n)
	return text, nil
}

// checkChanges checks the timeline and the actions, each change against the
// scenario as those before it left it.
func (s *Scenario) checkChanges() []error {
	var all []error
	if len(s.Timeline) > MaxChanges {
		return []error{bad("timeline", "has %d changes: at most %d", len(s.Timeline), MaxChanges)}
	}
	at := func(list string, i int, err error) {
		all = append(all, fmt.Errorf("%s[%d]: %w", list, i, err))
	}
	base := *s
	base.Timeline, base.Actions = nil, nil // each check copies what it tries
	now := base.Clone()
	order := make([]int, len(s.Timeline))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(s.Timeline[a].At - s.Timeline[b].At) })
	for _, i := range order {
		if err := now.try(s.Timeline[i]); err != nil {
			at("timeline", i, err)
		} else if s.Timeline[i].At > s.Length {
			at("timeline", i, bad(s.Timeline[i].Field, "changes at %v, after the end of the run at %v", s.Timeline[i].At, s.Length))
		}
	}
	for i, a := range s.Actions {
		if err := checkName(fmt.Sprintf("actions[%d].name", i), a.Name); err != nil {
			all = append(all, err)
		}
		for j, c := range a.Changes {
			if err := base.Check(c); err != nil {
				at("actions."+a.Name, j, err)
			}
		}
	}
	return all
}

// try makes a change to the scenario, when it is possible.
func (s *Scenario) try(c Change) error {
	if err := s.Check(c); err != nil {
		return err
	}
	if c.restarts() != "" || c.For > 0 {
		return nil
	}
	target, err := s.target(c)
	if err != nil {
		return err
	}
	slots, err := s.find(c.Field)
	if err != nil {
		return err
	}
	for _, slot := range slots { // it was set in a copy already: no other is needed
		if err := slot.set(target); err != nil {
			return bad(slot.info.Name, "%v", err)
		}
	}
	return nil
}

// Play is the scenario with actions on its timeline, at their times: those
// named, or without a name all that are not wrong.
func (s *Scenario) Play(actions ...string) (Scenario, error) {
	out := s.Clone()
	for _, name := range actions {
		if !slices.ContainsFunc(s.Actions, func(a Action) bool { return a.Name == name }) {
			return Scenario{}, unknown("actions", "action", name, names(s.Actions, func(a *Action) string { return a.Name }))
		}
	}
	for _, a := range s.Actions {
		if len(actions) == 0 && a.Wrong || len(actions) > 0 && !slices.Contains(actions, a.Name) {
			continue
		}
		for _, c := range a.Changes {
			c.At, c.Operator = c.At+a.At, true
			if c.Note == "" {
				c.Note = a.Title
			}
			out.Timeline = append(out.Timeline, c)
		}
	}
	return out, nil
}

// Calm is the scenario without its trigger: of the timeline only what is
// Standing remains. A run of it is the control.
func (s *Scenario) Calm() Scenario {
	out := s.Clone()
	out.Timeline = slices.DeleteFunc(out.Timeline, func(c Change) bool { return !c.Standing })
	return out
}

// Trigger is when the faults of the timeline begin and when the last of them
// ends: neither what is standing nor what an operator did counts. ok is false
// when there are none. A change for good ends at once, or when it has gone all
// the way: what it leaves behind stays on, and a run can recover from it but is not
// judged metastable. A restart ends
// when the service is warm again.
func (s *Scenario) Trigger() (from, to time.Duration, ok bool) {
	for _, c := range s.Timeline {
		if c.Standing || c.Operator {
			continue
		}
		if !ok || c.At < from {
			from = c.At
		}
		to = max(to, c.At+c.For, c.At+c.Over)
		if i := slices.Index(s.serviceNames(), c.restarts()); i >= 0 {
			r := s.Services[i].Restart
			to = max(to, c.At+r.Down+r.Cold)
		}
		ok = true
	}
	return from, to, ok
}
