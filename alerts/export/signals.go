package export

import (
	"fmt"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/rulefile"
)

// system makes the recording rules of one system.
type system struct {
	*collector.Expressions
	names     namer
	baselines collector.Baselines
	fanouts   []Fanout
	has       [collector.NumSignals]bool // recorded so far
	rules     []rulefile.Rule
}

// record makes the recording rule of a signal and those that it needs. ok is
// false where the system does not have it.
func (s *system) record(sig collector.Signal) (ok bool) {
	if s.has[sig] {
		return true
	}
	before, had := len(s.rules), s.has
	defer func() {
		if !ok { // what it needed and nobody else does
			s.rules, s.has = s.rules[:before], had
		}
	}()
	expr := ""
	switch {
	case s.Queries[sig] != "":
		expr = s.Queries[sig]
	case sig == collector.Downstream && s.Has(sig):
		if !s.record(collector.Ingress) || !s.record(collector.Retries) {
			return false
		}
		expr = s.name(collector.Ingress) + " + " + on(s.Expressions) + s.filled(collector.Retries)
	default:
		if expr, ok = s.derived(sig); !ok {
			return false
		}
	}
	s.has[sig] = true
	s.rules = append(s.rules, rulefile.Rule{Record: s.name(sig), Expr: strings.TrimSpace(expr)})
	return true
}

func (s *system) name(sig collector.Signal) string { return s.names.of(sig) }

// filled is a signal, 0 on targets that have ingress where it is absent and that
// means 0.
func (s *system) filled(sig collector.Signal) string {
	if !s.Fills(sig) || sig == collector.Ingress || !s.record(collector.Ingress) {
		return s.name(sig)
	}
	return "(" + s.name(sig) + " or " + on(s.Expressions) + "0 * " + s.name(collector.Ingress) + ")"
}

// derived is the formula of a signal that follows from others.
func (s *system) derived(sig collector.Signal) (string, bool) {
	by := on(s.Expressions)
	ratio := func(num, den collector.Signal) (string, bool) {
		if !s.record(num) || !s.record(den) {
			return "", false
		}
		return s.filled(num) + " / " + by + s.filled(den), true
	}
	switch sig {
	case collector.Amplification:
		expr, ok := ratio(collector.Downstream, collector.Ingress)
		if fanout := s.fanout(); ok && fanout != "" {
			expr += " / " + fanout
		}
		return expr, ok
	case collector.RetryRate:
		if s.Has(collector.Retries) {
			return ratio(collector.Retries, collector.Downstream)
		}
		if !s.record(collector.Ingress) || !s.record(collector.Downstream) {
			return "", false
		}
		in, down := s.name(collector.Ingress), s.filled(collector.Downstream)
		if fanout := s.fanout(); fanout != "" {
			in = "(" + in + " * " + fanout + ")"
		}
		return fmt.Sprintf("clamp_min(%s - %s%s, 0) / %s%s", down, by, in, by, down), true
	case collector.RescuedShare:
		return ratio(collector.Rescued, collector.Successes)
	case collector.Delivered:
		return ratio(collector.Successes, collector.Ingress)
	}
	return "", false
}

// fanout is the healthy fan-out as an operand: a number, or for each target its
// own; "" where it is 1.
func (s *system) fanout() string {
	number := number(s.baselines.For(collector.Target{}))
	if len(s.fanouts) == 0 {
		if number == "1" {
			return ""
		}
		return number
	}
	by := on(s.Expressions)
	return fmt.Sprintf("%s(%s or %s%s + 0 * %s)", by, s.names.baseline(), by, number, s.name(collector.Ingress))
}

// constants are recording rules of the healthy fan-outs of single targets.
func (s *system) constants() []rulefile.Rule {
	var out []rulefile.Rule
	for _, f := range s.fanouts {
		r := rulefile.Rule{Record: s.names.baseline(), Expr: "vector(" + number(f.Number) + ")"}
		for _, l := range f.Target.Labels {
			r.Labels = append(r.Labels, rulefile.Pair{Name: l.Name, Value: l.Value})
		}
		out = append(out, r)
	}
	return out
}

// Fanout is the healthy fan-out of one target.
type Fanout struct {
	Target collector.Target
	Number float64
}

// fanoutsOf are those of the targets of a system that differ from the number for all.
func fanoutsOf(list []Fanout, x *collector.Expressions, all float64) []Fanout {
	var out []Fanout
	for _, f := range list {
		if f.Target.System == x.Profile && f.Number > 0 && f.Number != all && len(x.By) > 0 && len(f.Target.Labels) > 0 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b Fanout) int { return strings.Compare(a.Target.ID, b.Target.ID) })
	return out
}
