package recording

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"stormtop/collector"
)

// Ruling says by which rules was judged from an instant on.
type Ruling struct {
	At    time.Time // the last reading that was judged by the rules before
	Rules []collector.RuleSpec
}

// rulesLine is a ruling as it is written.
type rulesLine struct {
	Type  string     `json:"type"`
	At    time.Time  `json:"at"`
	Rules []ruleWire `json:"rules"`
}

func wireRules(list []collector.RuleSpec) []ruleWire {
	var out []ruleWire
	for i := range list {
		out = append(out, wireRule(&list[i]))
	}
	return out
}

func rulesOf(list []ruleWire) ([]collector.RuleSpec, error) {
	if len(list) > maxRules {
		return nil, fmt.Errorf("more than %d rules", maxRules)
	}
	var out []collector.RuleSpec
	for i := range list {
		r, err := list[i].rule()
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// Rules writes that other rules were put in force, behind the reading of an
// instant.
func (w *Writer) Rules(r Ruling) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(nil)
	w.object(rulesLine{"rules", r.At.UTC().Round(0), wireRules(r.Rules)})
	return w.err
}

// era are the readings from one on that were judged by the same rules.
type era struct {
	from  int
	rules []collector.RuleSpec
}

// rule begins an era. What follows from a ruling may already have been written
// before it: readings are written as they come, and judged a moment later.
func (r *Recording) rule(n Ruling) {
	from := len(r.frames)
	least := 0
	if len(r.eras) > 0 {
		least = r.eras[len(r.eras)-1].from
	}
	for !n.At.IsZero() && from > least && r.frames[from-1].at.After(n.At) {
		if from--; r.frames[from].begins {
			break // what is before it is of another time
		}
	}
	if now := r.RulesAt(from); !slices.EqualFunc(now, n.Rules, sameRule) {
		r.eras = append(r.eras, era{from, n.Rules})
	}
}

// Rulings are all rules by which something was judged, in their order. They are
// not to be changed.
func (r *Recording) Rulings() [][]collector.RuleSpec {
	out := [][]collector.RuleSpec{r.Header.Rules}
	for _, e := range r.eras {
		out = append(out, e.rules)
	}
	return out
}

// RulesAt are the rules by which reading i was judged: those of the header, until
// others were put in force. They are not to be changed.
func (r *Recording) RulesAt(i int) []collector.RuleSpec {
	n := sort.Search(len(r.eras), func(k int) bool { return r.eras[k].from > i })
	if n == 0 {
		return r.Header.Rules
	}
	return r.eras[n-1].rules
}
