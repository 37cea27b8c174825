package export

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/collector/promql"
	"stormtop/collector/rulefile"
)

// alert is a rule as an alert over the recording rules. ok is false where the
// system does not have its signal.
func (s *system) alert(r *collector.RuleSpec, prefix string) (out rulefile.Rule, ok bool) {
	if !s.record(r.Signal) {
		return out, false
	}
	value, floor := s.selected(r.Signal, r), s.floor(r)
	if r.Scope == collector.ScopeTotal {
		if value, ok = s.total(r.Signal); !ok {
			return out, false
		}
	}
	expr := value + " " + r.Compare.String() + " " + number(r.Threshold)
	if floor != "" {
		clause := on(s.Expressions)
		if r.Scope == collector.ScopeTotal {
			clause = "on () "
		}
		expr += " and " + clause + "(" + floor + ")"
	}
	return rulefile.Rule{
		Alert: prefix + r.Name, Expr: expr, For: r.For, Keep: r.KeepFiring,
		Labels: s.labels(r.Severity), Annotations: s.annotations(r),
	}, true
}

// floor is the condition of the minimum traffic; "" where none applies.
func (s *system) floor(r *collector.RuleSpec) string {
	if r.MinTraffic <= 0 {
		return ""
	}
	sides := []collector.Signal{collector.Ingress, collector.Downstream}
	if r.Signal == collector.RetryRate {
		sides = sides[1:]
	}
	var parts []string
	for _, side := range sides {
		if !s.record(side) {
			continue
		}
		rate := s.name(side)
		if r.Scope == collector.ScopeTotal {
			rate = "sum(" + rate + ")"
		}
		parts = append(parts, rate+" >= "+number(r.MinTraffic))
	}
	return strings.Join(parts, " or ")
}

// selected is a recording rule, narrowed down to the labels that a rule asks for.
func (s *system) selected(sig collector.Signal, r *collector.RuleSpec) string {
	return s.name(sig) + matchers(r.Select)
}

func matchers(list map[string]*regexp.Regexp) string {
	if len(list) == 0 {
		return ""
	}
	var out []string
	for name, re := range list {
		if re != nil {
			out = append(out, promql.By([]string{name})+"=~"+strconv.Quote(re.String()))
		}
	}
	slices.Sort(out)
	return "{" + strings.Join(out, ",") + "}"
}

// total is a signal over all targets: ratios are of the sums.
func (s *system) total(sig collector.Signal) (string, bool) {
	sum := func(sig collector.Signal) (string, bool) { return "sum(" + s.name(sig) + ")", s.record(sig) }
	num, den, quotient := sig.Sides()
	switch {
	case sig == collector.PoolWait:
		return "max(" + s.name(sig) + ")", s.record(sig)
	case !quotient:
		return sum(sig)
	}
	n, okN := sum(num)
	d, okD := sum(den)
	if sig == collector.Amplification {
		if fanout := s.fanout(); fanout != "" {
			d = "sum(" + s.name(den) + " * " + fanout + ")"
		}
	}
	return n + " / " + d, okN && okD
}

// pair is a rule that fires while two others fire on the same target.
func (s *system) pair(r *collector.RuleSpec, prefix string) rulefile.Rule {
	part := func(name string) string {
		by := "by (" + promql.By(s.By) + ") "
		if s.By == nil {
			by = "without (alertname, alertstate, severity, profile, ratio) "
		}
		return fmt.Sprintf("max %s(ALERTS{alertname=%q,alertstate=\"firing\",profile=%q,ratio=%q})", by, prefix+name, s.profile(), s.ratio())
	}
	return rulefile.Rule{
		Alert: prefix + r.Name, Expr: part(r.Both[0]) + " and " + on(s.Expressions) + part(r.Both[1]),
		Labels: s.labels(r.Severity), Annotations: s.annotations(r),
	}
}

// absent fires while a side of the ratio has no series at all: a rule over them
// is not calm then, it is blind.
func (s *system) absent(prefix string, hold time.Duration) (rulefile.Rule, bool) {
	var parts []string
	for _, side := range []collector.Signal{collector.Ingress, collector.Downstream} {
		if s.has[side] {
			parts = append(parts, "absent("+s.name(side)+")")
		}
	}
	if len(parts) == 0 {
		for sig, has := range s.has {
			if has && len(parts) == 0 {
				parts = append(parts, "absent("+s.name(collector.Signal(sig))+")")
			}
		}
	}
	out := rulefile.Rule{
		Alert: prefix + Missing, Expr: strings.Join(parts, " or "), For: hold, Labels: s.labels(collector.Warning),
		Annotations: []rulefile.Pair{
			{Name: "description", Value: "The rules on retries over " + s.profile() + " are blind: they are not calm, they have nothing to judge by."},
			{Name: "summary", Value: "The signals behind the rules on retries are missing"},
		},
	}
	return out, len(parts) > 0
}

// Missing is the name of the alert that fires while there is no data.
const Missing = "RetrySignalsMissing"

func (s *system) profile() string {
	if s.Profile == "" {
		return "own"
	}
	return s.Profile
}

// ratio is what the amplification is a ratio of: the edge pair of a system has
// alerts beside those of its hops.
func (s *system) ratio() string { return strings.ToLower(s.Kind.String()) }

func (s *system) labels(sev collector.Severity) []rulefile.Pair {
	out := []rulefile.Pair{{Name: "profile", Value: s.profile()}, {Name: "ratio", Value: s.ratio()}}
	if sev != collector.NoSeverity {
		out = append(out, rulefile.Pair{Name: "severity", Value: sev.String()})
	}
	return out
}

// summaries are static: they group alerts, and name no number.
var summaries = map[collector.Signal]string{
	collector.Amplification: "Retries amplify the load", collector.RetryRate: "Many attempts are retries",
	collector.AtLimit: "Requests use up their attempts", collector.RescuedShare: "Many successes needed a retry",
	collector.PoolWait: "Requests wait for a connection or a thread", collector.QueueDepth: "Requests queue",
	collector.Delivered: "Requests go unanswered",
}

// annotations say what fires and on what. The text is for Prometheus's templates.
func (s *system) annotations(r *collector.RuleSpec) []rulefile.Pair {
	summary := summaries[r.Signal]
	if summary == "" {
		summary = "The signal " + r.Signal.String() + " is beyond its limit"
	}
	limit := fmt.Sprintf("%s %s", r.Compare, collector.FormatThreshold(r.Threshold, s.unit(r.Signal)))
	text := s.subject(r) + ": " + s.value(r.Signal) + " (" + limit
	if r.For > 0 {
		text += " for " + rulefile.Duration(r.For)
	}
	text += ")."
	if r.Both != ([2]string{}) {
		summary = "A retry storm"
		text = s.subject(r) + ": " + r.Both[0] + " and " + r.Both[1] + " both fire."
	}
	return []rulefile.Pair{{Name: "description", Value: text}, {Name: "summary", Value: summary}}
}

func (s *system) unit(sig collector.Signal) collector.Unit {
	if u := s.Units[sig]; u != collector.NoUnit {
		return u
	}
	return sig.Unit()
}

// value is the number with its unit, as a template.
func (s *system) value(sig collector.Signal) string {
	name := strings.ReplaceAll(sig.String(), "_", " ")
	switch s.unit(sig) {
	case collector.Fraction:
		return name + ` {{ $value | humanizePercentage }}`
	case collector.Seconds:
		return name + ` {{ $value | humanizeDuration }}`
	case collector.PerSecond:
		return name + ` {{ $value | humanize }}/s`
	case collector.Ratio:
		return name + ` {{ printf "%.2f" $value }}x`
	}
	return name + ` {{ $value | humanize }}`
}

// subject is the target, as a template.
func (s *system) subject(r *collector.RuleSpec) string {
	switch {
	case r.Scope == collector.ScopeTotal:
		return "all of " + s.profile()
	case s.By == nil:
		return "{{ $labels }}"
	case len(s.By) == 0:
		return "edge"
	}
	var parts []string
	for _, name := range s.By {
		if plain.MatchString(name) {
			parts = append(parts, "{{ $labels."+name+" }}")
		} else {
			parts = append(parts, fmt.Sprintf("{{ index $labels %q }}", name))
		}
	}
	return strings.Join(parts, "/")
}

var plain = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// judged reports whether an alerts.Engine judges the ratios of a system: where
// fan-out is in them and no baseline takes it out, it does not.
func (s *system) judged(r *collector.RuleSpec) bool {
	ratio := r.Signal == collector.Amplification || r.Signal == collector.RetryRate
	return !ratio || s.Trust != collector.Heuristic || s.baselines.Number > 0 || len(s.fanouts) > 0
}

// looks reports whether a rule looks at the targets of a system at all.
func (s *system) looks(r *collector.RuleSpec) bool {
	return r.Scope != collector.ScopeEdge || s.Kind == collector.Edge
}

// reason is why a rule is left out for a system.
func (s *system) reason(r *collector.RuleSpec) string {
	if !s.judged(r) {
		return alerts.WhyFanOut.String()
	}
	return r.Signal.String() + " is not exported by " + s.profile()
}
