package recording

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"stormtop/collector"
)

// originLine is a line that says that the source describes itself in another way
// from here on.
type originLine struct {
	Type   string      `json:"type"`
	Origin *originWire `json:"origin"`
}

type originWire struct {
	Source    text           `json:"source"`
	Profile   text           `json:"profile,omitempty"`
	Simulated bool           `json:"simulated,omitempty"`
	Replay    bool           `json:"replay,omitempty"`
	Speed     number         `json:"speed,omitempty"`
	Interval  duration       `json:"interval"`
	RateRange duration       `json:"rate_range"`
	Scrape    duration       `json:"scrape,omitempty"`
	Drift     duration       `json:"drift,omitempty"`
	Baselines *baselinesWire `json:"baselines,omitempty"`
	Systems   []systemWire   `json:"systems,omitempty"`
	Offered   []text         `json:"offered,omitempty"`
	Grouping  string         `json:"grouping,omitempty"`
	Groupings []string       `json:"groupings,omitempty"`
	Note      text           `json:"note,omitempty"`
}

func wireOrigin(o *collector.Origin) *originWire {
	w := &originWire{
		Source: text(o.Source), Profile: text(o.Profile), Simulated: o.Simulated, Replay: o.Replay, Speed: number(o.Speed),
		Interval: duration(o.Interval), RateRange: duration(o.RateRange), Scrape: duration(o.Scrape), Drift: duration(o.Drift),
		Baselines: wireBaselines(o.Baselines), Offered: texts(o.Offered), Grouping: nameOf(o.Grouping), Note: text(o.Note),
	}
	for i := range o.Systems {
		w.Systems = append(w.Systems, wireSystem(&o.Systems[i]))
	}
	for _, g := range o.Groupings {
		w.Groupings = append(w.Groupings, g.String())
	}
	return w
}

func (w *originWire) origin() (*collector.Origin, error) {
	o := &collector.Origin{
		Source: w.Source.clean(), Profile: w.Profile.clean(), Simulated: w.Simulated, Replay: w.Replay, Speed: float64(w.Speed),
		Interval: time.Duration(w.Interval), RateRange: time.Duration(w.RateRange), Scrape: time.Duration(w.Scrape),
		Drift: time.Duration(w.Drift), Offered: cleaned(w.Offered), Note: w.Note.clean(),
	}
	if w.Baselines != nil {
		o.Baselines = w.Baselines.baselines()
	}
	if len(w.Systems) > maxSystems {
		return nil, fmt.Errorf("an origin has more than %d systems", maxSystems)
	}
	for i := range w.Systems {
		s, err := w.Systems[i].system()
		if err != nil {
			return nil, err
		}
		o.Systems = append(o.Systems, s)
	}
	var err error
	if o.Grouping, err = parseGrouping(w.Grouping); err != nil {
		return nil, err
	}
	for _, name := range w.Groupings {
		g, err := parseGrouping(name)
		if err != nil {
			return nil, err
		}
		o.Groupings = append(o.Groupings, g)
	}
	return o, nil
}

func parseGrouping(name string) (collector.Grouping, error) {
	return named[collector.Grouping]("grouping", name)
}

// A baselinesWire lists its maps by key, since an ID may hold any bytes.
type baselinesWire struct {
	Number  number         `json:"number,omitempty"`
	Of      []baselineWire `json:"of,omitempty"`
	Learned []baselineWire `json:"learned,omitempty"`
	From    text           `json:"from,omitempty"`
}

type baselineWire struct {
	Key      text   `json:"key"`
	Baseline number `json:"baseline"`
}

func wireBaselines(b collector.Baselines) *baselinesWire {
	if b.Number == 0 && len(b.Of) == 0 && len(b.Learned) == 0 && b.From == "" {
		return nil
	}
	return &baselinesWire{number(b.Number), wireMap(b.Of), wireMap(b.Learned), text(b.From)}
}

func (w *baselinesWire) baselines() collector.Baselines {
	return collector.Baselines{Number: float64(w.Number), Of: mapOf(w.Of), Learned: mapOf(w.Learned), From: w.From.clean()}
}

func wireMap(m map[string]float64) []baselineWire {
	var out []baselineWire
	for _, key := range slices.SortedFunc(maps.Keys(m), cmp.Compare[string]) {
		out = append(out, baselineWire{text(key), number(m[key])})
	}
	return out
}

func mapOf(list []baselineWire) map[string]float64 {
	if len(list) == 0 {
		return nil
	}
	out := make(map[string]float64, len(list))
	for _, b := range list {
		out[string(b.Key)] = float64(b.Baseline)
	}
	return out
}

type systemWire struct {
	Profile   text            `json:"profile"`
	Title     text            `json:"title,omitempty"`
	Kind      string          `json:"kind,omitempty"`
	Trust     string          `json:"trust,omitempty"`
	Unproven  bool            `json:"unproven,omitempty"`
	By        []text          `json:"by,omitzero"` // null and [] are two things
	CannotSee text            `json:"cannot_see,omitempty"`
	Notes     text            `json:"notes,omitempty"`
	Explain   map[string]text `json:"explain,omitempty"`
	Asked     []string        `json:"asked,omitempty"`
}

func wireSystem(s *collector.System) systemWire {
	w := systemWire{
		Profile: text(s.Profile), Title: text(s.Title), Kind: kindName(s.Kind), Trust: nameOf(s.Trust), Unproven: s.Unproven,
		CannotSee: text(s.CannotSee), Notes: text(s.Notes),
	}
	if s.By != nil {
		w.By = append([]text{}, texts(s.By)...)
	}
	for _, signal := range collector.Signals() {
		if s.Asked[signal] {
			w.Asked = append(w.Asked, signal.String())
		}
		if s.Explain[signal] == "" {
			continue
		}
		if w.Explain == nil {
			w.Explain = map[string]text{}
		}
		w.Explain[signal.String()] = text(s.Explain[signal])
	}
	return w
}

func (w *systemWire) system() (collector.System, error) {
	s := collector.System{
		Profile: w.Profile.clean(), Title: w.Title.clean(), Unproven: w.Unproven,
		CannotSee: w.CannotSee.clean(), Notes: w.Notes.lines(),
	}
	if w.By != nil {
		s.By = make([]string, len(w.By))
	}
	for i, label := range w.By {
		s.By[i] = string(label)
	}
	var err error
	if s.Kind, err = parseKind(w.Kind); err != nil {
		return s, err
	}
	if s.Trust, err = named[collector.Trust]("trust", w.Trust); err != nil {
		return s, err
	}
	for _, name := range w.Asked {
		if signal, err := collector.ParseSignal(name); err == nil {
			s.Asked[signal] = true
		}
	}
	for name, query := range w.Explain {
		// A signal of a newer version has no place here, and is no reason to refuse.
		if signal, err := collector.ParseSignal(name); err == nil {
			s.Explain[signal] = query.lines()
		}
	}
	return s, nil
}
