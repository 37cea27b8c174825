package export

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/rulefile"
)

// Imported is what a rule file holds for stormtop.
type Imported struct {
	Rules    []collector.RuleSpec // ours, taken back
	Own      []rulefile.Group     // people's own
	Prefix   string               // of the names of our alerts
	Evidence []string             // what was written of the evidence
	Resource *rulefile.Resource   // the PrometheusRule that wraps it; nil: none does
	Interval time.Duration        // of our groups; 0: the server's own
	NoData   time.Duration        // how long data may be missing; 0: there is no such alert
	Notes    []string             // what of ours was changed by hand and is taken as one's own
}

// Read takes apart a rule file: what Build has written becomes rules again, all
// else is people's own and stays as it is.
func Read(f *rulefile.File) Imported {
	out := Imported{Evidence: evidenceOf(f.Comment), Resource: f.Resource}
	hops := slices.ContainsFunc(f.Groups, func(g rulefile.Group) bool { return ours(&g) && !edge(&g) })
	place := map[string]int{}
	for i := range f.Groups {
		g := &f.Groups[i]
		if !ours(g) {
			out.Own = append(out.Own, *g)
			continue
		}
		out.group(g, place, hops && edge(g))
	}
	return out
}

// Holds reports whether a file has rules that Build has written.
func Holds(f *rulefile.File) bool {
	return slices.ContainsFunc(f.Groups, func(g rulefile.Group) bool { return ours(&g) })
}

// ours reports whether a group was written by Build.
func ours(g *rulefile.Group) bool {
	return strings.HasPrefix(g.Name, "stormtop_") && slices.ContainsFunc(g.Rules, func(r rulefile.Rule) bool {
		return strings.HasSuffix(r.Alert, Missing)
	})
}

func edge(g *rulefile.Group) bool { return strings.HasSuffix(g.Name, "_edge") }

// group takes back the rules of one group; only says that they are there for an
// edge alone.
func (m *Imported) group(g *rulefile.Group, place map[string]int, edge bool) {
	for i := range g.Rules {
		if name, ok := strings.CutSuffix(g.Rules[i].Alert, Missing); ok {
			m.Prefix, m.Interval, m.NoData = name, g.Interval, g.Rules[i].For
		}
	}
	hand := rulefile.Group{Name: g.Name + "_changed", Interval: g.Interval, Line: g.Line}
	for i := range g.Rules {
		r := &g.Rules[i]
		if r.Alert == "" || strings.HasSuffix(r.Alert, Missing) {
			continue
		}
		spec, ok := specOf(r, m.Prefix)
		if !ok {
			m.Notes = append(m.Notes, fmt.Sprintf("line %d: %s was changed by hand: it is kept as it is, beside ours", r.Line, r.Alert))
			hand.Rules = append(hand.Rules, *r)
			continue
		}
		if at, again := place[spec.Name]; again {
			if spec.Both == ([2]string{}) && (spec.Threshold != m.Rules[at].Threshold || spec.For != m.Rules[at].For) {
				m.Notes = append(m.Notes, fmt.Sprintf("line %d: %s has other numbers than the one above: those above count", r.Line, r.Alert))
			}
			continue
		}
		if edge {
			spec.Scope = collector.ScopeEdge
		}
		place[spec.Name] = len(m.Rules)
		m.Rules = append(m.Rules, spec)
	}
	if len(hand.Rules) > 0 {
		m.Own = append(m.Own, hand)
	}
	m.pairs()
}

// pairs gives rules made of two others what they show of the first.
func (m *Imported) pairs() {
	for i := range m.Rules {
		r := &m.Rules[i]
		if r.Both == ([2]string{}) {
			continue
		}
		for _, o := range m.Rules {
			if o.Name == r.Both[0] {
				r.Signal, r.Threshold, r.Compare, r.Scope = o.Signal, o.Threshold, o.Compare, o.Scope
			}
		}
	}
}

var (
	floorClause = regexp.MustCompile(`^on \([^()]*\) \((\S+) >= (\S+?)(?: or (\S+) >= (\S+))?\)$`)
	alertName   = regexp.MustCompile(`^max (?:by|without) \([^()]*\) \(ALERTS\{alertname="([^"]*)",alertstate="firing",profile="[^"]*",ratio="[^"]*"\}\)(.*)$`)
	sumOf       = regexp.MustCompile(`(?:sum|max)\(([^()*{} ]+)[^()]*\)`)
)

// specOf is the rule that an alert of ours was made of.
func specOf(r *rulefile.Rule, prefix string) (spec collector.RuleSpec, ok bool) {
	spec = collector.RuleSpec{Name: strings.TrimPrefix(r.Alert, prefix), For: r.For, KeepFiring: r.Keep}
	for sev := range collector.Critical + 1 {
		if sev.String() == rulefile.Value(r.Labels, "severity") {
			spec.Severity = sev
		}
	}
	if m := alertName.FindStringSubmatch(r.Expr); m != nil {
		_, second, _ := strings.Cut(m[2], "max ")
		n := alertName.FindStringSubmatch("max " + second)
		if n == nil {
			return spec, false
		}
		spec.Both = [2]string{strings.TrimPrefix(m[1], prefix), strings.TrimPrefix(n[1], prefix)}
		return spec, true
	}
	condition, clause, floored := strings.Cut(r.Expr, " and on (")
	if !floored {
		condition, clause, floored = cutFloor(r.Expr)
	} else {
		clause = "on (" + clause
	}
	c, isCondition := rulefile.ConditionOf(condition)
	if !isCondition {
		return spec, false
	}
	spec.Compare, spec.Threshold = c.Compare, c.Threshold
	if floored {
		m := floorClause.FindStringSubmatch(clause)
		if m == nil || m[4] != "" && m[4] != m[2] {
			return spec, false
		}
		floor, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return spec, false
		}
		spec.MinTraffic = floor
	}
	return spec, look(&spec, c.Left, rulefile.Value(r.Labels, "profile"))
}

// cutFloor cuts the floor off where no labels make a target.
func cutFloor(expr string) (condition, clause string, ok bool) {
	condition, clause, ok = strings.Cut(expr, " and (")
	return condition, "on () (" + clause, ok
}

// look finds out of what is compared which signal it is, of which targets.
func look(spec *collector.RuleSpec, left, profile string) bool {
	if m := sumOf.FindAllStringSubmatch(left, -1); m != nil {
		spec.Scope = collector.ScopeTotal
		num := signalOf(m[0][1], profile)
		spec.Signal = num
		if len(m) > 1 {
			den := signalOf(m[1][1], profile)
			for _, sig := range collector.Signals() {
				if n, d, ok := sig.Sides(); ok && n == num && d == den {
					spec.Signal = sig
				}
			}
			return spec.Signal != num
		}
		return num != collector.NoSignal
	}
	metric, matchers, ok := rulefile.Selector(left)
	if !ok {
		return false
	}
	for _, m := range matchers {
		re, err := regexp.Compile(m.Value)
		if err != nil || !m.Regexp {
			return false
		}
		if spec.Select == nil {
			spec.Select = map[string]*regexp.Regexp{}
		}
		spec.Select[m.Name] = re
	}
	spec.Signal = signalOf(metric, profile)
	return spec.Signal != collector.NoSignal
}

// signalOf is the signal of a recording rule, by its name.
func signalOf(metric, profile string) collector.Signal {
	parts := strings.Split(metric, ":")
	if len(parts) != 3 {
		return collector.NoSignal
	}
	for sig, name := range metrics {
		if parts[1] == word(profile)+"_"+name {
			return sig
		}
	}
	return collector.NoSignal
}

// evidenceOf is what a file's comment says of the evidence.
func evidenceOf(comment []string) []string {
	i := slices.Index(comment, evidence)
	if i < 0 {
		return nil
	}
	var out []string
	for _, line := range comment[i+1:] {
		text, ok := strings.CutPrefix(line, "  ")
		if !ok {
			break
		}
		out = append(out, text)
	}
	return out
}
