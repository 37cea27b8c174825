package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"stormtop/alerts/export"
	"stormtop/alerts/tune"
	"stormtop/collector"
	"stormtop/collector/rulefile"
	"stormtop/views/report"
)

// writeTuned writes the rules with the recommended numbers, the evidence as a
// comment, and beside them a test for promtool made of the first episode.
func (s *study) writeTuned(ctx context.Context, t report.Tuning, stderr io.Writer) int {
	set := s.s
	if set.prom.url == "" && len(set.profiles) == 0 && len(set.signals) == 0 {
		set.profiles = profilesOf(s.profile)
	}
	systems, rate, err := s.expressions(ctx, set)
	if err != nil {
		return failedAsking(ctx, s.r, err, stderr)
	}
	in := ruleInput{rules: s.recommended(t), groups: s.tunedGroups(t), evidence: s.evidenceOf(t)}
	blur := otherRange(t.RateRange, rate)
	in.evidence = append(in.evidence, blur...)
	built, err := buildRules(set, systems, rate, in)
	if err != nil {
		return fail(stderr, err)
	}
	if s.alone {
		built.File.Comment = export.TunedComment(in.evidence)
	}
	built.Notes = append(built.Notes, blur...)
	note(stderr, built.Notes)
	name := set.tuning.output
	if status := putFile(name, renderedOver(name, built.File, styleOf(set)), set.force, stderr); status != exitOK {
		return status
	}
	e, ok := s.episode(t, built)
	if !ok || set.export.helm {
		return exitOK
	}
	e.Rules = filepath.Base(name)
	test := built.Test(in.rules, set.export.prefix, e)
	if test == nil {
		return exitOK
	}
	return putFile(testName(name), test, set.force, stderr)
}

// expressions are those of the systems that were judged.
func (s *study) expressions(ctx context.Context, set settings) ([]collector.Expressions, time.Duration, error) {
	if s.alone {
		return nil, s.rate, nil
	}
	if s.server != nil {
		return s.server.Express(ctx)
	}
	out, rate, _, err := expressions(ctx, set)
	return out, rate, err
}

// profilesOf are the profiles of readings; those of a simulation are what it
// would publish.
func profilesOf(name string) []string {
	if name == "lab" || name == "chain" {
		return []string{"stormtop"}
	}
	return strings.FieldsFunc(name, func(r rune) bool { return r == '+' })
}

// testName is where the test of a rule file goes: rules.yml has rules_test.yml.
func testName(name string) string {
	ext := filepath.Ext(name)
	return strings.TrimSuffix(name, ext) + "_test" + ext
}

// recommended are all rules, those that were studied with the numbers that are
// recommended.
func (s *study) recommended(t report.Tuning) []collector.RuleSpec {
	out := slices.Clone(s.in.rules)
	for i := range t.Studies {
		st := &t.Studies[i]
		if st.Own != nil || st.Map == nil || !st.Judged {
			continue
		}
		for k := range out {
			if out[k].Name == st.Spec.Name {
				out[k] = st.Recommended()
			}
		}
	}
	for i := range out {
		for _, o := range out {
			if o.Name == out[i].Both[0] {
				out[i].Threshold = o.Threshold
			}
		}
	}
	return out
}

// tunedGroups are people's own rules, those that --rule names with the numbers
// that are recommended, the others as they are.
func (s *study) tunedGroups(t report.Tuning) []rulefile.Group {
	out := slices.Clone(s.in.groups)
	for i := range out {
		g := &out[i]
		g.Rules = slices.Clone(g.Rules)
		for k := range g.Rules {
			for n := range t.Studies {
				st := &t.Studies[n]
				if st.Own != nil && st.Judged && st.Own.Group == g.Name && st.Own.Name == g.Rules[k].Alert && slices.Contains(s.s.tuning.only, st.Own.Name) {
					g.Rules[k] = rulefile.Tuned(&g.Rules[k], st.Advice.Threshold, st.Recommended())
				}
			}
		}
	}
	return out
}

// evidenceOf says in a few lines what speaks for the numbers.
func (s *study) evidenceOf(t report.Tuning) []string {
	rates := ""
	if t.RateRange > 0 {
		rates = "rates over " + collector.FormatInterval(t.RateRange) + ", "
	}
	out := []string{fmt.Sprintf("%s, %s to %s, %sevaluated every %s: %s", t.Source, t.From.UTC().Format(time.RFC3339),
		t.To.UTC().Format(time.RFC3339), rates, collector.FormatInterval(t.Interval), tune.Evidence(t.Histories...))}
	for i := range t.Studies {
		st := &t.Studies[i]
		if st.Map == nil || !st.Judged || st.Own != nil && !slices.Contains(s.s.tuning.only, st.Own.Name) {
			continue
		}
		out = append(out, fmt.Sprintf("%s %s: %s; before, %s: %s", collector.Clean(st.Spec.Name),
			saidOf(st, st.Recommended()), figuresText(st.Tuned.All), saidOf(st, st.Spec), figuresText(st.Now.All)))
	}
	return out
}

// otherRange says that rules have rates over another range than those that their
// numbers were judged by; nothing where it is the same, or not known. A written
// range of 0 is that of export.Options.
func otherRange(judged, written time.Duration) []string {
	written = cmp.Or(written, time.Minute)
	if judged == 0 || judged == written {
		return nil
	}
	return []string{fmt.Sprintf("judged by rates over %s, and the rules of the file have rates over %s: --rate=%s judges by theirs",
		collector.FormatInterval(judged), collector.FormatInterval(written), collector.FormatInterval(written))}
}

// saidOf is "> 1.35 for 30s".
func saidOf(st *tune.Study, spec collector.RuleSpec) string {
	text := "for " + rulefile.Duration(spec.For)
	if !st.Fixed {
		text = spec.Compare.String() + " " + rulefile.Number(spec.Threshold) + " " + text
	}
	return text
}

// figuresText are figures in words; without an incident nothing was found or missed.
func figuresText(f tune.Figures) string {
	if f.Incidents == 0 {
		return fmt.Sprintf("fired %s, %s in all", counted(f.Firings, "time", "times"), collector.FormatDuration(f.Firing))
	}
	text := fmt.Sprintf("%d of %d found, false alarm %s", f.Found, f.Incidents, collector.FormatDuration(f.False))
	if f.Found > 0 {
		text += ", median lead " + collector.FormatDuration(f.Median)
	}
	return text
}

// The stretch of a test: so much around the first episode.
const (
	testMargin = 2 * time.Minute
	testSteps  = 400
)

// episode is the first firing of a rule with the recommended numbers that the rules
// of the file would see, with what was before and after.
func (s *study) episode(t report.Tuning, built *export.Built) (export.Episode, bool) {
	var from, to time.Time
	targets := map[string]bool{}
	for i := range t.Studies {
		st := &t.Studies[i]
		if st.Own != nil || len(st.Tuned.Results) == 0 {
			continue
		}
		for _, e := range st.Tuned.Results[0].Episodes {
			if !built.Judges(e.Target) {
				continue
			}
			if from.IsZero() || e.Pending.Before(from) {
				from, to = e.Pending, e.Ended
			}
			targets[e.Target.ID] = true
			break
		}
	}
	if from.IsZero() {
		return export.Episode{}, false
	}
	if to.IsZero() {
		to = t.To
	}
	out := export.Episode{Step: t.Interval, Targets: targets, Said: fmt.Sprintf("Made of what happened at %s from %s on.", t.Source, from.UTC().Format(time.RFC3339))}
	if delete(targets, collector.TotalID); len(targets) == 0 {
		out.Targets = nil
	}
	for _, r := range s.first {
		onSlot := s.s.tuning.evaluate == 0 || r.At.UnixNano()%int64(s.s.tuning.evaluate) == 0
		if onSlot && !r.At.Before(from.Add(-testMargin)) && !r.At.After(to.Add(testMargin)) && len(out.Readings) < testSteps {
			out.Readings = append(out.Readings, r)
		}
	}
	return out, len(out.Readings) > 0 && out.Step > 0
}
