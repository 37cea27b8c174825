package views

import (
	"iter"
	"math"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/alerts"
	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// court stands for what is behind the screens of the rules: it judges what it
// read, and keeps what it was asked for.
type court struct {
	readings []*collector.Reading
	watch    *watch.Watch

	said    []string
	asked   []Query
	wanted  []Wanted
	written []int
	owned   []collector.RuleSpec // of people's own, in force
	deaf    bool                 // questions are kept, and not answered
}

// someRules are the documented ones and the early warnings.
func someRules() []collector.RuleSpec { return append(alerts.Documented(), alerts.Early()...) }

// newCourt read the storm from one offset to another.
func newCourt(targets int, from, to time.Duration) *court {
	c := &court{readings: watchtest.Storm{Targets: targets}.Readings(from, to), watch: watch.New(someRules(), time.Hour, watch.DefaultTargets)}
	for _, r := range c.readings {
		c.watch.Add(r)
	}
	return c
}

// incident marks the storm as far as it was read.
func (c *court) incident() *court {
	for _, mark := range []collector.Mark{{At: watchtest.Start.Add(watchtest.Rise), Text: "storm"}, {At: watchtest.Start.Add(watchtest.Subsides), Text: "over"}} {
		c.watch.Note(collector.Event{Kind: collector.EventMark, At: mark.At, Text: mark.Text})
	}
	return c
}

func (c *court) past(q Query) iter.Seq[*collector.Reading] {
	return slices.Values(slices.DeleteFunc(slices.Clone(c.readings), func(r *collector.Reading) bool { return r.At.Before(q.From) || r.At.After(q.To) }))
}

func incidentsOf(s watch.Snapshot) []tune.Incident {
	var out []tune.Incident
	for _, i := range s.Incidents() {
		out = append(out, tune.Incident{From: i.From.At, To: i.To.At, Text: tune.MarkedText})
	}
	return out
}

// ruled is a screen of a court, after keys.
func ruled(t testing.TB, c *court, w, h int, opt Options, keys ...string) *Model {
	t.Helper()
	opt.Span = 50 * time.Minute
	var m *Model
	opt.Judge = func(q Query) { c.asked = append(c.asked, q) }
	opt.SetRules = func(rules []collector.RuleSpec, said string) {
		c.said = append(c.said, said)
		c.watch.SetRules(rules, collector.Event{Text: said})
	}
	opt.SetOwn = func(id string, to collector.RuleSpec, said string) {
		c.said, c.owned = append(c.said, id+" "+said), append(c.owned, to)
	}
	opt.Propose = func(w Wanted) { c.wanted = append(c.wanted, w) }
	opt.Write = func(serial int) { c.written = append(c.written, serial) }
	opt.Mark = func(mark collector.Mark) {}
	m = New(opt)
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	m.Update(SnapshotMsg{Snapshot: c.watch.Snapshot()})
	last := c.readings[len(c.readings)-1]
	m.Update(TickMsg{At: last.At.Add(2 * time.Second)})
	c.press(m, keys...)
	return m
}

// ownCourse is what people's own rules look at: the amplification of the target
// that burns; of one that has no threshold whether that is above 2x.
func (c *court) ownCourse(q Query) tune.Course {
	var at []time.Time
	var samples []alerts.Sample
	burns := c.burns()
	for r := range c.past(q) {
		s := alerts.Sample{Value: math.NaN(), Traffic: math.Inf(1), Why: alerts.WhyNoData}
		if row, ok := r.Row(burns.ID); ok {
			if v, ok := row.Values[collector.Amplification].Number(); ok && q.Own != "fixed" {
				s.Value, s.Why = v, alerts.WhyNone
			} else if ok && v > 2 {
				s.Value, s.Why = 1, alerts.WhyNone
			}
		}
		at, samples = append(at, r.At), append(samples, s)
	}
	return tune.NewCourse(burns, at, samples)
}

// burns is the target that burns.
func (c *court) burns() collector.Target {
	for _, row := range c.readings[0].Targets {
		if row.Target.Name == "payments-channel" {
			return row.Target
		}
	}
	panic("nothing burns")
}

// press sends keys, and answers what they ask.
func (c *court) press(m *Model, keys ...string) {
	for _, k := range keys {
		press(m, k)
		c.answer(m)
	}
}

func (c *court) answer(m *Model) {
	if c.deaf {
		return
	}
	for _, q := range c.asked {
		p := trial.New(q.Rules, c.past(q), incidentsOf(q.Snapshot), q.Lens)
		if q.Own != "" {
			p.Join(trial.Own{Rule: q.Force, History: &tune.History{Courses: []tune.Course{c.ownCourse(q)}}, Tunable: q.Own != "fixed"}, q.Lens)
		}
		a, ok := p.Judge(q.Draft)
		if !ok {
			continue
		}
		if a.Before.Incidents > 0 {
			a.Truth = "marks"
		}
		m.Update(JudgedMsg{Serial: q.Serial, Answer: a})
		a.Land = p.Landscape(q.Draft)
		m.Update(JudgedMsg{Serial: q.Serial, Answer: a})
	}
	c.asked = nil
}
