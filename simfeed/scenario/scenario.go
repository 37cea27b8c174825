package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/chain"
)

// Scenario is what a file says: a chain, and how it is shown.
type Scenario struct {
	chain.Scenario
	// Loop begins the scenario again at its end, with another seed, when it is
	// watched; what was there before the start is then filled in.
	Loop bool
	// Baseline is the healthy fan-out of what is watched; 1 unless the file
	// says otherwise.
	Baseline float64
	// Blind are times at which nothing is measured, ordered.
	Blind []Span
	// Variants are the same scenario with other policies or another fault.
	Variants []Variant
	// Variant is the name of the one that this is; "" is the file as it stands.
	Variant string

	file chain.Scenario // as the file stands, of which variants are made
}

// Span is a time of the run, from its start.
type Span struct{ From, To time.Duration }

// Variant is a scenario with some fields changed.
type Variant struct {
	Name     string
	Title    string
	Set      []Setting      // made in this order
	Timeline []chain.Change // instead of the scenario's; nil keeps it
	Actions  []chain.Action // instead of those of the same names, or more of them
}

// Setting is a value for a field, by its path.
type Setting struct{ Field, Value string }

// IsBlind reports whether nothing is measured at a time.
func (s *Scenario) IsBlind(at time.Duration) bool {
	return slices.ContainsFunc(s.Blind, func(b Span) bool { return at > b.From && at <= b.To })
}

// FullName is "NAME", or "NAME:VARIANT".
func (s *Scenario) FullName() string {
	if s.Variant == "" {
		return s.Name
	}
	return s.Name + ":" + s.Variant
}

// VariantNames are the names of the variants, in the order of the file.
func (s *Scenario) VariantNames() []string {
	var out []string
	for _, v := range s.Variants {
		out = append(out, v.Name)
	}
	return out
}

// In is the scenario of the file as one of its variants.
func (s Scenario) In(name string) (Scenario, error) {
	for _, v := range s.Variants {
		if v.Name == name {
			return s.with(v)
		}
	}
	if len(s.Variants) == 0 {
		return Scenario{}, fmt.Errorf("scenario %s has no variants: leave %s out", s.Name, collector.Quote(":"+name))
	}
	return Scenario{}, fmt.Errorf("scenario %s has no variant %s%s: there are %s",
		s.Name, collector.Quote(name), usage.DidYouMean(name, s.VariantNames()), strings.Join(s.VariantNames(), ", "))
}

func (s Scenario) with(v Variant) (Scenario, error) {
	s.Scenario = s.file.Clone()
	s.Variant = v.Name
	for _, set := range v.Set {
		if err := s.Set(set.Field, set.Value); err != nil {
			return Scenario{}, fmt.Errorf("variants.%s: %w", v.Name, err)
		}
	}
	if v.Timeline != nil {
		s.Timeline = slices.Clone(v.Timeline)
	}
	for _, a := range v.Actions {
		i := slices.IndexFunc(s.Actions, func(b chain.Action) bool { return b.Name == a.Name })
		if i < 0 {
			i, s.Actions = len(s.Actions), append(s.Actions, a)
		}
		s.Actions[i] = a
	}
	if err := s.Validate(); err != nil {
		return Scenario{}, fmt.Errorf("variants.%s: %w", v.Name, err)
	}
	return s, nil
}
