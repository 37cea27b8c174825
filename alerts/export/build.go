package export

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/collector/promql"
	"stormtop/collector/rulefile"
)

// Options say how rules become a file.
type Options struct {
	Rate      time.Duration       // range of the rates that the expressions have; 0: 1m
	Interval  time.Duration       // between evaluations; 0: the server's own
	Baselines collector.Baselines // healthy fan-outs
	Fanouts   []Fanout            // those of single targets, with their labels
	Prefix    string              // of the alerts' names: letters, digits and _
	NoData    time.Duration       // how long data may be missing before RetrySignalsMissing fires; 0: 5m
	Evidence  []string            // what speaks for the thresholds, one sentence a line
	Own       []rulefile.Group    // people's own rules, which go behind ours
}

// Built is the rule file of rules.
type Built struct {
	File  *rulefile.File
	Notes []string // what was left out and why, one sentence each
	bases [][]recorded
}

// recorded is a recording rule of a measured signal, and of what.
type recorded struct {
	system *system
	signal collector.Signal
	name   string
}

const (
	headline = "Rules on retry amplification, written by stormtop rules."
	tuned    = "Numbers tuned with stormtop."
	evidence = "Evidence:"
)

var prefixes = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)?$`)

// Build makes the rule file for systems. A rule that is off, or whose signal no
// system has, is left out. The error is a sentence that says what cannot be.
func Build(systems []collector.Expressions, rules []collector.RuleSpec, o Options) (*Built, error) {
	if !prefixes.MatchString(o.Prefix) {
		return nil, fmt.Errorf("%s cannot begin the name of an alert: use letters, digits and _", collector.Quote(o.Prefix))
	}
	if err := alerts.Validate(rules); err != nil {
		return nil, err
	}
	out := &Built{File: &rulefile.File{Comment: comment(o.Evidence)}}
	for i := range systems {
		out.system(&systems[i], rules, o)
	}
	out.File.Groups = append(out.File.Groups, o.Own...)
	if len(out.File.Groups) == 0 {
		why := "no rule is on"
		if len(out.Notes) > 0 {
			why = strings.Join(out.Notes, "; ")
		}
		return nil, errors.New("there is nothing to export: " + why)
	}
	return out, nil
}

// TunedComment is the comment of a file that holds none of our rules, of which
// numbers were tuned: what speaks for them, one sentence a line. Without any there
// is nothing to say.
func TunedComment(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	return commented(tuned, lines)
}

func comment(lines []string) []string { return commented(headline, lines) }

func commented(head string, lines []string) []string {
	out := []string{head}
	if len(lines) > 0 {
		out = append(out, evidence)
		for _, l := range lines {
			out = append(out, "  "+l)
		}
	}
	return out
}

// system adds the group of one system.
func (b *Built) system(x *collector.Expressions, rules []collector.RuleSpec, o Options) {
	s := &system{
		Expressions: x, names: newNamer(x, cmp.Or(o.Rate, time.Minute)), baselines: o.Baselines,
		fanouts: fanoutsOf(o.Fanouts, x, o.Baselines.For(collector.Target{})),
	}
	var list []rulefile.Rule
	made := map[string]bool{}
	for i := range rules {
		r := &rules[i]
		if r.Off || !s.looks(r) || r.Both != ([2]string{}) {
			continue
		}
		alert, ok := rulefile.Rule{}, false
		if s.judged(r) {
			alert, ok = s.alert(r, o.Prefix)
		}
		if !ok {
			b.Notes = append(b.Notes, fmt.Sprintf("%s is left out for %s: %s", r.Name, s.profile(), s.reason(r)))
			continue
		}
		made[r.Name] = true
		list = append(list, alert)
	}
	for i := range rules {
		r := &rules[i]
		switch {
		case r.Off || r.Both == ([2]string{}):
		case made[r.Both[0]] && made[r.Both[1]]:
			list = append(list, s.pair(r, o.Prefix))
		default:
			b.Notes = append(b.Notes, fmt.Sprintf("%s is left out for %s: it is made of %s and %s", r.Name, s.profile(), r.Both[0], r.Both[1]))
		}
	}
	if len(list) == 0 {
		return
	}
	if missing, ok := s.absent(o.Prefix, cmp.Or(o.NoData, 5*time.Minute)); ok {
		list = append(list, missing)
	}
	if strings.Contains(promql.By(x.By), `"`) {
		b.Notes = append(b.Notes, fmt.Sprintf("the rules for %s need a Prometheus 3: its labels are quoted", s.profile()))
	}
	name := "stormtop_" + word(s.profile())
	if x.Kind == collector.Edge && len(x.By) == 0 {
		name += "_edge"
	}
	b.bases = append(b.bases, s.bases())
	group := rulefile.Group{Name: name, Interval: o.Interval}
	group.Rules = append(append(append(group.Rules, s.constants()...), s.rules...), list...)
	b.File.Groups = append(b.File.Groups, group)
}

// bases are the recording rules of what is measured, from which the others follow.
func (s *system) bases() []recorded {
	var out []recorded
	for sig := range collector.NumSignals {
		if s.has[sig] && s.Queries[sig] != "" {
			out = append(out, recorded{s, sig, s.name(sig)})
		}
	}
	return out
}
