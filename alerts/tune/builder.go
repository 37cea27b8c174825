package tune

import (
	"math"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// Builder makes histories of readings, one for each rule. It judges as an
// alerts.Engine would, as far as the rule is not what is tuned.
type Builder struct {
	rules   []collector.RuleSpec
	sampler *alerts.Sampler
	at      []int64
	targets []*seen
	byID    map[string]int
	order   []int // the targets of the last reading's rows, in its order
	rate    time.Duration
}

// seen is one target and what each rule saw of it.
type seen struct {
	target  collector.Target
	sees    []bool
	samples [][]alerts.Sample // by rule
	row     *collector.Row    // in the reading at hand
}

// NewBuilder makes a builder for rules. Those made of two others have no samples
// of their own: Pair puts their histories together.
func NewBuilder(rules []collector.RuleSpec) *Builder {
	b := &Builder{rules: rules}
	b.begin()
	return b
}

func (b *Builder) begin() {
	on := make([]collector.RuleSpec, len(b.rules))
	for i, r := range b.rules {
		on[i] = r
		on[i].Off = false // a rule that is off can be tuned, too
	}
	b.sampler = alerts.NewSampler(on)
	b.at, b.targets, b.byID, b.order = nil, nil, map[string]int{}, nil
}

// Add takes a reading. One that begins anew (Reading.Begins) replaces what was
// read before; one that is not later than the one before is ignored.
func (b *Builder) Add(r *collector.Reading) {
	if r == nil {
		return
	}
	if r.Begins && len(b.at) > 0 {
		b.begin()
	}
	if !b.sampler.Read(r) {
		return
	}
	if r.Origin != nil {
		b.rate = r.Origin.RateRange
	}
	b.at = append(b.at, r.At.UnixNano())
	for _, t := range b.targets {
		t.row = nil
	}
	b.note(0, &r.Total)
	for i := range r.Targets {
		b.note(i+1, &r.Targets[i])
	}
	for _, t := range b.targets {
		b.sample(t)
	}
}

// note finds the target of a row, which mostly keeps its place.
func (b *Builder) note(place int, row *collector.Row) {
	id := row.Target.ID
	if place == 0 {
		id = collector.TotalID
	}
	if place < len(b.order) && b.targets[b.order[place]].target.ID == id {
		b.take(b.order[place], row)
		return
	}
	i, ok := b.byID[id]
	if !ok {
		i = len(b.targets)
		b.byID[id] = i
		b.targets = append(b.targets, b.newSeen(place, row))
	}
	if place < len(b.order) {
		b.order[place] = i
	} else if place == len(b.order) {
		b.order = append(b.order, i)
	}
	b.take(i, row)
}

func (b *Builder) take(i int, row *collector.Row) {
	if t := b.targets[i]; t.row == nil { // the second row of a target does not count
		t.row = row
	}
}

func (b *Builder) newSeen(place int, row *collector.Row) *seen {
	t := &seen{target: row.Target, sees: make([]bool, len(b.rules)), samples: make([][]alerts.Sample, len(b.rules))}
	if place == 0 {
		t.target.ID = collector.TotalID
		if t.target.Name == "" {
			t.target.Name = "total"
		}
	}
	for i := range b.rules {
		if t.sees[i] = b.sampler.Sees(i, &t.target); !t.sees[i] {
			continue
		}
		t.samples[i] = make([]alerts.Sample, len(b.at)-1, max(2*len(b.at), 64))
		for k := range t.samples[i] {
			t.samples[i][k] = alerts.Sample{Value: math.NaN(), Traffic: math.Inf(1), Why: alerts.WhyNoData}
		}
	}
	return t
}

func (b *Builder) sample(t *seen) {
	for i := range b.rules {
		if t.sees[i] {
			t.samples[i] = append(t.samples[i], b.sampler.Sample(i, &t.target, t.row))
		}
	}
}

// History is what rule i, in the order of NewBuilder, saw so far: all targets
// that it looks at. It shares nothing that changes.
func (b *Builder) History(i int) *History {
	h := &History{RateRange: b.rate}
	at := b.at[:len(b.at):len(b.at)]
	for _, t := range b.targets {
		if t.sees[i] {
			h.Courses = append(h.Courses, Course{Target: t.target, at: at, samples: t.samples[i][:len(at):len(at)]})
		}
	}
	return h
}

// Step is the usual time between two readings, 0 where there are fewer than two.
func (b *Builder) Step() time.Duration { return usualStep(b.at) }

// Len is the number of readings that were taken.
func (b *Builder) Len() int { return len(b.at) }
