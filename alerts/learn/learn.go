// Package learn finds the healthy fan-out of targets in a calm past: the median
// of attempts per request, refused where a rule would have fired by it.
package learn

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// MinPoints is how many readings with traffic a target needs for a median.
const MinPoints = 10

// Refusal is a target for which nothing was learned.
type Refusal struct {
	Target collector.Target
	Why    string // one sentence, with the target's name, cleaned
}

// Learn takes the baselines of targets from readings of a calm time, oldest
// first: for each target the median of attempts per request, readings that are
// idle, partial, not known or of too little traffic left out. from says in words
// what the readings are ("median of 1h, 1d before"); it becomes Baselines.From.
//
// The rules are then run over the same readings with what was learned. A target
// on which one of them fires is refused; where attempts beyond one are retries,
// also one on which it fires undivided: of a storm that lasts, the median is the
// storm. One with fewer than MinPoints points is refused as well. What is refused
// keeps the baseline that it had. The rest of the baselines is that
// of the newest reading's origin. The error says that nothing was learned at all.
func Learn(readings []*collector.Reading, rules []collector.RuleSpec, from string) (collector.Baselines, []Refusal, error) {
	origin := &collector.Origin{}
	if n := len(readings); n > 0 && readings[n-1].Origin != nil {
		origin = readings[n-1].Origin
	}
	return learn(readings, origin, rules, from)
}

func learn(readings []*collector.Reading, origin *collector.Origin, rules []collector.RuleSpec, from string) (collector.Baselines, []Refusal, error) {
	current := origin.Baselines
	if len(readings) == 0 {
		return current, nil, fmt.Errorf("learning baselines (%s): there is nothing in this span; choose one with data", from)
	}
	floor, ok := alerts.LeastTraffic(rules)
	if !ok {
		floor = alerts.DefaultMinTraffic
	}
	found := gather(readings, floor)
	candidate := withLearned(current, nil, from)
	var refused []Refusal
	for _, f := range found {
		if why := f.settle(); why != "" {
			refused = append(refused, Refusal{f.target, collector.Clean(f.target.Name) + ": " + why})
			continue
		}
		candidate.Learned[f.target.ID] = f.median
	}
	storms := fires(readings, rules, candidate)
	whole := fires(readings, rules, collector.Baselines{Number: 1})
	learned := map[string]float64{}
	for _, f := range found {
		if f.median == 0 {
			continue
		}
		if s, ok := storms[f.target.ID]; ok {
			refused = append(refused, Refusal{f.target, s.sentence(f.target, readings[len(readings)-1].At)})
			continue
		}
		if s, ok := whole[f.target.ID]; ok && countsRetries(origin.Of(f.target)) {
			refused = append(refused, Refusal{f.target, s.sentence(f.target, readings[len(readings)-1].At)})
			continue
		}
		learned[f.target.ID] = f.median
	}
	if len(learned) == 0 {
		return current, refused, nothing(from, refused)
	}
	return withLearned(current, learned, from), refused, nil
}

// countsRetries reports whether the attempts of a system beyond one a request
// are retries, so that a ratio above 1 is a storm and no way of working.
func countsRetries(s collector.System) bool {
	return s.Profile != "" && s.Trust != collector.Heuristic && s.Trust != collector.NoTrust
}

// nothing is the error that nothing was learned.
func nothing(from string, refused []Refusal) error {
	if len(refused) == 0 {
		return fmt.Errorf("learning baselines (%s): no target is in this span; choose one with data", from)
	}
	more := ""
	if n := len(refused) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more refused)", n)
	}
	return fmt.Errorf("learning baselines (%s): every target was refused: %s%s", from, refused[0].Why, more)
}

// withLearned are baselines with some that were learned; targets of which
// nothing was learned keep what they had.
func withLearned(b collector.Baselines, learned map[string]float64, from string) collector.Baselines {
	b.Learned = maps.Clone(b.Learned)
	if b.Learned == nil {
		b.Learned = map[string]float64{}
	}
	maps.Copy(b.Learned, learned)
	b.From = from
	return b
}

// points are the raw ratios of one target.
type points struct {
	target  collector.Target
	ratios  []float64
	sides   bool    // both sides of the ratio were there at some time
	traffic bool    // enough of it, at some time
	median  float64 // 0: none
}

// gather collects the ratios of all targets, in the order in which they appear.
func gather(readings []*collector.Reading, floor float64) []*points {
	var out []*points
	byID := map[string]*points{}
	for _, r := range readings {
		for i := range r.Targets {
			row := &r.Targets[i]
			p := byID[row.Target.ID]
			if p == nil {
				p = &points{target: row.Target}
				byID[row.Target.ID] = p
				out = append(out, p)
			}
			p.take(&row.Values, floor)
		}
	}
	return out
}

// take adds the ratio of one reading, where it is sound.
func (p *points) take(v *collector.Values, floor float64) {
	in, down := v[collector.Ingress], v[collector.Downstream]
	if !sound(in) || !sound(down) {
		return
	}
	p.sides = true
	if max(in.V, down.V) < floor || in.V <= 0 {
		return
	}
	p.traffic = true
	p.ratios = append(p.ratios, down.V/in.V)
}

func sound(v collector.Value) bool {
	return v.State == collector.Ok || v.State == collector.Stale
}

// settle takes the median, or says why there is none.
func (p *points) settle() (why string) {
	switch {
	case !p.sides:
		return "ingress and attempts are not both there in this span"
	case !p.traffic:
		return "there is too little traffic in this span"
	case len(p.ratios) < MinPoints:
		return fmt.Sprintf("only %d of the readings in this span have traffic, at least %d are needed; choose a longer one", len(p.ratios), MinPoints)
	}
	slices.Sort(p.ratios)
	m := median(p.ratios)
	if !(m > 0) || math.IsInf(m, 1) {
		return "no attempt follows its requests in this span"
	}
	if low := p.ratios[len(p.ratios)/10]; low*steady < m {
		return fmt.Sprintf("its ratio moves from %s to %s in this span; choose a calm one", ratio(low), ratio(p.ratios[len(p.ratios)-1]))
	}
	p.median = m
	return ""
}

// steady is how far below the median a tenth of the ratios may lie. The rules
// see only what is above the median: of a storm that fills most of a span, the
// median is the storm.
const steady = 1.5

func ratio(f float64) string { return collector.Num(f, collector.Ratio, collector.Exact).String() }

// median of at least one number, in ascending order.
func median(list []float64) float64 {
	n := len(list)
	if n%2 == 1 {
		return list[n/2]
	}
	return list[n/2-1] + (list[n/2]-list[n/2-1])/2
}

// day tells whether two instants are of the same day.
func day(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}
