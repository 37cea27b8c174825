package report

import (
	"io"
	"math"
	"time"

	"stormtop/alerts/tune"
	"stormtop/collector"
)

// Tuning is what the verb tune reports.
type Tuning struct {
	Source    string // cleaned
	From, To  time.Time
	RateRange time.Duration
	Interval  time.Duration // between evaluations
	Histories []*tune.History
	Studies   []tune.Study
	First     []tune.First // of one history alone
	Grid      bool         // show the maps
	Episodes  bool         // list every firing, in text
	Notes     []string
}

// TuningExit is the exit status that a tuning stands for.
func TuningExit(t Tuning) int {
	status := ExitOk
	for i := range t.Studies {
		s := &t.Studies[i]
		if s.Now.All.Firings > 0 {
			return ExitFiring
		}
		if !s.Judged {
			status = ExitUnjudged
		}
	}
	return status
}

type tuningJSON struct {
	Schema    string       `json:"schema"`
	Source    string       `json:"source"`
	From      *time.Time   `json:"from"`
	To        *time.Time   `json:"to"`
	RateRange string       `json:"rate_range"`
	Interval  string       `json:"interval"`
	Histories int          `json:"histories"`
	Evidence  string       `json:"evidence"`
	Incidents []incidentJS `json:"incidents"`
	Rules     []studyJSON  `json:"rules"`
	First     []firstJSON  `json:"first"`
	Notes     []string     `json:"notes"`
}

type incidentJS struct {
	History string    `json:"history"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	Text    string    `json:"text"`
}

type figuresJSON struct {
	Firings      int      `json:"firings"`
	Firing       float64  `json:"firing_seconds"`
	Flaps        int      `json:"flaps"`
	Incidents    int      `json:"incidents"`
	Found        int      `json:"found"`
	Lead         *float64 `json:"lead_seconds"`
	Median       *float64 `json:"median_lead_seconds"`
	FalseAlarm   float64  `json:"false_alarm_seconds"`
	WorstHistory float64  `json:"worst_false_alarm_seconds"`
}

type numbersJSON struct {
	Threshold float64 `json:"threshold"`
	For       string  `json:"for"`
}

type studyJSON struct {
	Name       string  `json:"name"`
	Signal     *string `json:"signal"`
	Expression *string `json:"expression"`
	From       *string `json:"from"`
	Judged     bool    `json:"judged"`
	numbersJSON
	Keep       string  `json:"keep_firing_for"`
	MinTraffic float64 `json:"min_traffic"`
	figuresJSON
	Episodes    []episodeJSON `json:"episodes"`
	Recommended *adviceJSON   `json:"recommended"`
	Landscape   *mapJSON      `json:"landscape,omitempty"`
}

type episodeJSON struct {
	History string     `json:"history"`
	Target  string     `json:"target"`
	Pending time.Time  `json:"pending"`
	Firing  time.Time  `json:"firing"`
	Ended   *time.Time `json:"ended"`
	Why     string     `json:"why"`
	False   bool       `json:"false_alarm"`
}

type adviceJSON struct {
	numbersJSON
	figuresJSON
	Least    float64     `json:"least_threshold"`
	Most     float64     `json:"most_threshold"`
	Shortest string      `json:"shortest_for"`
	Longest  string      `json:"longest_for"`
	Weak     *string     `json:"weak"`
	Quieter  *choiceJSON `json:"quieter"`
	More     *choiceJSON `json:"finds_more"`
	Unseen   *trialJSON  `json:"unseen"`
}

// choiceJSON is another point that could be had at a price.
type choiceJSON struct {
	numbersJSON
	Found      int      `json:"found"`
	Median     *float64 `json:"median_lead_seconds"`
	FalseAlarm float64  `json:"false_alarm_seconds"`
}

type trialJSON struct {
	Now         figuresJSON `json:"now"`
	Recommended figuresJSON `json:"recommended"`
}

type firstJSON struct {
	From  time.Time `json:"from"`
	Rule  *string   `json:"rule"`
	Lead  *float64  `json:"lead_seconds"`
	Next  *string   `json:"next"`
	Ahead *float64  `json:"ahead_seconds"`
}

type mapJSON struct {
	Thresholds []float64    `json:"thresholds"`
	Fors       []string     `json:"fors"`
	Lead       [][]*float64 `json:"lead_seconds"`
	Missed     [][]int      `json:"missed"`
	False      [][]float64  `json:"false_alarm_seconds"`
}

// TuningJSON writes a tuning as stormtop/tuning/v1, indented.
func TuningJSON(w io.Writer, t Tuning) error {
	out := tuningJSON{
		Schema: "stormtop/tuning/v1", Source: t.Source, From: known(t.From), To: known(t.To), RateRange: t.RateRange.String(),
		Interval: t.Interval.String(), Histories: len(t.Histories), Evidence: tune.Evidence(t.Histories...),
		Incidents: []incidentJS{}, Rules: []studyJSON{}, First: []firstJSON{}, Notes: append([]string{}, t.Notes...),
	}
	for _, h := range t.Histories {
		for _, i := range h.Incidents {
			out.Incidents = append(out.Incidents, incidentJS{collector.Clean(h.Name), i.From.UTC(), i.To.UTC(), collector.Clean(i.Text)})
		}
	}
	for i := range t.Studies {
		out.Rules = append(out.Rules, t.study(&t.Studies[i]))
	}
	for _, f := range t.First {
		one := firstJSON{From: f.Incident.From.UTC()}
		if f.Rule != "" {
			one.Rule, one.Lead = textOf(f.Rule), secondsOf(f.Lead)
		}
		if f.Next != "" {
			one.Next, one.Ahead = textOf(f.Next), secondsOf(f.Ahead)
		}
		out.First = append(out.First, one)
	}
	return encode(w, out, "  ")
}

func (t *Tuning) study(s *tune.Study) studyJSON {
	out := studyJSON{
		Name: collector.Clean(s.Spec.Name), Judged: s.Judged, numbersJSON: numbersJSON{s.Spec.Threshold, s.Spec.For.String()},
		Keep: s.Spec.KeepFiring.String(), MinTraffic: s.Spec.MinTraffic, figuresJSON: figuresOf(&s.Now), Episodes: []episodeJSON{},
	}
	if s.Own != nil {
		out.Expression, out.From = textOf(s.Own.Expr), textOf(s.Own.From)
	} else {
		out.Signal = textOf(s.Spec.Signal.String())
	}
	for i := range s.Now.Results {
		for _, e := range s.Now.Results[i].Episodes {
			out.Episodes = append(out.Episodes, episodeJSON{
				History: collector.Clean(s.Histories[i].Name), Target: collector.Clean(e.Target.Name), Pending: e.Pending, Firing: e.Firing,
				Ended: known(e.Ended), Why: whyOf(e), False: e.False,
			})
		}
	}
	if s.Map == nil {
		return out
	}
	a := &s.Advice
	out.Recommended = &adviceJSON{
		numbersJSON: numbersJSON{a.Threshold, a.For.String()}, figuresJSON: figuresOf(&s.Tuned), Least: a.Least, Most: a.Most,
		Shortest: a.Shortest.String(), Longest: a.Longest.String(),
		Quieter: choiceOf(a.Quieter, s.Map.Incidents), More: choiceOf(a.More, s.Map.Incidents),
	}
	if a.Weak != "" {
		out.Recommended.Weak = textOf(a.Weak)
	}
	if s.Unseen != nil {
		out.Recommended.Unseen = &trialJSON{figuresOf(&s.Unseen.Now), figuresOf(&s.Unseen.Tuned)}
	}
	if t.Grid {
		out.Landscape = mapOf(s.Map)
	}
	return out
}

func choiceOf(c *tune.Choice, incidents int) *choiceJSON {
	if c == nil {
		return nil
	}
	out := &choiceJSON{numbersJSON: numbersJSON{c.Threshold, c.For.String()}, Found: incidents - c.Cell.Missed, FalseAlarm: c.Cell.False.Seconds()}
	if c.Cell.Found(incidents) {
		out.Median = secondsOf(c.Cell.Median)
	}
	return out
}

// whyOf is what ended an episode; one that goes on says so.
func whyOf(e tune.Episode) string {
	if e.Ended.IsZero() {
		return "goes on"
	}
	return e.Why.String()
}

func figuresOf(j *tune.Judge) figuresJSON {
	f := &j.All
	out := figuresJSON{
		Firings: f.Firings, Firing: f.Firing.Seconds(), Flaps: f.Flaps, Incidents: f.Incidents, Found: f.Found,
		FalseAlarm: f.False.Seconds(), WorstHistory: j.Worst.False.Seconds(),
	}
	if f.Found > 0 {
		out.Lead, out.Median = secondsOf(f.Lead), secondsOf(f.Median)
	}
	return out
}

func mapOf(m *tune.Map) *mapJSON {
	out := &mapJSON{Thresholds: m.Thresholds}
	for y, hold := range m.Fors {
		out.Fors = append(out.Fors, hold.String())
		var lead []*float64
		var missed []int
		var wrong []float64
		for x := range m.Thresholds {
			c := m.At(x, y)
			if c.Found(m.Incidents) {
				lead = append(lead, secondsOf(c.Lead))
			} else {
				lead = append(lead, nil)
			}
			missed, wrong = append(missed, c.Missed), append(wrong, c.False.Seconds())
		}
		out.Lead, out.Missed, out.False = append(out.Lead, lead), append(out.Missed, missed), append(out.False, wrong)
	}
	return out
}

func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func textOf(s string) *string {
	s = collector.Clean(s)
	return &s
}

func secondsOf(d time.Duration) *float64 {
	f := math.Round(d.Seconds()*1000) / 1000
	return &f
}
