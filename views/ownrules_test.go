package views

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts"
	"stormtop/alerts/trial"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/chart"
)

// ownRules are some that people brought: one fires here and not at the server
// yet, one the server has alone, one the server does not have, one cannot be
// judged.
func ownRules() OwnRulesMsg {
	at := watchtest.Start.Add(watchtest.Plateau)
	return OwnRulesMsg{At: at, Served: true, Rows: []OwnRule{
		{
			ID: "high", Name: "OursHigh", Group: "ours", From: "yours, rules.yml:4", State: alerts.Firing, Since: at.Add(-190 * time.Second), Labels: "payments", Active: 3, Value: 2.25, HasValue: true,
			Tunable: true, Threshold: 1.5, For: time.Minute, Keep: 30 * time.Second, Severity: "critical", Server: "pending", ServerSince: at.Add(-40 * time.Second),
			History: []OwnPhase{{at.Add(-20 * time.Minute), at.Add(-250 * time.Second), alerts.Inactive}, {at.Add(-250 * time.Second), at.Add(-190 * time.Second), alerts.Pending}, {at.Add(-190 * time.Second), at, alerts.Firing}},
		},
		{ID: "slow", Name: "PagesSlow", From: "server", State: alerts.Inactive, Value: 0, HasValue: true, Tunable: true, Threshold: 0.25, For: 5 * time.Minute, Server: "inactive", History: []OwnPhase{{at.Add(-20 * time.Minute), at, alerts.Inactive}}},
		{ID: "fixed", Name: "OursFixed", Compare: collector.AtLeast, Threshold: 1, From: "yours, rules.yml:9", State: alerts.Pending, Since: at.Add(-time.Hour), AtLeast: true, Active: 1, Labels: "orders", For: 2 * time.Hour, Absent: true},
		{ID: "broken", Name: "Broken", From: "server", Server: "", For: 0, Error: "the server refused the query: too many samples", Tunable: true, Compare: collector.Below, Threshold: 3},
	}}
}

func TestOwnRulesAtEverySize(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			m := ruled(t, burningCourt(), size.w, size.h, Options{}, "4")
			m.Update(ownRules())
			press(m, "end", "up", "up", "up")
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, text(m))
		})
	}
	t.Run("ascii", func(t *testing.T) {
		m := ruled(t, burningCourt(), 120, 40, Options{Glyphs: chart.ASCII}, "4")
		m.Update(ownRules())
		press(m, "end")
		golden.RequireEqual(t, text(m))
	})
}

// TestOwnRulesAreShownWhereNoSystemIsKnown, for they need none: at every size, with
// what is missing said above, and with keys.
func TestOwnRulesAreShownWhereNoSystemIsKnown(t *testing.T) {
	blind := watchtest.Blind(0, collector.Failure{Kind: collector.NothingFound, Text: "none of 52 known systems has data here"})
	c := &court{readings: []*collector.Reading{blind}, watch: watch.New(someRules(), time.Hour, watch.DefaultTargets), deaf: true}
	c.watch.Add(blind)
	c.watch.Add(watchtest.Blind(time.Second, blind.Failures[0]))
	m := ruled(t, c, 160, 40, Options{}, "4")
	if got := text(m); strings.Contains(got, "RetryRateHigh") || !strings.Contains(got, "none of 52") {
		t.Fatalf("without any there is nothing to list:\n%s", got)
	}
	m.Update(ownRules())
	for part, want := range map[string]string{"● OursHigh": "FIRING 3m10s", "RetryRateHigh": "unknown", "nothing found": "none of 52"} {
		if row := rowWith(t, m, part); !strings.Contains(row, want) {
			t.Errorf("%q lacks %q", row, want)
		}
	}
	if m.base.History.Len() < 2 {
		t.Fatal("there is no history to tune by anyway")
	}
	if press(m, "end", "up"); m.active(false).Tune.Enabled() {
		t.Error("tuning is offered, and would show nothing")
	}
	for _, size := range sizes {
		m.Update(tea.WindowSizeMsg{Width: size.w, Height: size.h})
		for _, key := range []string{"end", "up", "t", "i", "esc", "home", "x", "4"} {
			press(m, key)
			requireCalm(t, m.Frame())
			requireSize(t, m.Frame(), size.w, size.h)
		}
	}
}

func TestAnOwnRuleStandsBelowOursWithTheServersStateBeside(t *testing.T) {
	m := ruled(t, burningCourt(), 160, 40, Options{}, "4")
	if strings.Contains(text(m), "YOUR OWN") || strings.Contains(text(m), "server") {
		t.Fatalf("there are own rules before any came:\n%s", text(m))
	}
	m.Update(ownRules())
	for part, want := range map[string][]string{
		"● OursHigh":  {"FIRING 3m10s", "pending 40s", "payments +2", "2.25", "> 1.5 for 1m", "30s"},
		"PagesSlow":   {"ok", "inactive", " 0 ", "> 0.25 for 5m"},
		"◔ OursFixed": {"pending ≥1h", "not there", "orders", "for 2h"},
		"? Broken":    {"unknown", "–", "< 3 for 0s", "the server refused"},
	} {
		row := rowWith(t, m, part)
		for _, w := range want {
			if !strings.Contains(row, w) {
				t.Errorf("%s lacks %q: %s", part, w, row)
			}
		}
	}
	got := text(m)
	if ours, heading, own := strings.Index(got, "QueueDepthHigh"), strings.Index(got, "YOUR OWN"), strings.Index(got, "OursHigh"); ours < 0 || ours > heading || heading > own {
		t.Errorf("the order is wrong:\n%s", got)
	}
	if strings.Contains(rowWith(t, m, "? Broken"), " 0 ") {
		t.Error("what is not known is a zero")
	}
}

// owned is a screen of a court with own rules, one of them selected; after keys.
func owned(t *testing.T, c *court, w, h int, at string, keys ...string) *Model {
	t.Helper()
	m := ruled(t, c, w, h, Options{}, "4")
	m.Update(ownRules())
	press(m, "end")
	for range 10 {
		if strings.Contains(text(m), "▸ ") && strings.Contains(rowWith(t, m, "▸ "), at) {
			break
		}
		press(m, "up")
	}
	if row := rowWith(t, m, "▸ "); !strings.Contains(row, at) {
		t.Fatalf("%s is not selected: %s", at, row)
	}
	c.press(m, keys...)
	return m
}

func TestAnOwnRuleIsSelectedAndStaysSo(t *testing.T) {
	c := burningCourt()
	m := owned(t, c, 120, 40, "OursHigh")
	for _, want := range []string{"server: pending 40s", "from yours, rules.yml:4", "severity critical"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("%q is not said:\n%s", want, text(m))
		}
	}
	other := ownRules() // which come in another order: the same one stays selected
	slices.Reverse(other.Rows)
	m.Update(other)
	rowWith(t, m, "▸ ● OursHigh")
	m.Update(OwnRulesMsg{})
	rowWith(t, m, "▸ ● RetryAmplificationHigh")
}

func TestAnOwnRuleIsTunedAtEverySize(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			c := overCourt().incident()
			m := ruled(t, c, size.w, size.h, Options{}, "4")
			m.Update(ownRules())
			press(m, "end", "up", "up", "up")
			c.press(m, "t", "right", "right", "down")
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, text(m))
		})
	}
	t.Run("no number", func(t *testing.T) {
		golden.RequireEqual(t, text(owned(t, overCourt().incident(), 120, 40, "OursFixed", "t", "down")))
	})
}

func TestAnOwnRuleIsTunedWithTheSameKeysAndPutInForce(t *testing.T) {
	c := overCourt().incident()
	m := owned(t, c, 120, 40, "OursHigh", "t")
	rowWith(t, m, "TUNE OursHigh  threshold > ‹ 1.5 ›  for ‹ 1m ›  keep 30s  evaluated every 5s")
	before := rowWith(t, m, " now ")
	c.press(m, "left", "left", "left")
	rowWith(t, m, "threshold > ‹ 1.2 ›")
	if now := rowWith(t, m, " now "); now == before || !strings.Contains(now, "earlier") {
		t.Errorf("a turn does not show: %s", now)
	}
	rowWith(t, m, "LANDSCAPE")
	c.press(m, "tab", "up") // keep; the floor and the rate are none of an own rule's
	if got := text(m); strings.Contains(got, "floor") || strings.Contains(got, "rate ‹") || !strings.Contains(got, "keep ‹ 40s ›") || !strings.Contains(got, "evaluated every ‹ 5s ›") {
		t.Errorf("the other knobs:\n%s", got)
	}
	c.press(m, "tab", "enter")
	if want := []string{"high OursHigh: > 1.2 for 1m, keep 40s (before: > 1.5 for 1m, keep 30s)"}; !slices.Equal(c.said, want) {
		t.Errorf("said %q", c.said)
	}
	if len(c.owned) != 1 || c.owned[0].Threshold != 1.2 || c.owned[0].KeepFiring != 40*time.Second {
		t.Errorf("in force %+v", c.owned)
	}
	c.press(m, "esc")
	rowWith(t, m, "> 1.2 for 1m")
}

func TestAnOwnRuleWithoutANumberIsTunedByForAndKeepAlone(t *testing.T) {
	c := overCourt().incident()
	m := owned(t, c, 120, 40, "OursFixed", "t")
	for _, key := range []string{"left", "right"} {
		c.press(m, key)
		rowWith(t, m, "TUNE OursFixed  for ‹ 2h ›  keep 0s")
	}
	c.press(m, "down")
	rowWith(t, m, "TUNE OursFixed  for ‹ 1h30m ›")
}

func TestAnOwnRuleIsSwitchedHereAlone(t *testing.T) {
	c := burningCourt()
	m := owned(t, c, 120, 40, "PagesSlow", "x")
	if !slices.Equal(c.said, []string{"slow PagesSlow switched off"}) || !c.owned[0].Off {
		t.Errorf("%q %+v", c.said, c.owned)
	}
	if row := rowWith(t, m, "▸ "); !strings.Contains(row, " off ") {
		t.Errorf("%s", row)
	}
	rowWith(t, m, "the server goes on with it")
	c.press(m, "x")
	if !slices.Equal(c.said[1:], []string{"slow PagesSlow switched on"}) {
		t.Errorf("%q", c.said)
	}
}

func TestAnOwnRuleThatIsGoneIsNotTunedOn(t *testing.T) {
	c := overCourt().incident()
	m := owned(t, c, 120, 40, "OursHigh", "t")
	msg := ownRules()
	msg.Rows = msg.Rows[1:]
	m.Update(msg)
	if got := text(m); strings.Contains(got, "TUNE") || !strings.Contains(got, "RULES  ") {
		t.Errorf("%s", got)
	}
	c.press(m, "left", "enter", "w")
}

func TestOwnRulesWithoutAServerAreListedAndNotTuned(t *testing.T) {
	c := burningCourt()
	m := ruled(t, c, 120, 40, Options{}, "4")
	m.Update(OwnRulesMsg{Rows: []OwnRule{{ID: "a", Name: "Alone", Error: "its expression is judged by a server: add --prom=URL", Tunable: true, Threshold: 2}}})
	press(m, "end")
	c.press(m, "t", "x")
	if strings.Contains(text(m), "TUNE") || len(c.said) > 0 || !strings.Contains(text(m), "its expression is judged by a server") {
		t.Errorf("%q\n%s", c.said, text(m))
	}
}

func TestOwnRulesThatWereTunedAreWantedInTheFile(t *testing.T) {
	c := overCourt().incident()
	m := owned(t, c, 120, 40, "OursHigh", "t", "left", "w")
	if len(c.wanted) != 1 || len(c.wanted[0].Own) != 1 || c.wanted[0].Own[0].ID != "high" || c.wanted[0].Own[0].To.Threshold != 1.4 || len(c.wanted[0].Evidence) != 1 {
		t.Fatalf("%+v", c.wanted)
	}
	msg := ownRules() // in force it is another one than that of the file all the same
	msg.Rows[1].Changed = true
	m.Update(msg)
	c.press(m, "w")
	if len(c.wanted[1].Own) != 2 {
		t.Errorf("%+v", c.wanted[1].Own)
	}
}

func TestWhyTheServersRulesAreNotKnownIsSaid(t *testing.T) {
	m := ruled(t, burningCourt(), 120, 40, Options{}, "4")
	m.Update(OwnRulesMsg{Note: "the rules could not be read: 403"})
	rowWith(t, m, "YOUR OWN  the rules could not be read: 403")
}

func TestNoOwnRuleBreaksTheScreen(t *testing.T) {
	words := []string{"", "a", "\x1b[2Jx\ny", "渠道渠道渠道渠道渠道渠道渠道渠道渠道渠道渠道", "\u202eabc", strings.Repeat("long ", 60), strings.Repeat("x", 300)}
	numbers := []float64{0, -1, 1e300, 1e-9, math.Inf(1), math.Inf(-1), math.NaN(), 123456.789}
	spans := []time.Duration{0, time.Second, 27 * time.Hour, -time.Hour, math.MaxInt64}
	rng := rand.New(rand.NewPCG(5, 6))
	word := func() string { return words[rng.IntN(len(words))] }
	number := func() float64 { return numbers[rng.IntN(len(numbers))] }
	span := func() time.Duration { return spans[rng.IntN(len(spans))] }
	c := burningCourt()
	c.deaf = true
	m := ruled(t, c, 80, 24, Options{Mark: func(collector.Mark) {}}, "4")
	keys := []string{"up", "down", "end", "home", "pgup", "pgdown", "t", "t", "esc", "4", "x", "y", "left", "right", "g", "T", "?", "w", "tab", "enter", "u", "R", "b"}
	at := watchtest.Start.Add(watchtest.Plateau)
	for range 3000 {
		w, h := 1+rng.IntN(200), 1+rng.IntN(60)
		switch rng.IntN(12) {
		case 0, 1:
			m.Update(tea.WindowSizeMsg{Width: w, Height: h})
		case 2, 3:
			for _, q := range c.asked {
				a := anyAnswer(rng, q)
				if a.Step = span(); rng.IntN(2) == 0 {
					a.Own = &trial.Seen{Target: collector.Target{ID: word(), Name: word()}, Values: collector.NewSeries([]time.Time{q.From, q.To}, []collector.Value{collector.Num(number(), collector.NoUnit, collector.Exact)})}
				}
				m.Update(JudgedMsg{Serial: q.Serial, Answer: a})
			}
			c.asked = nil
		case 4:
			msg := OwnRulesMsg{At: at.Add(span()), Note: word(), Left: rng.IntN(3), Served: rng.IntN(4) > 0}
			for range rng.IntN(40) {
				r := OwnRule{
					ID: strconv.Itoa(rng.IntN(4)), Off: rng.IntN(4) == 0, Changed: rng.IntN(2) == 0, CourseOf: word(),
					Course: collector.NewSeries([]time.Time{at.Add(-time.Minute), at}, []collector.Value{collector.Num(number(), collector.NoUnit, collector.Exact)}),
					Name:   word(), Group: word(), From: word(), State: alerts.State(rng.IntN(4)), Since: at.Add(span()), AtLeast: rng.IntN(2) == 0, Labels: word(), Active: rng.IntN(4), Value: number(), HasValue: rng.IntN(2) == 0,
					Tunable: rng.IntN(2) == 0, Compare: collector.Comparison(rng.IntN(4)), Threshold: number(), For: span(), Keep: span(), Severity: word(), Server: word(), ServerSince: at.Add(span()), Absent: rng.IntN(3) == 0, Error: word(),
				}
				for range rng.IntN(4) {
					r.History = append(r.History, OwnPhase{at.Add(span()), at.Add(span()), alerts.State(rng.IntN(4))})
				}
				msg.Rows = append(msg.Rows, r)
			}
			m.Update(msg)
		default:
			press(m, keys[rng.IntN(len(keys))])
		}
		frame := m.Frame()
		requireCalm(t, frame)
		requireSize(t, frame, m.width, m.height)
	}
}
