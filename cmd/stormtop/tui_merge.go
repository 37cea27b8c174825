package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"stormtop/alerts"
	"stormtop/alerts/export"
	"stormtop/collector"
	"stormtop/collector/rulefile"
	"stormtop/views"
)

// rulesTarget is the file that a key writes rules to, and the one whose groups go
// into it.
func rulesTarget(s settings) string {
	switch {
	case s.writeRules != "":
		return s.writeRules
	case s.rulesFile != "":
		return s.rulesFile
	}
	return rulesName
}

// isNativeFile reports whether a file holds rules in stormtop's own form.
func isNativeFile(name string) bool {
	text, err := readSmall(name)
	return err == nil && rulefile.IsNative(text)
}

// place is a rule of groups, by both places.
type place struct{ group, rule int }

// tunedGroupsOf are people's own groups, with the numbers that were tuned, and
// which rules those are of. Others than those of the file are told in notes:
// theirs are no files here.
func tunedGroupsOf(groups []rulefile.Group, own []collector.OwnRule, drafts []views.OwnDraft, book *ownBook) (out []rulefile.Group, tuned []place, notes []string) {
	out = slices.Clone(groups)
	for i := range out {
		out[i].Rules = slices.Clone(out[i].Rules)
	}
	for _, d := range drafts {
		at := slices.IndexFunc(own, func(r collector.OwnRule) bool { return ownID(&r) == d.ID })
		if at < 0 {
			if r, ok := book.of(d.ID); ok {
				notes = append(notes, fmt.Sprintf("%s is the server's and in no file here. Where it is from it would be: %s", collector.Clean(r.Name), tunedText(&r, d.To)))
			}
			continue
		}
		p := alertsOf(out)[at]
		rule := &out[p.group].Rules[p.rule]
		*rule = rulefile.Tuned(rule, d.To.Threshold, d.To)
		tuned = append(tuned, p)
	}
	return out, tuned, notes
}

// alertsOf are the alerts of groups, in the order of rulefile.Own.
func alertsOf(groups []rulefile.Group) []place {
	var out []place
	for i := range groups {
		for k := range groups[i].Rules {
			if groups[i].Rules[k].Alert != "" {
				out = append(out, place{i, k})
			}
		}
	}
	return out
}

// tunedText is an own rule with other numbers, as somebody would write it.
func tunedText(r *collector.OwnRule, to collector.RuleSpec) string {
	rule := rulefile.Tuned(&rulefile.Rule{Expr: r.Expr}, to.Threshold, to)
	return fmt.Sprintf("expr: %s, for: %s, keep_firing_for: %s", collector.Clean(rule.Expr), rulefile.Duration(rule.For), rulefile.Duration(rule.Keep))
}

// merged is a rule file with ours made anew and people's own beside them: into
// the text that is there, or that --rules has, which else stays as it is.
func merged(target string, s settings, built *export.Built, groups []rulefile.Group, tuned []place, style rulefile.Style) (text []byte, notes []string, err error) {
	ours := *built.File
	fresh := ours
	fresh.Groups = append(slices.Clone(ours.Groups), groups...)
	is, err := baseOf(target, s)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return rulefile.Render(&fresh, style), nil, nil
	case err != nil:
		return nil, nil, fmt.Errorf("%s: %w", collector.Clean(target), unwrapPath(err))
	case style.Helm:
		return rulefile.Render(&fresh, style), nil, nil
	}
	before, err := rulefile.Parse(is)
	if err != nil {
		if rulefile.IsNative(is) { // it was named for the rules of a Prometheus
			return rulefile.Render(&fresh, style), nil, nil
		}
		return nil, nil, fmt.Errorf("%s is there and no rule file: name another one with --write-rules: %w", collector.Clean(target), located(collector.Clean(target), err))
	}
	groups, notes = carried(before, groups, tuned)
	want := export.Merge(before, &ours, groups)
	if out, ok := rulefile.Revise(is, want); ok {
		return out, notes, nil
	}
	if rulefile.IsResource(is) {
		return nil, nil, fmt.Errorf("%s is laid out in a way that cannot be changed in place: name another file with --write-rules", collector.Clean(target))
	}
	if len(before.Groups) > 0 {
		notes = append(notes, collector.Clean(target)+" is laid out in a way that cannot be changed in place: it is written anew, without its comments")
	}
	return rulefile.Render(want, style), notes, nil
}

// baseOf is the text that rules are written into: of the file that is there, or
// that --rules has.
func baseOf(target string, s settings) ([]byte, error) {
	is, err := readSmall(target)
	if errors.Is(err, os.ErrNotExist) && s.rulesFile != "" && s.rulesFile != target {
		is, err = readSmall(s.rulesFile)
	}
	return is, err
}

// isTheirs reports whether rules are written into a file that has people's own
// and none of ours.
func isTheirs(target string, s settings) bool {
	text, err := baseOf(target, s)
	if err != nil {
		return false
	}
	f, err := rulefile.Parse(text)
	return err == nil && !export.Holds(f)
}

// carried are groups as they go into a file that may be another one than they
// were read from, or have changed since: of a group that is there its rules stay,
// and those that were tuned get their numbers.
func carried(is *rulefile.File, groups []rulefile.Group, tuned []place) (out []rulefile.Group, notes []string) {
	for i := range groups {
		at := slices.IndexFunc(is.Groups, func(g rulefile.Group) bool { return g.Name == groups[i].Name })
		if at < 0 {
			out = append(out, groups[i])
			continue
		}
		g := is.Groups[at]
		g.Rules = slices.Clone(g.Rules)
		for k := range groups[i].Rules {
			if !slices.Contains(tuned, place{i, k}) {
				continue
			}
			to := &groups[i].Rules[k]
			n := slices.IndexFunc(g.Rules, func(r rulefile.Rule) bool { return sameButNumbers(&r, to) })
			if n < 0 {
				notes = append(notes, fmt.Sprintf("%s is not in the file as it was read: its numbers are left out", collector.Clean(to.Alert)))
				continue
			}
			c, _ := rulefile.ConditionOf(to.Expr)
			g.Rules[n] = rulefile.Tuned(&g.Rules[n], c.Threshold, collector.RuleSpec{For: to.For, KeepFiring: to.Keep})
		}
		out = append(out, g)
	}
	return out, notes
}

// sameButNumbers reports whether two alerts differ in no more than what is tuned.
func sameButNumbers(a, b *rulefile.Rule) bool {
	if a.Alert != b.Alert || !slices.Equal(a.Labels, b.Labels) {
		return false
	}
	x, okX := rulefile.ConditionOf(a.Expr)
	y, okY := rulefile.ConditionOf(b.Expr)
	return a.Expr == b.Expr || okX && okY && x.Left == y.Left && x.Compare == y.Compare
}

// nativeRulesOf writes rules in stormtop's own form, into a file that has it.
func nativeRulesOf(rules []collector.RuleSpec) ([]byte, error) {
	if err := alerts.Validate(rules); err != nil {
		return nil, err
	}
	return rulefile.RenderNative(rules), nil
}
