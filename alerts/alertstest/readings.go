package alertstest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/collector"
)

// Start is the instant of the first reading unless a test says otherwise.
var Start = time.Date(2031, 5, 6, 12, 0, 0, 0, time.UTC)

// Input is the text of readings and when they come.
type Input struct {
	Start     time.Time          // zero: Start
	Step      time.Duration      // time between readings; zero: 15 s
	RateRange time.Duration      // Origin.RateRange
	Baseline  float64            // healthy fan-out; zero: 1
	Past      bool               // the readings were filled in
	Systems   []collector.System // Origin.Systems; nil: those that the targets name, exact hops
}

// Readings makes readings of lines "TARGET SIGNAL SERIES". The target "total"
// is the total, which is otherwise the sum; a target "edge:NAME" is an edge,
// and "NAME@SYSTEM" is a target of a system.
//
// A line "reporters SIDE" or "reporters@SYSTEM SIDE" says how many of the usual
// reporters a side (ingress, downstream) contains: "40/40x4 32/40x2". Of a side
// that is short of them all numbers are partial, as a source has it.
//
// The line "reading" followed by dots and exclamation marks makes whole
// readings fail. Derived signals follow from the inputs. At an instant at which
// all series of a target have no sample, the target is not in the reading. Short
// series go on with no sample.
func (in Input) Readings(text string) ([]*collector.Reading, error) {
	set, err := parse(text)
	if err != nil {
		return nil, err
	}
	if in.Start.IsZero() {
		in.Start = Start
	}
	if in.Step <= 0 {
		in.Step = 15 * time.Second
	}
	if in.Systems == nil {
		in.Systems = set.systems()
	}
	origin := &collector.Origin{
		Source: "test", Profile: profiles(in.Systems), Systems: in.Systems, Interval: in.Step, RateRange: in.RateRange,
		Baselines: collector.Baselines{Number: max(in.Baseline, 1)},
	}
	out := make([]*collector.Reading, set.length)
	for i := range out {
		out[i] = &collector.Reading{At: in.Start.Add(time.Duration(i) * in.Step), Origin: origin, Past: in.Past}
		set.fill(out[i], i, in.Baseline)
	}
	return out, nil
}

type series struct {
	target collector.Target
	values map[collector.Signal][]collector.Value
}

type lines struct {
	targets []*series // sorted as in a reading
	total   *series   // nil: the sum
	fails   []bool
	sides   []side
	length  int
}

func parse(text string) (*lines, error) {
	set, byID := &lines{}, map[string]*series{}
	for n, line := range strings.Split(text, "\n") {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		if name == "reading" {
			for _, word := range strings.Fields(rest) {
				set.fails = append(set.fails, word == "!")
			}
			set.length = max(set.length, len(set.fails))
			continue
		}
		word, samples, _ := strings.Cut(strings.TrimSpace(rest), " ")
		sig, err := collector.ParseSignal(word)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		if name, system, _ := strings.Cut(name, "@"); name == "reporters" {
			one, err := parseSide(system, sig, samples)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
			set.sides = append(set.sides, one)
			continue
		}
		values, err := Series(sig, samples)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		s := set.series(name, byID)
		s.values[sig] = values
		set.length = max(set.length, len(values))
	}
	return set, nil
}

func (l *lines) series(name string, byID map[string]*series) *series {
	if s := byID[name]; s != nil {
		return s
	}
	s := &series{values: map[collector.Signal][]collector.Value{}, target: Target(name)}
	byID[name] = s
	if name == "total" {
		l.total = s
		return s
	}
	l.targets = append(l.targets, s)
	slices.SortFunc(l.targets, func(a, b *series) int {
		return cmp.Or(strings.Compare(a.target.Name, b.target.Name), strings.Compare(a.target.ID, b.target.ID))
	})
	return s
}

// Target is the target that a name in a line stands for.
func Target(name string) collector.Target {
	if name == "total" {
		return collector.Target{ID: collector.TotalID, Name: "total"}
	}
	kind := collector.Hop
	if rest, edge := strings.CutPrefix(name, "edge:"); edge {
		name, kind = rest, collector.Edge
	}
	name, system, _ := strings.Cut(name, "@")
	return collector.NewTarget(kind, collector.Label{Name: "service", Value: name}).In(system)
}

// fill puts instant i into a reading.
func (l *lines) fill(r *collector.Reading, i int, baseline float64) {
	r.Total.Target = Target("total")
	if i < len(l.fails) && l.fails[i] {
		r.Failures = []collector.Failure{{Kind: collector.Unreachable, Text: "no answer"}}
		for s := range r.Total.Values {
			r.Total.Values[s] = collector.Value{State: collector.Failed, Unit: collector.Signal(s).Unit()}
		}
		return
	}
	for _, side := range l.sides {
		if rep, ok := side.at(i); ok {
			r.Reporters = append(r.Reporters, rep)
		}
	}
	for _, t := range l.targets {
		v, there := t.at(i)
		if !there {
			continue
		}
		shorten(&v, t.target.System, r.Reporters)
		v.Derive(baseline)
		r.Targets = append(r.Targets, collector.Row{Target: t.target, Values: v, Baseline: baseline})
	}
	for _, system := range l.names() {
		for _, sig := range collector.Signals() {
			if l.failedAll(system, sig, i) {
				r.Failures = append(r.Failures, collector.Failure{Signal: sig, System: system, Kind: collector.TimedOut, Text: "query timed out"})
			}
		}
	}
	if l.total != nil {
		r.Total.Values, _ = l.total.at(i)
		r.Total.Values.Derive(baseline)
	} else {
		r.Total = collector.Total(r.Targets)
	}
}

func (s *series) at(i int) (v collector.Values, there bool) {
	for sig, values := range s.values {
		v[sig].Unit = sig.Unit()
		if i < len(values) {
			v[sig] = values[i]
			there = there || values[i].State != collector.Missing
		}
	}
	return v, there
}

// failedAll reports whether the query of a signal failed for every target of a
// system.
func (l *lines) failedAll(system string, sig collector.Signal, i int) bool {
	n := 0
	for _, t := range l.targets {
		values, ok := t.values[sig]
		if !ok || t.target.System != system {
			continue
		}
		if i >= len(values) || values[i].State != collector.Failed {
			return false
		}
		n++
	}
	return n > 0
}
