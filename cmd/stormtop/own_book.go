package main

import (
	"strings"
	"sync"

	"stormtop/alerts/tune"
	"stormtop/collector"
	"stormtop/collector/prom"
)

// ownBook holds people's own rules that a screen shows, with the numbers that
// were put in force on it. It may be used from several goroutines.
type ownBook struct {
	mu    sync.Mutex
	read  map[string]collector.OwnRule  // as they were read, by id
	force map[string]collector.RuleSpec // numbers that were put in force, by id
	news  []string                      // ids of those that changed since take
	kick  chan struct{}                 // says that there are news
}

func newOwnBook() *ownBook {
	return &ownBook{read: map[string]collector.OwnRule{}, force: map[string]collector.RuleSpec{}, kick: make(chan struct{}, 1)}
}

// ownID is what a rule is known by as long as the program runs.
func ownID(r *collector.OwnRule) string {
	return strings.Join([]string{r.From, r.Group, r.Name, r.Severity, r.Expr}, "\x00")
}

// enter notes a rule as it was read, and returns its id and the rule with the
// numbers in force; off says that it was switched off.
func (b *ownBook) enter(r collector.OwnRule) (id string, is collector.OwnRule, off bool) {
	id = ownID(&r)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read[id] = r
	to, changed := b.force[id]
	if !changed {
		return id, r, false
	}
	r.For, r.Keep = to.For, to.KeepFiring
	if r.Tunable {
		r.Threshold = to.Threshold
	}
	return id, r, to.Off
}

// of is a rule as it was read.
func (b *ownBook) of(id string) (collector.OwnRule, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, ok := b.read[id]
	return r, ok
}

// put puts numbers in force.
func (b *ownBook) put(id string, to collector.RuleSpec) {
	b.mu.Lock()
	b.force[id] = to
	b.news = append(b.news, id)
	b.mu.Unlock()
	select {
	case b.kick <- struct{}{}:
	default:
	}
}

// take are the rules that changed since the last call.
func (b *ownBook) take() []collector.OwnRule {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []collector.OwnRule
	for _, id := range b.news {
		if r, ok := b.read[id]; ok {
			out = append(out, r)
		}
	}
	b.news = nil
	return out
}

// ownHistory is what an own rule saw, for a back-test.
func ownHistory(rule *collector.OwnRule, got *prom.Ranged) *tune.History {
	p := &ownPast{}
	p.add(got)
	return tune.Own(rule, p.at, p.courses)
}
