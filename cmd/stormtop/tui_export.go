package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"stormtop/alerts/export"
	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
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

	mu     sync.Mutex
	serial int
	files  []proposal // those of the proposal with that serial
}

// propose makes the files and shows what they would change. It writes nothing.
func (s *scribe) propose(ctx context.Context, w views.Wanted) (views.ProposalMsg, error) {
	systems, rate, err := s.systems(ctx, w)
	if err != nil {
		return views.ProposalMsg{}, fmt.Errorf("no rule file can be made: %w", err)
	}
	set := s.settings
	if w.Lens.Every != 0 {
		set.interval = w.Lens.Every
	}
	built, err := buildRules(set, systems, rate, ruleInput{rules: w.Rules, evidence: evidenceLines(w)})
	if err != nil {
		return views.ProposalMsg{}, fmt.Errorf("no rule file can be made: %w", err)
	}
	files := []proposal{{name: rulesName, text: rulefile.Render(built.File, rulefile.Style{Helm: s.settings.export.helm})}}
	if e, ok := s.episode(w); ok && !s.settings.export.helm {
		e.Rules = rulesName
		files = append(files, proposal{name: testName(rulesName), text: built.Test(w.Rules, s.settings.export.prefix, e)})
	}
	out := views.ProposalMsg{Serial: w.Serial, Same: true, Notes: built.Notes}
	var names, differences []string
	for i, f := range files {
		if files[i], err = propose(f.name, f.text); err != nil {
			return views.ProposalMsg{}, err
		}
		names = append(names, f.name)
		out.Same = out.Same && files[i].same()
		out.Exists = out.Exists || files[i].exists
		if !files[i].same() {
			differences = append(differences, "# "+f.name+"\n"+files[i].difference())
		}
	}
	out.Name, out.Difference = strings.Join(names, " and "), strings.Join(differences, "\n")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial, s.files = w.Serial, files
	return out, nil
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
	s.files = nil
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

// evidenceLines say what speaks for the numbers that were tuned.
func evidenceLines(w views.Wanted) []string {
	var out []string
	for _, a := range w.Evidence {
		if len(out) == 0 {
			source := "what was read"
			if g := w.Snapshot.Good; g != nil && g.Origin != nil {
				source = collector.Clean(g.Origin.Source)
			}
			seen := ""
			if w.Lens.Rate != 0 {
				seen += ", rates over " + rulefile.Duration(w.Lens.Rate)
			}
			if w.Lens.Every != 0 {
				seen += ", evaluated every " + rulefile.Duration(w.Lens.Every)
			}
			out = append(out, fmt.Sprintf("%s, %s to %s%s: %s", source, a.From.UTC().Format(time.RFC3339), a.To.UTC().Format(time.RFC3339), seen, evidenceWords(a)))
		}
		now, before := a.Now.Rule, a.Before.Rule
		out = append(out, fmt.Sprintf("%s %s %s for %s: %s; before, %s %s for %s: %s", now.Name,
			now.Compare, rulefile.Number(now.Threshold), rulefile.Duration(now.For), figuresWords(a.Now.Figures),
			before.Compare, rulefile.Number(before.Threshold), rulefile.Duration(before.For), figuresWords(a.Before.Figures)))
	}
	return out
}

// evidenceWords say how much the incidents prove. On a screen on which none was
// marked nobody said that a firing was for nothing.
func evidenceWords(a trial.Answer) string {
	if a.Now.Incidents == 0 {
		return "no incident is marked"
	}
	return a.Evidence
}

func figuresWords(f tune.Figures) string {
	if f.Incidents == 0 {
		return fmt.Sprintf("fired %s, %s in all", counted(f.Firings, "time", "times"), collector.FormatDuration(f.Firing))
	}
	return figuresText(f)
}

// episode is the first firing in what was judged, with what was before and after.
func (s *scribe) episode(w views.Wanted) (export.Episode, bool) {
	var first *trial.Answer
	at := -1
	for i := range w.Evidence {
		for k, e := range w.Evidence[i].Now.Episodes {
			if first == nil || e.Pending.Before(first.Now.Episodes[at].Pending) {
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
