package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/tune"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/simfeed/lab"
	"stormtop/simfeed/play"
	"stormtop/simfeed/scenario"
	"stormtop/views/report"
)

// study is the verb tune at work.
type study struct {
	r      *resolved
	s      settings
	in     ruleInput
	rules  []collector.RuleSpec // of stormtop, that are looked at
	client *prom.Client         // nil where no Prometheus is asked
	server *prom.Source         // the same
	notes  []string

	first    []*collector.Reading // of the first history, where a test is to be made of it
	profile  string               // of the readings
	from, to time.Time
	rate     time.Duration
	alone    bool // the server has no known system: people's own rules alone are judged
}

func newStudy(r *resolved, in ruleInput) *study { return &study{r: r, s: r.settings, in: in} }

// run reads the past and judges it.
func (s *study) run(ctx context.Context) (report.Tuning, error) {
	known, unknown, err := s.stretches()
	if err != nil {
		return report.Tuning{}, err
	}
	if err := s.choose(); err != nil {
		return report.Tuning{}, err
	}
	histories, err := s.histories(ctx, known, true)
	if err != nil {
		return report.Tuning{}, err
	}
	unseen, err := s.histories(ctx, unknown, false)
	if err != nil {
		return report.Tuning{}, err
	}
	out := report.Tuning{
		Source: s.source(), From: s.from, To: s.to, RateRange: s.rate, Grid: s.s.tuning.grid, Episodes: s.s.tuning.steps,
	}
	for i, spec := range s.rules {
		if spec.Both == ([2]string{}) {
			out.Studies = append(out.Studies, tune.Examine(spec, nil, histories[i], unseen[i]))
			continue
		}
		a, b := s.place(spec.Both[0]), s.place(spec.Both[1])
		out.Studies = append(out.Studies, tune.ExaminePair(spec, s.rules[a], s.rules[b], histories[a], histories[b]))
	}
	own, err := s.ownStudies(ctx, histories)
	if err != nil {
		return report.Tuning{}, err
	}
	out.Studies = slices.DeleteFunc(append(out.Studies, own...), func(st tune.Study) bool { return !s.wanted(st.Spec.Name) })
	if len(histories) > 0 {
		out.Histories = histories[0]
	}
	if len(known) == 1 {
		out.First = s.warnedFirst(out.Studies)
	}
	if len(out.Histories) > 0 {
		out.Interval = cmp.Or(out.Histories[0].Step(), s.aloneStep())
	}
	return out, nil
}

// choose settles which rules are looked at: those that are on, and what was
// named; the parts of a rule made of two others come with it.
func (s *study) choose() error {
	var names []string
	known := func(name string) bool {
		return slices.ContainsFunc(s.in.rules, func(r collector.RuleSpec) bool { return r.Name == name })
	}
	for _, r := range alerts.Early() { // they come switched off, and are looked at by name
		if !known(r.Name) {
			s.in.rules = append(s.in.rules, r)
		}
	}
	for _, r := range s.in.rules {
		names = append(names, r.Name)
		if !r.Off || slices.Contains(s.s.tuning.only, r.Name) {
			r.Off = false
			s.rules = append(s.rules, r)
		}
	}
	for _, r := range s.in.own {
		names = append(names, r.Name)
	}
	for _, name := range s.s.tuning.only {
		if !slices.Contains(names, name) && !s.s.tuning.server {
			return fmt.Errorf("--rule=%s: there is no such rule; there are %s", collector.Clean(name), strings.Join(names, ", "))
		}
	}
	s.rules = slices.DeleteFunc(s.rules, func(r collector.RuleSpec) bool {
		return r.Both != ([2]string{}) && (s.place(r.Both[0]) < 0 || s.place(r.Both[1]) < 0)
	})
	return nil
}

func (s *study) wanted(name string) bool {
	return len(s.s.tuning.only) == 0 || slices.Contains(s.s.tuning.only, name)
}

func (s *study) place(name string) int {
	return slices.IndexFunc(s.rules, func(r collector.RuleSpec) bool { return r.Name == name })
}

// stretches are the pasts that rules are tuned on, and those that they are judged on.
func (s *study) stretches() (known, unknown []story, err error) {
	switch s.s.kind() {
	case promSource:
		st, err := s.served()
		return []story{st}, nil, err
	case replaySource:
		st, rules, err := recorded(s.s)
		if s.s.rulesFile == "" && !s.r.rulesGiven() && len(rules) > 0 {
			s.in.rules = rules
		}
		return []story{st}, nil, err
	}
	seeds := s.s.tuning.seeds
	if len(seeds) == 0 {
		seeds = []int64{s.s.seed.or(defaultSeedOf(s.s.sim))}
	}
	for _, seed := range seeds {
		st, err := simulated(s.s, seed)
		if err != nil {
			return nil, nil, err
		}
		known = append(known, st)
	}
	for _, seed := range s.s.tuning.judge {
		st, err := simulated(s.s, seed)
		if err != nil {
			return nil, nil, err
		}
		unknown = append(unknown, st)
	}
	return known, unknown, nil
}

// served is the past of a Prometheus.
func (s *study) served() (story, error) {
	cfg, err := promConfig(s.s, s.in.rules, &loading{})
	if err != nil {
		return story{}, err
	}
	if cfg.Interval == 0 {
		cfg.Interval = s.s.tuning.evaluate
	}
	src, notes, err := prom.Open(cfg)
	if err != nil {
		return story{}, err
	}
	s.notes = append(s.notes, notes...)
	s.client, s.server = src.Aside(), src
	now := time.Now()
	from, to := s.s.from.resolve(now), s.s.to.resolve(now)
	if !from.Before(to) {
		return story{}, fmt.Errorf("--from=%s is not before --to=%s", s.s.from.text, s.s.to.text)
	}
	return story{name: s.client.Label(), readings: func(ctx context.Context, each func(*collector.Reading) error) error {
		err := src.Judgeable(ctx, from, to)
		if err == nil {
			err = src.Through(ctx, from, to, each)
		}
		var no *prom.Refused
		if errors.As(err, &no) && no.Kind == collector.NothingFound && (len(s.in.own) > 0 || s.s.tuning.server) {
			s.notes = append(s.notes, err.Error())
			s.alone, s.from, s.to = true, from.Truncate(time.Second), to.Truncate(time.Second)
			return nil
		}
		return err
	}}, nil
}

// virtualStart is when simulations begin that are not shown: any whole hour.
var virtualStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// simulated is a simulation as a stretch, with its truth.
func simulated(set settings, seed int64) (story, error) {
	if set.sim == demoSim || strings.HasPrefix(set.sim, labPrefix) {
		return simulatedLab(set, seed)
	}
	chosen, err := scenario.Named(set.sim, readScenario)
	if err != nil {
		return story{}, fmt.Errorf("--sim: %w", err)
	}
	chosen.Loop = false // once each seed
	cfg := play.Config{Scenario: chosen, Source: "sim:" + chosen.FullName(), Seed: seed, Start: virtualStart, Baseline: set.baseline.number}
	out := story{name: fmt.Sprintf("%s, seed %d", cfg.Source, seed)}
	out.readings = func(ctx context.Context, each func(*collector.Reading) error) error {
		now, err := play.NewFeed(cfg)
		if err != nil {
			return fmt.Errorf("--sim=%s: %w", set.sim, err)
		}
		for {
			r, err := now.Next(ctx)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err = errors.Join(err, ctx.Err()); err == nil {
				err = each(r)
			}
			if err != nil {
				return err
			}
		}
	}
	return out, nil
}

// defaultSeedOf is the seed of a simulation that was named without one.
func defaultSeedOf(sim string) int64 {
	if sim == demoSim || strings.HasPrefix(sim, labPrefix) {
		return lab.DefaultSeed
	}
	return defaultSeed
}

// simulatedLab is one of the outage lab.
func simulatedLab(set settings, seed int64) (story, error) {
	cfg := lab.Demo(seed)
	if list, ok := strings.CutPrefix(set.sim, labPrefix); ok {
		var err error
		if cfg, err = lab.Play(list, seed); err != nil {
			return story{}, fmt.Errorf("--sim=%s: %w", set.sim, err)
		}
	}
	cfg.Start, cfg.Span, cfg.Baseline = virtualStart, set.span, set.baseline.number
	if set.span == defaultSpan {
		cfg.Span = time.Hour // long enough for a dozen outages
	}
	out := story{name: fmt.Sprintf("%s, seed %d", cfg.Source, seed)}
	loops := slices.ContainsFunc(cfg.Targets, func(t lab.FeedTarget) bool { return t.Loop })
	out.readings = func(ctx context.Context, each func(*collector.Reading) error) error {
		src, err := lab.NewFeed(cfg)
		if err != nil {
			return fmt.Errorf("--sim=%s: %w", set.sim, err)
		}
		for {
			r, err := src.Next(ctx)
			switch {
			case errors.Is(err, io.EOF) || err == nil && loops && !r.Past:
				return nil
			case err != nil:
				return err
			}
			if err := each(r); err != nil {
				return err
			}
		}
	}
	return out, nil
}

// truthJoin is how long a pause within one incident of a simulation may be.
const truthJoin = 15 * time.Second

// histories judge-ready, by rule and then by stretch. lead notes what is said of
// the whole.
func (s *study) histories(ctx context.Context, list []story, lead bool) ([][]*tune.History, error) {
	out := make([][]*tune.History, len(s.rules))
	for n, st := range list {
		one, err := s.history(ctx, st, lead && n == 0)
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i] = append(out[i], one[i])
		}
	}
	return out, nil
}

// history is one stretch as every rule saw it.
func (s *study) history(ctx context.Context, st story, lead bool) ([]*tune.History, error) {
	b, truth := tune.NewBuilder(s.rules), tune.Truth{Text: overloadedText, Join: truthJoin, Midway: st.midway}
	var wider *tune.Wider
	var last collector.Reading
	var first time.Time
	err := st.readings(ctx, func(r *collector.Reading) error {
		if r.Overload.Known() {
			truth.Note(r.At, r.Overload == collector.Overloaded)
		}
		if s.s.rate > 0 && s.s.kind() != promSource {
			var err error
			if wider == nil {
				if wider, err = tune.NewWider(r.Origin, s.s.rate); err != nil {
					return fmt.Errorf("--rate=%s: %w", collector.FormatInterval(s.s.rate), err)
				}
			}
			r = wider.Next(r)
		}
		if first.IsZero() {
			first = r.At
		}
		last = *r
		b.Add(r)
		if lead && s.s.tuning.output != "" && len(s.first) < mostKept {
			s.first = append(s.first, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if b.Len() == 0 && !s.alone {
		return nil, fmt.Errorf("%s: %w", st.name, errNothingThere)
	}
	if s.alone {
		first, last.At = s.from, s.to
	}
	if lead {
		s.from, s.to = first, last.At
		if last.Origin != nil {
			s.rate, s.profile = last.Origin.RateRange, last.Origin.Profile
		}
	}
	if seen := last.At.Sub(first); s.s.rate > seen && s.s.kind() != promSource {
		return nil, fmt.Errorf("--rate=%s is longer than %s, which is of %s", collector.FormatInterval(s.s.rate), st.name, collector.FormatInterval(seen))
	}
	incidents, notes, err := incidentsOf(s.s, st, &truth, first, last.At)
	if err != nil {
		return nil, err
	}
	if asked, err := s.alertIncidents(ctx); err != nil {
		return nil, err
	} else if len(asked) > 0 {
		incidents = append(incidents, asked...)
	}
	incidents, begun := tune.Split(incidents, first, last.At, cmp.Or(b.Step(), s.aloneStep()))
	if lead {
		s.notes = append(append(s.notes, notes...), cutNotes(begun, first)...)
		if len(incidents) == 0 && !truth.Known() {
			s.notes = append(s.notes, nothingBad)
		}
	}
	out := make([]*tune.History, len(s.rules))
	for i := range out {
		h := b.History(i)
		h.Name, h.Incidents, h.Begun = st.name, incidents, begun
		if s.s.tuning.evaluate > 0 {
			if h, err = h.Every(s.s.tuning.evaluate); err != nil {
				return nil, fmt.Errorf("--evaluate: %w", err)
			}
		}
		out[i] = h
	}
	return out, nil
}

// nothingBad says what numbers are worth that nothing bad speaks for.
const nothingBad = "without an incident what is recommended only keeps quiet, be it in an outage: say when it was bad with --incident=FROM/TO, --incident-file, --incident-alert of a server, or two marks of a recording"

// cutNotes say which incidents a history shows only the rest of.
func cutNotes(begun []tune.Incident, from time.Time) []string {
	var out []string
	for _, i := range begun {
		if i.To.Before(from) {
			continue
		}
		out = append(out, fmt.Sprintf("the incident up to %s (%s) is left out: it began before the history, which is from %s on; begin that earlier",
			i.To.UTC().Format(time.RFC3339), collector.Clean(i.Text), from.UTC().Format(time.RFC3339)))
	}
	return out
}

// mostKept bounds the readings that are kept for a test file.
const mostKept = 50_000

func (s *study) source() string {
	switch s.s.kind() {
	case promSource:
		return s.client.Label()
	case replaySource:
		return collector.Clean(s.s.replay)
	}
	if s.s.sim == "" {
		return demoSim
	}
	return collector.Clean(s.s.sim)
}

// warnedFirst compares the rules of one history.
func (s *study) warnedFirst(list []tune.Study) []tune.First {
	var results []tune.Result
	for i := range list {
		if list[i].Spec.Both == ([2]string{}) && len(list[i].Now.Results) == 1 {
			results = append(results, list[i].Now.Results[0])
		}
	}
	return tune.WarnedFirst(results)
}
