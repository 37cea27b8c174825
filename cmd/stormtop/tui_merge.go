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
	text, err := os.ReadFile(name)
	return err == nil && rulefile.IsNative(text)
}

// tunedGroupsOf are people's own groups, with the numbers that were tuned.
// Others than those of the file are told in notes: theirs are no files here.
func tunedGroupsOf(groups []rulefile.Group, own []collector.OwnRule, drafts []views.OwnDraft, book *ownBook) (out []rulefile.Group, notes []string) {
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
		rule := alertAt(out, at)
		*rule = rulefile.Tuned(rule, d.To.Threshold, d.To)
	}
	return out, notes
}

// alertAt is the alert at a place among those of rulefile.Own.
func alertAt(groups []rulefile.Group, at int) *rulefile.Rule {
	f := rulefile.File{Groups: groups}
	return f.Alerts()[at]
}

// tunedText is an own rule with other numbers, as somebody would write it.
func tunedText(r *collector.OwnRule, to collector.RuleSpec) string {
	rule := rulefile.Tuned(&rulefile.Rule{Expr: r.Expr}, to.Threshold, to)
	return fmt.Sprintf("expr: %s, for: %s, keep_firing_for: %s", collector.Clean(rule.Expr), rulefile.Duration(rule.For), rulefile.Duration(rule.Keep))
}

// merged is a rule file with ours made anew and people's own beside them: into
// the text that is there, or that --rules has, which else stays as it is.
func merged(target string, s settings, built *export.Built, groups []rulefile.Group, style rulefile.Style) (text []byte, notes []string, err error) {
	ours := *built.File
	fresh := ours
	fresh.Groups = append(slices.Clone(ours.Groups), groups...)
	is, err := os.ReadFile(target)
	if errors.Is(err, os.ErrNotExist) && s.rulesFile != "" && s.rulesFile != target {
		is, err = os.ReadFile(s.rulesFile)
	}
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
	want := export.Merge(before, &ours, groups)
	if out, ok := rulefile.Revise(is, want); ok {
		return out, nil, nil
	}
	if rulefile.IsResource(is) {
		return nil, nil, fmt.Errorf("%s is laid out in a way that cannot be changed in place: name another file with --write-rules", collector.Clean(target))
	}
	if len(before.Groups) > 0 {
		notes = []string{collector.Clean(target) + " is laid out in a way that cannot be changed in place: it is written anew, without its comments"}
	}
	return rulefile.Render(want, style), notes, nil
}

// nativeRulesOf writes rules in stormtop's own form, into a file that has it.
func nativeRulesOf(rules []collector.RuleSpec) ([]byte, error) {
	if err := alerts.Validate(rules); err != nil {
		return nil, err
	}
	return rulefile.RenderNative(rules), nil
}
