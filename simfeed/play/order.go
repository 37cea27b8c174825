package play

import (
	"strings"
	"time"

	"stormtop/simfeed/chain"
)

// order is something that somebody asked for while it ran: a change, or an
// action by its name.
type order struct {
	changes []chain.Change
	action  string
}

func (o order) apply(e *chain.Engine) error {
	if o.action != "" {
		return e.Do(o.action)
	}
	for _, c := range o.changes {
		if err := e.Apply(c); err != nil {
			return err
		}
	}
	return nil
}

// replaces reports whether an order makes an earlier one pointless: it sets all
// that the earlier one has set.
func (o order) replaces(earlier order) bool {
	return o.action == "" && earlier.action == "" && len(earlier.changes) <= len(o.changes) && o.field() == earlier.field()
}

// acting is a scenario after what an action does at once; an error says why it
// cannot be done. What multiplies a number, a restart, and what follows later is
// seen when the engine has done it.
func acting(s *chain.Scenario, name string) (chain.Scenario, error) {
	if _, err := s.Play(name); err != nil {
		return chain.Scenario{}, err
	}
	after, trial := s.Clone(), s.Clone()
	for _, a := range s.Actions {
		if a.Name != name {
			continue
		}
		for _, c := range a.Changes {
			if err := trial.Check(c); err != nil {
				return chain.Scenario{}, err
			}
			if c.For == 0 {
				put(&trial, c)
			}
			if c.At == 0 {
				put(&after, c)
			}
		}
	}
	return after, nil
}

// put sets a field where the change has a value.
func put(s *chain.Scenario, c chain.Change) {
	if s.Set(c.Field, c.Value) != nil {
		return // a restart, or a factor: it has no value to keep
	}
}

// starting is how long a wait begins with when somebody switches on a backoff
// that has no base.
const starting = 100 * time.Millisecond

// turned are the changes that setting a lever makes, its own the last. A backoff
// without a base would still not wait, so it gets one.
func turned(s *chain.Scenario, field, value string) []chain.Change {
	var out []chain.Change
	if edge, ok := strings.CutSuffix(field, ".backoff.kind"); ok && value != "none" {
		if base, err := s.Get(edge + ".backoff.base"); err == nil && base == "0s" {
			out = append(out, chain.Change{Field: edge + ".backoff.base", Value: starting.String()})
		}
	}
	return append(out, chain.Change{Field: field, Value: value})
}

// field is the one that an order of changes is about.
func (o order) field() string { return o.changes[len(o.changes)-1].Field }

// restarts reports whether the order is a restart of a service, which is over
// when it was done.
func (o order) restarts() bool {
	return o.action == "" && strings.HasSuffix(o.field(), ".restart")
}
