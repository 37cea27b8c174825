package views

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/chart"
)

// burningCourt read the storm up to its plateau, overCourt all of it.
func burningCourt() *court { return newCourt(6, 0, watchtest.Plateau) }
func overCourt() *court    { return newCourt(6, 0, 50*time.Minute) }

func TestRulesAtEverySize(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			m := ruled(t, burningCourt(), size.w, size.h, Options{}, "4")
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, text(m))
		})
	}
	t.Run("styled", func(t *testing.T) {
		golden.RequireEqual(t, ruled(t, burningCourt(), 80, 24, Options{}, "4").Frame())
	})
	t.Run("ascii", func(t *testing.T) {
		golden.RequireEqual(t, text(ruled(t, burningCourt(), 120, 40, Options{Glyphs: chart.ASCII}, "4", "down")))
	})
}

func TestTuningAtEverySize(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			m := ruled(t, overCourt().incident(), size.w, size.h, Options{}, "4", "t", "left", "left", "down")
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, text(m))
		})
	}
	t.Run("no incident", func(t *testing.T) {
		golden.RequireEqual(t, text(ruled(t, overCourt(), 80, 24, Options{}, "4", "t")))
	})
	t.Run("styled", func(t *testing.T) {
		golden.RequireEqual(t, ruled(t, overCourt().incident(), 80, 24, Options{}, "4", "t", "left").Frame())
	})
	t.Run("ascii", func(t *testing.T) {
		golden.RequireEqual(t, text(ruled(t, overCourt().incident(), 120, 40, Options{Glyphs: chart.ASCII}, "4", "t", "left")))
	})
}

// rowWith finds the row of a screen that holds a text.
func rowWith(t *testing.T, m *Model, part string) string {
	t.Helper()
	for row := range strings.SplitSeq(text(m), "\n") {
		if strings.Contains(row, part) {
			return row
		}
	}
	t.Fatalf("no row with %q:\n%s", part, text(m))
	return ""
}

func TestEveryRuleIsListedWithItsStateAndItsNumbers(t *testing.T) {
	m := ruled(t, burningCourt(), 160, 40, Options{}, "4")
	for part, want := range map[string][]string{
		"● RetryAmplificationHigh": {"payments-channel", "FIRING 3m10s", "2.48x", "> 1.5x for 1m", "0s", "1/s", "1m", "◔●"},
		"● RetryRateHigh":          {"FIRING", "59.7%", "> 10% for 0s"},
		"● AttemptLimitReached":    {"FIRING", "1,328/s", "> 0/s for 0s"},
		"● RetryStorm":             {"FIRING", "both fire"},
		"SuccessesRescued":         {"off", "> 5% for 1m", "what is normal differs"},
	} {
		row := rowWith(t, m, part)
		for _, w := range want {
			if !strings.Contains(row, w) {
				t.Errorf("%s lacks %q: %s", part, w, row)
			}
		}
	}
	press(m, "end")
	if got := text(m); !strings.Contains(got, " QueueDepthHigh  off: "+strings.TrimPrefix(alerts.EarlyReason, "off: ")) {
		t.Errorf("the reason is not told in full:\n%s", got)
	}
}

func TestARuleThatCannotBeJudgedSaysWhyAndIsNoZero(t *testing.T) {
	c := burningCourt()
	rules := someRules()
	rules[5].Off = false // the wait for a pool, which is exported
	rules[6].Signal, rules[6].Off = collector.Overflow, false
	c.watch.SetRules(rules, collector.Event{Text: "on"})
	c.watch.Add(watchtest.Storm{Targets: 6}.Reading(watchtest.Plateau + watchtest.Step))
	m := ruled(t, c, 120, 40, Options{}, "4")
	if row := rowWith(t, m, "? QueueDepthHigh"); !strings.Contains(row, "unknown") || !strings.Contains(row, "not exported") || strings.Contains(row, " 0/s  >") {
		t.Errorf("%s", row)
	}
}

func TestARuleIsSwitchedOffAndOnAgain(t *testing.T) {
	c := burningCourt()
	m := ruled(t, c, 120, 40, Options{}, "4", "down", "down", "x")
	m.Update(SnapshotMsg{Snapshot: c.watch.Snapshot()})
	if row := rowWith(t, m, "AttemptLimitReached  "); !strings.Contains(row, "off") || !strings.Contains(row, "switched off") || strings.Contains(row, "FIRING") {
		t.Errorf("%s", row)
	}
	if row := rowWith(t, m, "RetryStorm"); !strings.Contains(row, "off") || !strings.Contains(row, "one of") {
		t.Errorf("what is made of it: %s", row)
	}
	c.press(m, "x")
	if strings.Join(c.said, "; ") != "AttemptLimitReached switched off; AttemptLimitReached switched on" {
		t.Errorf("said %q", c.said)
	}
	if events := c.watch.Snapshot().Events; events[len(events)-1].Text != "AttemptLimitReached switched on" {
		t.Errorf("the last event is %+v", events[len(events)-1])
	}
}

func TestTuningIsOpenedFromAnyScreenOnTheRuleThatLeads(t *testing.T) {
	for keys, want := range map[string]string{
		"t": "TUNE RetryAmplificationHigh", "2 t": "TUNE RetryAmplificationHigh", "4 down t": "TUNE RetryRateHigh", "4 end t": "TUNE QueueDepthHigh",
	} {
		m := ruled(t, burningCourt(), 120, 40, Options{}, strings.Fields(keys)...)
		if !strings.Contains(text(m), want) {
			t.Errorf("%s does not lead to %q:\n%s", keys, want, text(m))
		}
		press(m, "esc")
		if strings.Contains(text(m), "TUNE") {
			t.Errorf("%s: esc does not lead back", keys)
		}
	}
	m := ruled(t, burningCourt(), 120, 40, Options{}, "4", "down", "down", "down", "t")
	if strings.Contains(text(m), "TUNE") || strings.Contains(text(m), " t tune") {
		t.Errorf("a rule made of two others is tuned:\n%s", text(m))
	}
}

// TestOfSeveralIncidentsTheLongestLeadIsShown, and said to be.
func TestOfSeveralIncidentsTheLongestLeadIsShown(t *testing.T) {
	c := overCourt()
	for i, at := range []time.Duration{0, time.Minute, watchtest.Rise, watchtest.Subsides} {
		c.watch.Note(collector.Event{Kind: collector.EventMark, At: watchtest.Start.Add(at), Text: fmt.Sprint(i)})
	}
	m := ruled(t, c, 120, 40, Options{}, "4", "t")
	if got := text(m); !strings.Contains(got, "longest lead  firings") || strings.Contains(got, "lead after start") || !strings.Contains(rowWith(t, m, " before "), "1 of 2") {
		t.Errorf("%s", got)
	}
	if got := text(ruled(t, overCourt().incident(), 120, 40, Options{}, "4", "t")); !strings.Contains(got, "lead after start") {
		t.Errorf("of one:\n%s", got)
	}
}

// TestAViewThatCutsAnIncidentSaysSo, and judges nothing by the rest of it.
func TestAViewThatCutsAnIncidentSaysSo(t *testing.T) {
	const said = "the one incident began before the history, and proves nothing"
	c := overCourt().incident()
	m := ruled(t, c, 120, 40, Options{}, "4", "t")
	for range 5 {
		if strings.Contains(text(m), said) {
			if row := rowWith(t, m, " now  "); !strings.Contains(row, "–") || strings.Contains(row, " of ") {
				t.Errorf("%s", row)
			}
			return
		}
		if !strings.Contains(text(m), "1 incident: weak evidence") {
			t.Fatalf("%s", text(m))
		}
		c.press(m, "+")
	}
	t.Errorf("it is in view all the time:\n%s", text(m))
}

func TestTurningAKnobShowsAtOnceWhatItWouldHaveDone(t *testing.T) {
	c := overCourt().incident()
	m := ruled(t, c, 120, 40, Options{}, "t")
	if got := text(m); !strings.Contains(got, "1 incident: weak evidence") || !strings.Contains(got, "‹ 1.5x ›") || !strings.Contains(got, "in force") {
		t.Fatalf("at first:\n%s", got)
	}
	c.press(m, "left", "down", "down", "down")
	if row := rowWith(t, m, "TUNE"); !strings.Contains(row, "‹ 1.4x ›") || !strings.Contains(row, "‹ 30s ›") || !strings.Contains(row, "not in force") {
		t.Errorf("%s", row)
	}
	if row := rowWith(t, m, " before "); !strings.Contains(row, "1 of 1") || !strings.Contains(row, "1m20s") {
		t.Errorf("%s", row)
	}
	if row := rowWith(t, m, " now  "); !strings.Contains(row, "50s") || !strings.Contains(row, "30s earlier") {
		t.Errorf("%s", row)
	}
	if got := text(m); !strings.Contains(got, "now >1.4x") || !strings.Contains(got, "was >1.5x") || !strings.Contains(got, "warned first: RetryRateHigh after 10s, 10s before AttemptLimitReached") {
		t.Errorf("the chart and who warned first:\n%s", got)
	}
	c.press(m, "u")
	if !strings.Contains(text(m), "‹ 40s ›") {
		t.Errorf("undo:\n%s", text(m))
	}
	c.press(m, "R")
	if row := rowWith(t, m, "TUNE"); !strings.Contains(row, "‹ 1.5x ›  for ‹ 1m ›") || strings.Contains(row, "not in force") {
		t.Errorf("reset: %s", row)
	}
	c.press(m, "u")
	if !strings.Contains(text(m), "‹ 40s ›") {
		t.Errorf("a reset is undone:\n%s", text(m))
	}
	c.press(m, "esc", "4")
	if got := text(m); !strings.Contains(got, "RetryAmplificationHigh*") || !strings.Contains(got, "* tuned, not in force: > 1.4x for 40s") {
		t.Errorf("what was turned is forgotten:\n%s", got)
	}
}

func TestTheOtherKnobsAreFloorAndKeep(t *testing.T) {
	c := overCourt().incident()
	m := ruled(t, c, 120, 40, Options{}, "t", "tab", "right", "up")
	if row := rowWith(t, m, "TUNE"); !strings.Contains(row, "floor ‹ 1.2/s ›  keep ‹ 5s ›") || !strings.Contains(row, "threshold > 1.5x  for 1m") {
		t.Errorf("%s", row)
	}
	if c.press(m, "tab", "up"); !strings.Contains(text(m), "rate 1m  evaluated every ‹ 10s ›") {
		t.Errorf("evaluated seldom:\n%s", text(m))
	}
	if k := m.active(false); k.Right.Enabled() || k.Left.Enabled() {
		t.Error("the rates of a server are made wider")
	}
	if c.press(m, "u"); !strings.Contains(text(m), "evaluated every ‹ 5s ›") {
		t.Errorf("undo:\n%s", text(m))
	}
	c.press(m, "tab", "shift+right")
	if !strings.Contains(text(m), "threshold > ‹ 2.5x ›") {
		t.Errorf("five steps:\n%s", text(m))
	}
}

func TestWhatWasTunedTakesEffectWhenItIsAskedFor(t *testing.T) {
	c := overCourt()
	m := ruled(t, c, 120, 40, Options{}, "t", "left", "down", "enter")
	want := "RetryAmplificationHigh: > 1.4x for 45s, floor 1/s (before: > 1.5x for 1m, floor 1/s)"
	if len(c.said) != 1 || c.said[0] != want {
		t.Fatalf("said %q", c.said)
	}
	s := c.watch.Snapshot()
	if s.Rules[0].Threshold != 1.4 || s.Rules[3].Threshold != 1.4 {
		t.Errorf("in force: %+v", s.Rules)
	}
	m.Update(SnapshotMsg{Snapshot: s})
	if row := rowWith(t, m, "TUNE"); strings.Contains(row, "not in force") || !strings.Contains(row, "in force") {
		t.Errorf("%s", row)
	}
	c.press(m, "enter")
	if len(c.said) != 1 {
		t.Error("numbers in force are put in force again")
	}
}

func TestTheMapMarksItsPointsAndLeadsToTheBest(t *testing.T) {
	c := overCourt().incident()
	m := ruled(t, c, 120, 40, Options{}, "t", "left")
	got := text(m)
	for _, want := range []string{"LANDSCAPE", "[▪80]", "◆80", "!0", "–", "best: 10s after the start at > 1.12x for 0s, no false alarm", "as good from"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q on the map:\n%s", want, got)
		}
	}
	c.press(m, "b")
	if row := rowWith(t, m, "TUNE"); !strings.Contains(row, "‹ 1.12x ›  for ‹ 0s ›") || !strings.Contains(rowWith(t, m, " now  "), "10s  ") {
		t.Errorf("%s", row)
	}
	if strings.Contains(text(m), "b best") {
		t.Error("the best point leads to itself")
	}
}

func TestAnAnswerThatComesTooLateIsNotShown(t *testing.T) {
	c := overCourt().incident()
	m := ruled(t, c, 120, 40, Options{}, "t")
	c.deaf = true
	c.press(m, "left", "left")
	late := c.asked[0]
	c.asked = c.asked[1:]
	if !strings.Contains(rowWith(t, m, "TUNE"), "‹ 1.3x ›") {
		t.Fatal("a number waits for its answer")
	}
	c.deaf = false
	c.answer(m)
	before := text(m)
	c.asked = []Query{late}
	c.answer(m)
	if text(m) != before {
		t.Errorf("an old answer is shown:\n%s", text(m))
	}
}

func TestTheWholePastIsAskedForAgainWhenItGrew(t *testing.T) {
	c := newCourt(3, 0, 10*time.Minute)
	m := ruled(t, c, 120, 40, Options{}, "t")
	m.time.span, c.deaf = 10*time.Minute, true
	m.retune()
	c.asked = nil
	for i := range 4 {
		c.watch.Add(watchtest.Storm{Targets: 3}.Reading(10*time.Minute + time.Duration(i+1)*watchtest.Step))
		m.Update(SnapshotMsg{Snapshot: c.watch.Snapshot()})
	}
	if len(c.asked) != 1 {
		t.Fatalf("asked %d times in 20 s, want once", len(c.asked))
	}
	if got := c.asked[0].To.Sub(watchtest.Start); got != 10*time.Minute+15*time.Second {
		t.Errorf("asked up to %s", got)
	}
	press(m, "left")
	if len(c.asked) != 2 || c.asked[1].Snapshot.Last != c.asked[0].Snapshot.Last {
		t.Error("a turn asks for another past, which would have to be made first")
	}
}

func TestAnIncidentThatIsMarkedCountsAtOnce(t *testing.T) {
	for _, keys := range []string{"t", "t space"} {
		c := overCourt()
		m := ruled(t, c, 120, 40, Options{}, strings.Fields(keys)...)
		if !strings.Contains(text(m), "no incident is marked: m marks start and end") {
			t.Fatalf("%s", text(m))
		}
		c.incident()
		m.Update(SnapshotMsg{Snapshot: c.watch.Snapshot()})
		c.answer(m)
		if got := text(m); !strings.Contains(got, "1 incident: weak evidence") || !strings.Contains(got, "1 of 1") {
			t.Errorf("after %s:\n%s", keys, got)
		}
	}
}

func TestOfAnIncidentThatBeginsItsEndIsAskedFor(t *testing.T) {
	c := overCourt()
	c.watch.Note(collector.Event{Kind: collector.EventMark, At: watchtest.Start.Add(watchtest.Rise), Text: "storm"})
	m := ruled(t, c, 120, 40, Options{}, "4", "t")
	rowWith(t, m, "an incident begins at 12:00:00Z: m marks its end")
}

func TestWhereItIsKnownThatThereWasNoneEveryFiringIsFalseAlarm(t *testing.T) {
	c := overCourt()
	m := ruled(t, c, 120, 40, Options{}, "4", "t")
	a := m.ruling.answers[m.ruling.rule]
	a.Sure, a.Truth = true, "the simulation's overload\x1b[2J"
	a.Now.False = a.Now.Firing
	m.Update(JudgedMsg{Serial: m.ruling.serial, Answer: a})
	for _, want := range []string{"no incident here: every firing is false alarm  truth: the simulation's overload", "LANDSCAPE  firings, all of them false alarm"} {
		rowWith(t, m, want)
	}
	if now := rowWith(t, m, " now  "); !strings.Contains(now, "33m40s      0       33m40s") || strings.Contains(text(m), "mark incident") {
		t.Errorf("%s\n%s", now, text(m))
	}
}

func TestRulesAreShownBeforeTheyAreWritten(t *testing.T) {
	c := overCourt().incident()
	m := ruled(t, c, 120, 40, Options{}, "t", "left", "w")
	if len(c.wanted) != 1 || c.wanted[0].Rules[0].Threshold != 1.4 || len(c.wanted[0].Evidence) != 1 || len(c.written) != 0 {
		t.Fatalf("wanted %+v, written %v", c.wanted, c.written)
	}
	serial := c.wanted[0].Serial
	msg := ProposalMsg{Serial: serial, Name: "rules.yml\x1b[2J", Exists: true, Difference: " groups:\n-  a\n+  b\x1b[2J\n", Notes: []string{"X is left out"}}
	m.Update(msg)
	got := text(m)
	for _, want := range []string{"RULE FILE  rules.yml\ufffd[2J", "what would change", "Nothing is written yet", "+  b\ufffd[2J", "X is left out", "enter write it"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
	requireCalm(t, m.Frame())
	press(m, "esc")
	if !strings.Contains(text(m), "TUNE") || len(c.written) != 0 {
		t.Errorf("esc writes %v, or does not lead back", c.written)
	}
	m.Update(msg) // nobody waits for it any more
	if strings.Contains(text(m), "RULE FILE") {
		t.Error("a file appears that nobody asked for")
	}
	press(m, "w")
	msg.Serial = c.wanted[1].Serial
	m.Update(msg)
	press(m, "enter")
	if len(c.written) != 1 || c.written[0] != msg.Serial || !strings.Contains(text(m), "TUNE") {
		t.Errorf("written %v:\n%s", c.written, text(m))
	}
	press(m, "w")
	m.Update(ProposalMsg{Serial: c.wanted[2].Serial, Name: "rules.yml", Exists: true, Same: true})
	if got := text(m); !strings.Contains(got, "like this already") || strings.Contains(got, "write it") {
		t.Errorf("the same file:\n%s", got)
	}
}

func TestKeysOfTheRulesAreOfferedWhereTheyDoSomething(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{})
	if k := m.active(false); k.Tune.Enabled() || k.Switch.Enabled() || k.Write.Enabled() || !k.Rules.Enabled() {
		t.Error("without anybody who judges there is nothing to tune")
	}
	press(m, "4")
	if k := m.active(false); k.Tune.Enabled() || k.Switch.Enabled() || k.Write.Enabled() || k.Rules.Enabled() || k.Use.Enabled() {
		t.Error("on the rules")
	}
	m = ruled(t, overCourt(), 120, 40, Options{}, "t")
	if k := m.active(false); k.Use.Enabled() || k.Undo.Enabled() || k.Reset.Enabled() || k.Best.Enabled() || k.Switch.Enabled() || k.Learn.Enabled() || !k.Left.Enabled() {
		t.Error("before anything is turned")
	}
	press(m, "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left")
	if k := m.active(false); k.Left.Enabled() || !k.Right.Enabled() || !k.Use.Enabled() || !k.Undo.Enabled() || !k.Reset.Enabled() {
		t.Errorf("at the end of the ladder:\n%s", text(m))
	}
}

func TestRulesAreClickedAndScrolled(t *testing.T) {
	m := ruled(t, burningCourt(), 120, 40, Options{}, "4", "M")
	m.Frame()
	y := 0
	for i, row := range strings.Split(text(m), "\n") {
		if strings.Contains(row, "RetryStorm") {
			y = i
		}
	}
	m.Update(tea.MouseClickMsg{Button: tea.MouseLeft, X: 5, Y: y})
	if !strings.Contains(rowWith(t, m, "RetryStorm"), "▸") {
		t.Errorf("a click selects nothing:\n%s", text(m))
	}
	m = ruled(t, burningCourt(), 80, 8, Options{}, "4", "end")
	if !strings.Contains(text(m), "▸") || !strings.Contains(text(m), "QueueDepthHigh") {
		t.Errorf("what is selected is not seen:\n%s", text(m))
	}
}

func TestRulesKeepEverySize(t *testing.T) {
	c := overCourt().incident()
	for _, keys := range []string{"4", "4 end", "4 t", "4 t left tab", "4 end t"} {
		m := ruled(t, c, 1, 1, Options{}, strings.Fields(keys)...)
		for w := 1; w <= 200; w += 1 + w/8 {
			for h := 1; h <= 60; h += 1 + h/8 {
				m.Update(tea.WindowSizeMsg{Width: w, Height: h})
				frame := m.Frame()
				if requireSize(t, frame, w, h); h >= 3 && w >= 24 && !strings.Contains(ansi.Strip(frame), "q quit") {
					t.Fatalf("%s at %dx%d has no footer:\n%s", keys, w, h, ansi.Strip(frame))
				}
			}
		}
	}
}

func TestRulesInASCIIHoldNothingElse(t *testing.T) {
	c := overCourt().incident()
	for _, keys := range []string{"4", "4 end", "4 x", "4 t", "t left", "t left tab", "4 ?", "t ?", "t b", "4 end t right"} {
		for _, w := range []int{40, 80, 160} {
			m := ruled(t, c, w, 40, Options{Glyphs: chart.ASCII}, strings.Fields(keys)...)
			for _, r := range text(m) {
				if r >= 0x80 {
					t.Fatalf("after %s at %d: %q in\n%s", keys, w, r, text(m))
				}
			}
		}
	}
}

func TestWithoutColoursRulesSayTheSame(t *testing.T) {
	for _, keys := range []string{"4", "4 t left"} {
		frame := ruled(t, overCourt().incident(), 120, 40, Options{Theme: Mono}, strings.Fields(keys)...).Frame()
		if strings.Contains(frame, "38;") || strings.Contains(frame, "48;") {
			t.Errorf("%s: a colour without colours", keys)
		}
		coloured := text(ruled(t, overCourt().incident(), 120, 40, Options{}, strings.Fields(keys)...))
		body := func(s string) string { return s[:strings.LastIndex(s, "\n")] } // the footer names the theme
		if body(ansi.Strip(frame)) != body(coloured) {
			t.Errorf("%s says something else without colours:\n%s", keys, ansi.Strip(frame))
		}
	}
}

func TestOfAMapThatIsTooWideWhatMattersIsShown(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		count, n := 1+rng.IntN(60), 1+rng.IntN(30)
		must := []int{rng.IntN(count), rng.IntN(count), rng.IntN(count)}
		got := thin(count, n, must)
		if len(got) != min(n, count) || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) || got[0] < 0 || got[len(got)-1] >= count {
			t.Fatalf("%d of %d with %v: %v", n, count, must, got)
		}
		for i, m := range must {
			if i < n && !slices.Contains(got, m) {
				t.Fatalf("%d of %d lack %d: %v", n, count, m, got)
			}
		}
	}
}

func TestWhatOtherNumbersChangeIsSaidInAWord(t *testing.T) {
	f := func(found, incidents int, lead, wrong time.Duration) tune.Figures {
		return tune.Figures{Found: found, Incidents: incidents, Lead: lead, False: wrong, Firing: lead}
	}
	minute := time.Minute
	for want, pair := range map[string][2]tune.Figures{
		"misses 1 more":        {f(2, 2, minute, 0), f(1, 2, 0, 0)},
		"finds 2 more":         {f(0, 2, 0, 0), f(2, 2, minute, minute)},
		"false alarm +1m":      {f(1, 1, minute, 0), f(1, 1, 0, minute)},
		"false alarm -1m":      {f(1, 1, minute, minute), f(1, 1, minute, 0)},
		"30s earlier":          {f(1, 1, minute, 0), f(1, 1, minute/2, 0)},
		"30s later":            {f(1, 1, minute/2, 0), f(1, 1, minute, 0)},
		"":                     {f(1, 1, minute, 0), f(1, 1, minute, 0)},
		"fires 1m more":        {f(0, 0, 0, 0), f(0, 0, minute, 0)},
		"fires 1m less":        {f(0, 0, minute, 0), f(0, 0, 0, 0)},
		"no earlier, no later": {tune.Figures{Found: 1, Incidents: 1}, tune.Figures{Found: 1, Incidents: 1, Flaps: 1}},
	} {
		if got := changeOf(pair[0], pair[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOfSeveralIncidentsItIsCountedWhoWarnedFirst(t *testing.T) {
	m := ruled(t, overCourt(), 120, 40, Options{}, "t")
	a := m.ruling.answers[alerts.RetryAmplificationHigh]
	a.First = []tune.First{{Rule: "A"}, {Rule: "B"}, {Rule: "B"}, {}}
	m.Update(JudgedMsg{Serial: m.ruling.serial, Answer: a})
	if !strings.Contains(text(m), "warned first: B 2 of 4, A 1 of 4, none 1 of 4") {
		t.Errorf("%s", text(m))
	}
}

func TestRulesAndFiguresAreCopied(t *testing.T) {
	c := overCourt().incident()
	m := ruled(t, c, 120, 40, Options{}, "t", "down", "y")
	for _, want := range []string{"1 incident: weak evidence", "before > 1.5x for 1m, floor 1/s  1 firing, 33m40s  1 of 1 found  false alarm 0s  after 1m20s", "now > 1.5x for 45s", "15s earlier"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q:\n%s", want, text(m))
		}
	}
	m = ruled(t, burningCourt(), 120, 40, Options{}, "4", "y")
	for _, want := range []string{"RetryAmplificationHigh  FIRING 3m10s  payments-channel  2.48x  > 1.5x for 1m, floor 1/s", "RetryStorm  FIRING 3m10s  payments-channel  both of RetryAmplificationHigh and AttemptLimitReached", "PoolWaitHigh  off  > 100ms for 1m"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q:\n%s", want, text(m))
		}
	}
}
