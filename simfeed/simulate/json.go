package simulate

import (
	"bytes"
	"encoding/json"
	"fmt"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/play"
)

// The formats and their versions: within a version fields are only added.
const (
	runSchema        = "stormtop/run/v1"
	runsSchema       = "stormtop/runs/v1"
	comparisonSchema = "stormtop/comparison/v1"
)

// runDocument is one run. Field order is that of docs/formats.md.
type runDocument struct {
	Schema          string         `json:"schema"`
	Scenario        string         `json:"scenario"`
	Title           string         `json:"title"`
	Class           string         `json:"class"`   // watched
	Service         string         `json:"service"` // watched
	Set             []string       `json:"set"`
	Act             []string       `json:"act"`
	Seed            int64          `json:"seed"`
	ScenarioHash    string         `json:"scenario_hash"`
	Engine          int            `json:"engine"`
	Complete        bool           `json:"complete"`
	Verdict         string         `json:"verdict"`
	Judged          judgedDocument `json:"judged"`
	Events          uint64         `json:"events"`
	WallSeconds     float64        `json:"wall_seconds"`
	EventsPerSecond *float64       `json:"events_per_second"`
	EventHash       string         `json:"event_hash"`
	Summary         summary        `json:"summary"`
	Series          []second       `json:"series"`
}

type judgedDocument struct {
	TriggerFrom   float64  `json:"trigger_from"`
	TriggerTo     float64  `json:"trigger_to"`
	Delivered     float64  `json:"baseline_delivered"`
	Amplification float64  `json:"baseline_amplification"`
	RecoveredAt   *float64 `json:"recovered_at"`
	OutsideFor    int      `json:"outside_for"`
	ControlFailed *float64 `json:"control_failed_at"`
	TriggerOn     []string `json:"trigger_on"`
	OperatorOn    []string `json:"operator_on"`
}

// summary is figures by name, in their order; what does not exist is null.
type summary []chain.Figure

// MarshalJSON writes an object.
func (s summary) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, f := range s {
		if i > 0 {
			b = append(b, ',')
		}
		var v any
		if f.Known {
			v = f.Value
		}
		text, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", f.Name, err)
		}
		b = fmt.Appendf(b, "%q:%s", f.Name, text)
	}
	return append(b, '}'), nil
}

func (p *plan) writeRun(out *bytes.Buffer, r outcome) error {
	class, service := r.Scenario.Watched()
	doc := runDocument{
		Schema: runSchema, Scenario: p.scenario.FullName(), Title: p.scenario.Title, Class: class, Service: service,
		Set: p.settings(), Act: append([]string{}, p.actions...), Seed: r.Seed, ScenarioHash: r.ScenarioHash, Engine: r.Engine,
		Complete: r.Complete, Verdict: r.Verdict.String(), Events: r.Events, WallSeconds: r.wall.Seconds(),
		EventHash: fmt.Sprintf("%016x", r.EventHash), Summary: r.Figures,
		Judged: judgedDocument{
			TriggerFrom: r.Judged.From.Seconds(), TriggerTo: r.Judged.To.Seconds(), Delivered: r.Judged.Delivered,
			Amplification: r.Judged.Amplification, OutsideFor: r.Judged.OutsideFor,
			TriggerOn: r.Judged.TriggerOn, OperatorOn: r.Judged.OperatorOn,
		},
		Series: make([]second, 0, len(r.Windows)),
	}
	if s := r.wall.Seconds(); s > 0 {
		rate := float64(r.Events) / s
		doc.EventsPerSecond = &rate
	}
	if r.Verdict == chain.Recovered {
		at := r.Judged.RecoveredAt.Seconds()
		doc.Judged.RecoveredAt = &at
	}
	if r.Verdict == chain.UnstableWithout {
		at := r.Judged.ControlFailed.Seconds()
		doc.Judged.ControlFailed = &at
	}
	course := play.NewCourse(&p.scenario)
	for i := range r.Windows {
		doc.Series = append(doc.Series, secondOf(course, &r.Windows[i]))
	}
	return encode(out, doc)
}

// settings are those of --set, as they were written.
func (p *plan) settings() []string {
	out := []string{}
	for _, s := range p.set {
		out = append(out, s.Field+"="+s.Value)
	}
	return out
}

func encode(out *bytes.Buffer, doc any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("writing the results as JSON: %w", err)
	}
	return nil
}

type runsDocument struct {
	Schema   string         `json:"schema"`
	Scenario string         `json:"scenario"`
	Title    string         `json:"title"`
	Set      []string       `json:"set"`
	Act      []string       `json:"act"`
	Seed     int64          `json:"seed"` // of the first run
	Asked    int            `json:"asked"`
	Complete bool           `json:"complete"`
	Verdicts map[string]int `json:"verdicts"`
	Figures  spreadsOf      `json:"figures"`
	Runs     []runOfMany    `json:"runs"`
}

type runOfMany struct {
	Seed      int64   `json:"seed"`
	Verdict   string  `json:"verdict"`
	Events    uint64  `json:"events"`
	EventHash string  `json:"event_hash"`
	Summary   summary `json:"summary"`
}

// spreadsOf are figures over many runs by name, in their order.
type spreadsOf []spread

// MarshalJSON writes an object.
func (s spreadsOf) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, f := range s {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%q:{\"unit\":%q,\"runs\":%d", f.name, f.unit, f.known)
		values := map[string]any{"mean": nil}
		order := []string{"mean"}
		if f.known > 0 {
			values["mean"] = f.mean
		}
		for j, q := range quantiles {
			order = append(order, q.name)
			values[q.name] = nil
			if f.known > 0 {
				values[q.name] = f.quantiles[j]
			}
		}
		for _, name := range order {
			text, err := json.Marshal(values[name])
			if err != nil {
				return nil, fmt.Errorf("figure %s: %w", f.name, err)
			}
			b = fmt.Appendf(b, ",%q:%s", name, text)
		}
		b = append(b, '}')
	}
	return append(b, '}'), nil
}

func verdictMap(runs []figuresOf) map[string]int {
	out := map[string]int{}
	for _, v := range verdicts(runs) {
		out[v.verdict.String()] = v.runs
	}
	return out
}

func (p *plan) writeRuns(out *bytes.Buffer, runs []figuresOf) error {
	doc := runsDocument{
		Schema: runsSchema, Scenario: p.scenario.FullName(), Title: p.scenario.Title, Set: p.settings(),
		Act: append([]string{}, p.actions...), Seed: p.seed, Asked: p.runs, Complete: len(runs) == p.runs,
		Verdicts: verdictMap(runs), Figures: spreads(runs), Runs: []runOfMany{},
	}
	for _, r := range runs {
		doc.Runs = append(doc.Runs, runOfMany{r.seed, r.verdict.String(), r.events, fmt.Sprintf("%016x", r.hash), r.figures})
	}
	return encode(out, doc)
}

type comparisonDocument struct {
	Schema   string              `json:"schema"`
	Scenario string              `json:"scenario"`
	Title    string              `json:"title"`
	Set      []string            `json:"set"`
	Act      []string            `json:"act"`
	Seed     int64               `json:"seed"`
	Asked    int                 `json:"asked"` // runs of each
	Complete bool                `json:"complete"`
	Policies []contenderDocument `json:"policies"`
}

type contenderDocument struct {
	Name     string         `json:"name"`
	Title    string         `json:"title"`
	Runs     int            `json:"runs"`
	Verdicts map[string]int `json:"verdicts"`
	Figures  spreadsOf      `json:"figures"`
}

func (p *plan) writeComparison(out *bytes.Buffer, all []compared) error {
	doc := comparisonDocument{
		Schema: comparisonSchema, Scenario: p.scenario.FullName(), Title: p.scenario.Title, Set: p.settings(),
		Act: append([]string{}, p.actions...), Seed: p.seed, Asked: p.runs, Complete: len(all) == len(p.compare),
		Policies: []contenderDocument{},
	}
	for _, c := range all {
		doc.Complete = doc.Complete && len(c.runs) == p.runs
		doc.Policies = append(doc.Policies, contenderDocument{c.name, c.title, len(c.runs), verdictMap(c.runs), spreads(c.runs)})
	}
	return encode(out, doc)
}

// number is a value as JSON holds it: nil where it is no finite number.
func number(v collector.Value) *float64 {
	n, ok := v.Number()
	if !ok {
		return nil
	}
	return &n
}
