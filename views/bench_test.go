package views

import (
	"math"
	"strconv"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/alerts"
	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

func BenchmarkFrame200x60(b *testing.B) {
	m := shown(b, "firing", 200, 60, Options{})
	b.ReportAllocs()
	for b.Loop() {
		m.fresh = false
		m.Frame()
	}
}

func BenchmarkFrame80x24(b *testing.B) {
	m := shown(b, "firing", 80, 24, Options{})
	b.ReportAllocs()
	for b.Loop() {
		m.fresh = false
		m.Frame()
	}
}

func BenchmarkCachedFrame(b *testing.B) {
	m := shown(b, "firing", 200, 60, Options{})
	m.Frame()
	b.ReportAllocs()
	for b.Loop() {
		m.View()
	}
}

// crowd is the list of ten thousand targets of which one burns, and two
// snapshots of it.
func crowd(b *testing.B) (*Model, [2]SnapshotMsg) {
	b.Helper()
	s := watchtest.Storm{Targets: 10_000}
	var out [2]SnapshotMsg
	for i := range out {
		end := watchtest.Plateau + time.Duration(i)*watchtest.Step
		out[i].Snapshot = watchtest.Play(alerts.Documented(), s.Readings(end-time.Minute, end)...)
	}
	m := New(Options{Span: 15 * time.Minute})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.Update(out[0])
	press(m, "2", "s", "s", "s")
	m.Frame()
	b.ReportAllocs()
	return m, out
}

func BenchmarkTenThousandTargetsNewSnapshot(b *testing.B) {
	m, snaps := crowd(b)
	for i := 0; b.Loop(); i++ {
		m.Update(snaps[i%2])
		m.Frame()
	}
}

func BenchmarkTenThousandTargetsNewSnapshotFiltered(b *testing.B) {
	m, snaps := crowd(b)
	press(m, "/")
	typing(m, "^(pay|s).*[0-9]$")
	for i := 0; b.Loop(); i++ {
		m.Update(snaps[i%2])
		m.Frame()
	}
}

func BenchmarkTenThousandTargetsKey(b *testing.B) {
	m, _ := crowd(b)
	for i := 0; b.Loop(); i++ {
		press(m, []string{"down", "pgdown", "up", "home"}[i%4])
		m.Frame()
	}
}

func BenchmarkTenThousandTargetsSort(b *testing.B) {
	m, _ := crowd(b)
	for b.Loop() {
		press(m, "s")
		m.Frame()
	}
}

func BenchmarkTenThousandTargetsFilterWord(b *testing.B) { filtered(b, "a", "b") }
func BenchmarkTenThousandTargetsFilterExpression(b *testing.B) {
	filtered(b, "^(pay|s).*[0-9]$", "s[a-m]+-.*7")
}

// filtered puts one filter after the other in force.
func filtered(b *testing.B, texts ...string) {
	m, _ := crowd(b)
	press(m, "/")
	for i := 0; b.Loop(); i++ {
		m.editor = newEditor(texts[i%2])
		m.refilter()
		m.Frame()
	}
}

func BenchmarkTargetFrame120x40(b *testing.B) {
	m := shown(b, "firing", 120, 40, Options{})
	press(m, "enter")
	b.ReportAllocs()
	for b.Loop() {
		m.fresh = false
		m.Frame()
	}
}

// BenchmarkTuningKey is a key that turns a number, and the screen that follows it
// before and after the answer.
func BenchmarkTuningKey(b *testing.B) {
	c := overCourt().incident()
	m := ruled(b, c, 120, 40, Options{}, "t")
	c.deaf = true
	p := trial.New(someRules(), c.past(Query{From: m.begin(), To: m.edge()}), incidentsOf(c.watch.Snapshot()), trial.Lens{})
	p.Landscape(m.draftOf(alerts.RetryAmplificationHigh))
	turnsLeftAndRight(b, m, c, p)
}

// BenchmarkTuningOwnKey is the same of one of people's own rules, over as many
// evaluations as are asked for (a day at 30 s) of 50 series.
func BenchmarkTuningOwnKey(b *testing.B) {
	c := overCourt().incident()
	m := ruled(b, c, 200, 60, Options{}, "4")
	m.Update(ownRules())
	press(m, "end", "up", "up", "up", "t")
	c.deaf = true
	h := &tune.History{}
	at := make([]time.Time, 2880)
	for i := range at {
		at[i] = watchtest.Start.Add(time.Duration(i) * time.Second)
	}
	for k := range 50 {
		samples := make([]alerts.Sample, len(at))
		for i := range samples {
			samples[i] = alerts.Sample{Value: 1 + math.Sin(float64(i*(k+1))/200), Traffic: math.Inf(1)}
		}
		h.Courses = append(h.Courses, tune.NewCourse(collector.NewTarget(collector.Hop, collector.Label{Name: "n", Value: strconv.Itoa(k)}), at, samples))
	}
	q := c.asked[0]
	c.asked = nil
	p := trial.New(someRules(), c.past(q), incidentsOf(c.watch.Snapshot()), trial.Lens{})
	p.Join(trial.Own{Rule: q.Force, History: h, Tunable: true}, trial.Lens{})
	p.Landscape(q.Draft)
	turnsLeftAndRight(b, m, c, p)
}

func BenchmarkRulesFrame120x40(b *testing.B) {
	m := ruled(b, burningCourt(), 120, 40, Options{}, "4")
	b.ReportAllocs()
	for b.Loop() {
		m.fresh = false
		m.Frame()
	}
}

// turnsLeftAndRight is a key press, what it is judged to be, and both frames.
func turnsLeftAndRight(b *testing.B, m *Model, c *court, p *trial.Past) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		press(m, []string{"left", "right"}[i%2])
		m.Frame()
		q := c.asked[0]
		c.asked = c.asked[:0]
		a, _ := p.Judge(q.Draft)
		m.Update(JudgedMsg{Serial: q.Serial, Answer: a})
		m.Frame()
	}
}
