package views

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
	"stormtop/collector"
)

// anyAnswer is a judgement of any shape, with texts and numbers that nobody
// should send.
func anyAnswer(rng *rand.Rand, q Query) trial.Answer {
	words := []string{"", "a", "\x1b[2Jx\ny", "渠道渠道渠道渠道", "\u202eabc", "a rule with a name that is longer than the screen is wide, and then some", "RetryRateHigh"}
	word := func() string { return words[rng.IntN(len(words))] }
	span := func() time.Duration {
		return []time.Duration{0, time.Second, 90 * time.Second, 27 * time.Hour, -time.Hour, math.MaxInt64}[rng.IntN(6)]
	}
	count := func() int { return []int{0, 1, 2, 1234567, -3}[rng.IntN(5)] }
	figures := func() tune.Figures {
		return tune.Figures{Firings: count(), Firing: span(), Flaps: count(), False: span(), Incidents: count(), Found: count(), Lead: span(), Median: span()}
	}
	a := trial.Answer{Rule: q.Draft.Name, From: q.From, To: q.To, Grace: span(), Evidence: word(), Weak: rng.IntN(2) == 0, Known: rng.IntN(4) > 0}
	a.Truth, a.Sure, a.Fixed, a.Problem = word(), rng.IntN(2) == 0, rng.IntN(3) == 0, word()
	for range rng.IntN(3) {
		a.Incidents = append(a.Incidents, tune.Incident{From: q.From.Add(span()), To: q.To.Add(span()), Text: word()})
	}
	a.Before, a.Now = tune.Result{Rule: q.Draft, Figures: figures()}, tune.Result{Rule: q.Draft, Figures: figures()}
	for range rng.IntN(4) {
		a.First = append(a.First, tune.First{Rule: word(), Next: word(), Lead: span(), Ahead: span()})
		a.Now.Episodes = append(a.Now.Episodes, tune.Episode{Pending: q.From, Firing: q.From.Add(span()), Ended: q.To})
	}
	if rng.IntN(3) == 0 {
		return a
	}
	m := &tune.Map{Rule: q.Draft, Incidents: []int{0, 1, 3}[rng.IntN(3)]}
	for range 1 + rng.IntN(30) {
		m.Thresholds = append(m.Thresholds, []float64{q.Draft.Threshold, 0, -1, 1e300, 1e-9, 123456.789, math.Inf(1)}[rng.IntN(7)])
	}
	for range 1 + rng.IntN(20) {
		m.Fors = append(m.Fors, span())
	}
	for range m.Thresholds {
		for range m.Fors {
			m.Cells = append(m.Cells, tune.Cell{Firings: count(), Missed: rng.IntN(m.Incidents + 1), False: span(), Lead: span()})
		}
	}
	a.Land = &trial.Landscape{Map: m, Advice: tune.Recommend(m, q.Draft)}
	if rng.IntN(2) == 0 {
		a.Land.Documented = &q.Draft
	}
	return a
}

func TestNoAnswerNoSizeAndNoKeyBreaksTheRules(t *testing.T) {
	keys := []string{
		"4", "4", "t", "t", "t", "x", "w", "u", "R", "b", "tab", "left", "right", "up", "down", "shift+left", "shift+right", "pgup", "pgdown", "home", "end",
		"enter", "esc", "space", "?", "i", "y", "g", "T", "0", "+", "-", ",", ".", "m", "1", "2", "6", "M", "z",
	}
	rng := rand.New(rand.NewPCG(7, 8))
	c := overCourt().incident()
	c.deaf = true
	m := ruled(t, c, 80, 24, Options{Local: time.FixedZone("elsewhere", 3600)})
	w, h := 80, 24
	for range 4000 {
		switch rng.IntN(6) {
		case 0:
			w, h = rng.IntN(201), rng.IntN(61)
			if rng.IntN(3) == 0 {
				w, h = rng.IntN(41), rng.IntN(25)
			}
			m.Update(tea.WindowSizeMsg{Width: w, Height: h})
		case 1:
			for _, q := range c.asked {
				m.Update(JudgedMsg{Serial: q.Serial, Answer: anyAnswer(rng, q)})
			}
			for _, want := range c.wanted {
				m.Update(ProposalMsg{Serial: want.Serial, Name: "\x1b[2Jx", Difference: "+\x1b[2J\r渠道\n\t-", Notes: []string{"\u202e"}, Same: rng.IntN(2) == 0})
			}
			c.asked, c.wanted = nil, nil
		case 2:
			m.Update(SnapshotMsg{Snapshot: c.watch.Snapshot()})
			if rng.IntN(20) == 0 {
				m.Update(SnapshotMsg{})
			}
		default:
			press(m, keys[rng.IntN(len(keys))])
		}
		if len(c.said) > 0 && rng.IntN(10) == 0 {
			rules := someRules()
			for i := range rules {
				if rng.IntN(3) == 0 {
					rules[i].Threshold = []float64{0, 1e-5, 1e300, 0.1}[rng.IntN(4)]
				}
				rules[i].Off = rng.IntN(2) == 0
			}
			c.watch.SetRules(rules[:1+rng.IntN(len(rules))], collector.Event{Text: "others"})
		}
		frame := m.Frame()
		requireCalm(t, frame)
		if w > 0 && h > 0 {
			requireSize(t, frame, w, h)
		}
	}
}
