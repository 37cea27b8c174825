package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"stormtop/alerts/export"
	"stormtop/alerts/trial"
	"stormtop/collector"
	"stormtop/collector/rulefile"
	"stormtop/views"
)

// rulesName is where the key for it writes rules.
const rulesName = "stormtop-rules.yml"

// scribe makes rule files, shows them, and writes them when they are wanted.
type scribe struct {
	source   collector.Source
	settings settings
	in       ruleInput // of --rules
	book     *ownBook
	began    []collector.RuleSpec // ours as they were at the start

	mu     sync.Mutex
	serial int
	files  []proposal // those of the proposal with that serial
	shown  []string   // ids of people's own rules whose numbers are in them
	wrote  []string   // and in what was written
}

// propose makes the files and shows what they would change. It writes nothing.
func (s *scribe) propose(ctx context.Context, w views.Wanted) (views.ProposalMsg, error) {
	files, notes, err := s.made(ctx, w)
	if err != nil {
		return views.ProposalMsg{}, fmt.Errorf("no rule file can be made: %w", err)
	}
	out := views.ProposalMsg{Serial: w.Serial, Same: true, Notes: notes}
	var names, differences []string
	for i, f := range files {
		if files[i], err = propose(f.name, f.text); err != nil {
			return views.ProposalMsg{}, err
		}
		names = append(names, collector.Clean(f.name))
		out.Same = out.Same && files[i].same()
		out.Exists = out.Exists || files[i].exists
		if !files[i].same() {
			differences = append(differences, "# "+collector.Clean(f.name)+"\n"+files[i].difference())
		}
	}
	out.Name, out.Difference = strings.Join(names, " and "), strings.Join(differences, "\n")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial, s.files, s.shown = w.Serial, files, nil
	for _, d := range w.Own {
		s.shown = append(s.shown, d.ID)
	}
	return out, nil
}

// made are the files as they would be: the rules, and where something fired a
// test of them.
func (s *scribe) made(ctx context.Context, w views.Wanted) ([]proposal, []string, error) {
	target := rulesTarget(s.settings)
	if isNativeFile(target) {
		text, err := nativeRulesOf(w.Rules)
		return []proposal{{name: target, text: text}},
			[]string{collector.Clean(target) + " has stormtop's own form, and keeps it: --write-rules=FILE writes one for a Prometheus beside it"}, err
	}
	drafts := s.drafts(w)
	alone := len(drafts) > 0 && slices.EqualFunc(w.Rules, s.began, sameRule) && isTheirs(target, s.settings)
	built, err := s.ours(ctx, w, alone)
	if err != nil {
		return nil, nil, err
	}
	groups, tuned, notes := tunedGroupsOf(s.in.groups, s.in.own, drafts, s.book)
	text, more, err := merged(target, s.settings, built, groups, tuned, rulefile.Style{Helm: s.settings.export.helm})
	if err != nil {
		return nil, nil, err
	}
	files := []proposal{{name: target, text: text}}
	if e, ok := s.episode(w, built); ok && !alone && !s.settings.export.helm {
		e.Rules = filepath.Base(target)
		if test := built.Test(w.Rules, s.settings.export.prefix, e); test != nil {
			files = append(files, proposal{name: testName(target), text: test})
		}
	}
	return files, slices.Concat(built.Notes, notes, more), nil
}

// ours are our rules as they go into a file; where only people's own were turned,
// alone, nothing but what speaks for their numbers.
func (s *scribe) ours(ctx context.Context, w views.Wanted, alone bool) (*export.Built, error) {
	if alone {
		w.Evidence = slices.DeleteFunc(slices.Clone(w.Evidence), func(a trial.Answer) bool { return !s.inFile(w, a.Rule) })
		return &export.Built{File: &rulefile.File{Comment: export.TunedComment(s.evidence(w))}}, nil
	}
	systems, rate, err := s.systems(ctx, w)
	if err != nil {
		return nil, err
	}
	set := s.settings
	if w.Lens.Every != 0 {
		set.interval = w.Lens.Every
	}
	said := s.evidence(w)
	var blur []string
	if len(said) > 0 {
		blur = otherRange(judgedRate(w), rate)
	}
	built, err := buildRules(set, systems, rate, ruleInput{rules: w.Rules, evidence: append(said, blur...)})
	if err == nil {
		built.Notes = append(built.Notes, blur...)
	}
	return built, err
}

// judgedRate is the range of the rates that the evidence was judged by.
func judgedRate(w views.Wanted) time.Duration {
	if g := w.Snapshot.Good; w.Lens.Rate == 0 && g != nil && g.Origin != nil {
		return g.Origin.RateRange
	}
	return w.Lens.Rate
}

// inFile reports whether a name is that of one of people's own rules in the file,
// and not of one that the server alone has.
func (s *scribe) inFile(w views.Wanted, name string) bool {
	at := slices.IndexFunc(w.Own, func(d views.OwnDraft) bool { return d.Name == name })
	return at >= 0 && slices.ContainsFunc(s.in.own, func(r collector.OwnRule) bool { return ownID(&r) == w.Own[at].ID })
}

// drafts are people's own rules with the numbers that are wanted, and those that
// were written with others before, which go back to what was read.
func (s *scribe) drafts(w views.Wanted) []views.OwnDraft {
	out := slices.Clone(w.Own)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.in.own {
		id := ownID(&s.in.own[i])
		if slices.Contains(s.wrote, id) && !slices.ContainsFunc(out, func(d views.OwnDraft) bool { return d.ID == id }) {
			spec := s.in.own[i].Spec()
			out = append(out, views.OwnDraft{ID: id, Name: spec.Name, To: spec})
		}
	}
	return out
}

// write writes the files that were shown, unless one has changed meanwhile.
func (s *scribe) write(serial int) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if serial != s.serial || len(s.files) == 0 {
		return "", errors.New("nothing was written: the file was not shown")
	}
	var names []string
	for i := range s.files {
		if s.files[i].same() {
			continue
		}
		if err := s.files[i].write(); err != nil {
			return "", err
		}
		names = append(names, s.files[i].name)
	}
	s.files, s.wrote = nil, append(s.wrote, s.shown...)
	return "wrote " + strings.Join(names, " and "), nil
}

// systems are what the source asks a server for; of what is no Prometheus, what
// its profiles would.
func (s *scribe) systems(ctx context.Context, w views.Wanted) ([]collector.Expressions, time.Duration, error) {
	src := s.source
	if p, ok := src.(*pastOf); ok {
		src = p.server
	}
	if x, ok := src.(interface {
		Expressions() ([]collector.Expressions, time.Duration, error)
	}); ok && w.Lens.Rate == 0 {
		if systems, rate, err := x.Expressions(); err == nil {
			return systems, rate, nil
		}
	}
	set := s.settings
	set.baseline.window = 0
	if o := w.Snapshot.Good; o != nil && o.Origin != nil {
		if len(set.profiles) == 0 && len(set.signals) == 0 {
			if set.prom.url == "" {
				set.profiles = profilesOf(o.Origin.Profile)
			}
		}
		if set.rate == 0 && !o.Origin.Simulated {
			set.rate = o.Origin.RateRange
		}
	}
	if w.Lens.Rate != 0 {
		set.rate = w.Lens.Rate
	}
	systems, rate, _, err := expressions(ctx, set)
	return systems, rate, err
}

// evidence says what speaks for the numbers that were tuned.
func (s *scribe) evidence(w views.Wanted) []string {
	var out []string
	for _, a := range w.Evidence {
		name := a.Now.Rule.Name
		if i := slices.IndexFunc(w.Own, func(d views.OwnDraft) bool { return d.Name == name }); i >= 0 {
			if r, ok := s.book.of(w.Own[i].ID); ok {
				name = collector.Clean(r.Name)
			}
		}
		if len(out) == 0 {
			source := "what was read"
			if g := w.Snapshot.Good; g != nil && g.Origin != nil {
				source = collector.Clean(g.Origin.Source)
			}
			seen := ""
			if rate := judgedRate(w); rate != 0 {
				seen += ", rates over " + rulefile.Duration(rate)
			}
			if a.Every != 0 {
				seen += ", evaluated every " + rulefile.Duration(a.Every)
			}
			out = append(out, fmt.Sprintf("%s, %s to %s%s: %s", source, a.From.UTC().Format(time.RFC3339), a.To.UTC().Format(time.RFC3339), seen, evidenceWords(a)))
		}
		said := fmt.Sprintf("%s %s: %s", name, tunedWords(&a, a.Now.Rule), figuresText(a.Now.Figures))
		if before := tunedWords(&a, a.Before.Rule); before != tunedWords(&a, a.Now.Rule) { // else they are in force already
			said += fmt.Sprintf("; before, %s: %s", before, figuresText(a.Before.Figures))
		}
		out = append(out, said)
	}
	return out
}

// evidenceWords say how much the incidents prove. On a screen on which none was
// marked nobody said that a firing was for nothing.
func evidenceWords(a trial.Answer) string {
	switch {
	case len(a.LeftOut) > 0: // it says so
	case a.Now.Incidents == 0 && a.Sure:
		return "no incident, known by " + a.Truth
	case a.Now.Incidents == 0:
		return "no incident is marked"
	}
	if a.Truth == "" {
		return a.Evidence
	}
	return a.Evidence + ", known by " + a.Truth
}

// tunedWords are the numbers of a rule, for a comment.
func tunedWords(a *trial.Answer, r collector.RuleSpec) string {
	wait := "for " + rulefile.Duration(r.For)
	if a.Fixed {
		return wait
	}
	return r.Compare.String() + " " + rulefile.Number(r.Threshold) + " " + wait
}

// episode is the first firing in what was judged that the rules of the file would
// see, with what was before and after.
func (s *scribe) episode(w views.Wanted, built *export.Built) (export.Episode, bool) {
	var first *trial.Answer
	at := -1
	for i := range w.Evidence {
		if w.Evidence[i].Own != nil || w.IsOwn(w.Evidence[i].Rule) {
			continue // of which the readings hold nothing
		}
		for k, e := range w.Evidence[i].Now.Episodes {
			if built.Judges(e.Target) && (first == nil || e.Pending.Before(first.Now.Episodes[at].Pending)) {
				first, at = &w.Evidence[i], k
			}
		}
	}
	if first == nil || w.Lens != (trial.Lens{}) { // the readings are not what the rules would see
		return export.Episode{}, false
	}
	e := first.Now.Episodes[at]
	from, to := e.Pending.Add(-testMargin), e.Ended
	if to.IsZero() {
		to = first.To
	}
	out := export.Episode{Targets: map[string]bool{e.Target.ID: true}, Said: fmt.Sprintf("Made of what happened from %s on.", e.Pending.UTC().Format(time.RFC3339))}
	if e.Target.ID == collector.TotalID {
		out.Targets = nil
	}
	begin := placeOf(w.Snapshot.History, from)
	for r := range stretchOf(w.Snapshot, begin, begin, to.Add(testMargin)) {
		if len(out.Readings) < testSteps {
			out.Readings = append(out.Readings, r)
		}
	}
	if out.Step = spacingOf(out.Readings); out.Step == 0 {
		return export.Episode{}, false
	}
	return out, true
}

// spacingOf is the time between readings, where it is the same everywhere; else 0.
func spacingOf(list []*collector.Reading) time.Duration {
	if len(list) < 2 {
		return 0
	}
	step := list[1].At.Sub(list[0].At)
	for i := 1; i < len(list); i++ {
		if list[i].At.Sub(list[i-1].At) != step {
			return 0
		}
	}
	return step
}
