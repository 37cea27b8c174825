package views

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"stormtop/collector"
	"stormtop/views/chart"
)

// anyRig is a simulation of any shape, with texts and numbers that nobody should
// send.
func anyRig(rng *rand.Rand) *collector.Rig {
	words := []string{
		"", "a", "order", "payment-orchestration-of-the-second-kind", "渠道渠道渠道渠道", "\x1b[2Jx\ny", "e\u0301\u0301", "\u202eabc", "none", "\xff\xfe", "attempts", "closed", "→ ∞",
	}
	floats := []float64{0, 1, -1, 0.05, 3, 2010, 54_200.5, 1e12, 1e300, -1e300, math.NaN(), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64}
	word := func() string { return words[rng.IntN(len(words))] }
	number := func() float64 { return floats[rng.IntN(len(floats))] }
	whole := func() int { return []int{0, 1, 3, 500, -7, math.MaxInt, math.MinInt}[rng.IntN(7)] }
	value := func() collector.Value {
		return collector.Value{V: number(), State: collector.State(rng.IntN(7)), Unit: collector.Unit(rng.IntN(6)), Trust: collector.Trust(rng.IntN(4))}
	}
	few := func() int { return []int{0, 1, 2, 3, 4, 9}[rng.IntN(6)] }
	fill := func(put func()) {
		for range few() {
			put()
		}
	}
	r := &collector.Rig{
		Scenario: word(), Title: word(), Look: word(), Seed: int64(whole()), PeerSeed: int64(whole()), At: time.Duration(whole()), Length: time.Duration(whole()), Speed: number(),
		Mean: time.Duration(whole()), Ingress: number(), Measured: number(), Worst: number(), Bound: number(), Wasted: number(),
		Outcome: word(), Over: rng.IntN(3) == 0,
		Room: collector.RigRoom{Service: word(), Organic: number(), System: number(), Capacity: number(), Most: number(), Hidden: number()},
	}
	fill(func() { r.Layers = append(r.Layers, word()) })
	for range few() * few() {
		r.Levers = append(r.Levers, collector.Lever{Row: word(), Layer: rng.IntN(7) - 1, Field: word(), Value: word(), Less: word(), More: word(), LessWord: word(), MoreWord: word()})
	}
	fill(func() {
		r.Faults = append(r.Faults, collector.Fault{Kind: collector.FaultKind(rng.IntN(5)), Title: word(), Field: word(), On: word(), Off: word(), Is: rng.IntN(2) == 0})
	})
	fill(func() {
		r.Repairs = append(r.Repairs, collector.Repair{Name: word(), Title: word(), Done: rng.IntN(2) == 0, Wrong: rng.IntN(3) == 0})
	})
	fill(func() {
		h := collector.RigHop{
			From: word(), To: word(), Policy: word(), FanOut: number(), Permitted: whole(), Bound: number(), Requests: number(), Attempts: number(), Gain: number(), Saves: number(), Budget: number(),
			Formula: word(), Breaker: word(), Passing: number(), PoolUsed: whole(), PoolSize: whole(), PoolQueue: whole(), PoolWait: value(), Refused: number(),
		}
		fill(func() { h.ByAttempt = append(h.ByAttempt, number()) })
		r.Hops = append(r.Hops, h)
	})
	fill(func() {
		r.Services = append(r.Services, collector.RigService{Name: word(), Slots: whole(), Busy: whole(), Queued: whole(), P99: value(), State: word()})
	})
	fill(func() {
		r.Classes = append(r.Classes, collector.RigClass{Name: word(), Ingress: number(), Delivered: number(), Pending: whole()})
	})
	fill(func() {
		c := collector.Course{Name: word(), Peak: number()}
		fill(func() { c.Points = append(c.Points, number(), number()) })
		r.Peers = append(r.Peers, c)
	})
	if rng.IntN(2) == 0 {
		r.Effect = &collector.Effect{Text: word(), Ago: time.Duration(whole())}
		fill(func() {
			r.Effect.Figures = append(r.Effect.Figures, collector.EffectFigure{Name: word(), Before: value(), Now: value(), Later: value()})
		})
	}
	return r
}

// requireCalm fails where text from outside could move the cursor.
func requireCalm(t *testing.T, frame string) {
	t.Helper()
	plain := ansi.Strip(frame)
	for _, bad := range []string{"\x1b[2J", "\u202e", "\r", "\t"} {
		if strings.Contains(plain, bad) || strings.Contains(frame, "\x1b[2J") {
			t.Fatalf("%q on the screen:\n%q", bad, frame)
		}
	}
}

func TestNoSimulationNoSizeAndNoKeyBreaksTheScreen(t *testing.T) {
	keys := []string{
		"5", "3", "1", "tab", "shift+tab", "[", "]", "o", "d", "u", "n", "N", "R", "<", ">", "up", "down", "left", "right", "home", "end", "enter",
		"esc", "space", "?", "i", "y", "g", "T", "0", "+", "-", ",", ".", "m", "x", "6", "2", "M",
	}
	rng := rand.New(rand.NewPCG(3, 4))
	r := &rehearsal{rig: burning()}
	m := rehearsed(t, r, 80, 24, Options{Mark: func(collector.Mark) {}}, "5")
	w, h := 80, 24
	for range 6000 {
		switch rng.IntN(5) {
		case 0:
			w, h = rng.IntN(201), rng.IntN(61)
			if rng.IntN(3) == 0 {
				w, h = rng.IntN(41), rng.IntN(25)
			}
			m.Update(tea.WindowSizeMsg{Width: w, Height: h})
		case 1:
			r.rig, r.fails = anyRig(rng), nil
			switch rng.IntN(8) {
			case 0:
				r.rig = nil
			case 1:
				r.rig = repaired()
			case 2:
				r.fails = errRefused
			}
			m.Update(RigMsg{Rig: r.rig})
			if r.rig == nil { // it has none, yet keys may be pressed
				r.rig = burning()
			}
		default:
			press(m, keys[rng.IntN(len(keys))])
		}
		frame := m.Frame()
		requireCalm(t, frame)
		if w > 0 && h > 0 {
			requireSize(t, frame, w, h)
		}
	}
}

func TestLabAndChainKeepEverySize(t *testing.T) {
	for _, key := range []string{"5", "3"} {
		for name, rig := range map[string]func() *collector.Rig{"storm": burning, "repaired": repaired, "silent": silent} {
			m := rehearsed(t, &rehearsal{rig: rig()}, 1, 1, Options{}, key)
			for w := 1; w <= 200; w += 1 + w/20 {
				for h := 1; h <= 60; h += 1 + h/12 {
					m.Update(tea.WindowSizeMsg{Width: w, Height: h})
					frame := m.Frame()
					if requireSize(t, frame, w, h); h >= 3 && w >= 24 && !strings.Contains(frame, "q") {
						t.Fatalf("%s at %dx%d has no footer:\n%s", name, w, h, frame)
					}
				}
			}
		}
	}
}

func TestLabAndChainInASCIIHoldNothingElse(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	rigs := []*collector.Rig{burning(), repaired(), silent()}
	for range 40 {
		rigs = append(rigs, anyRig(rng))
	}
	for _, rig := range rigs {
		for _, keys := range []string{"5", "3", "5 end", "5 ]", "5 o", "3 ?", "5 ?", "5 n"} {
			for _, w := range []int{40, 80, 160} {
				m := rehearsed(t, &rehearsal{rig: rig}, w, 40, Options{Glyphs: chart.ASCII}, strings.Fields(keys)...)
				for _, c := range text(m) {
					if c >= 0x80 {
						t.Fatalf("after %s at %d: %q in\n%s", keys, w, c, text(m))
					}
				}
			}
		}
	}
}

func TestWithoutColoursLabAndChainSayTheSame(t *testing.T) {
	for _, key := range []string{"5", "3"} {
		frame := rehearsed(t, &rehearsal{rig: repaired()}, 120, 40, Options{Theme: Mono}, key).Frame()
		if strings.Contains(frame, "38;") || strings.Contains(frame, "48;") {
			t.Errorf("%s: a colour without colours", key)
		}
		coloured := text(rehearsed(t, &rehearsal{rig: repaired()}, 120, 40, Options{}, key))
		body := func(s string) string { return s[:strings.LastIndex(s, "\n")] } // the footer names the theme
		if body(ansi.Strip(frame)) != body(coloured) {
			t.Errorf("%s says something else without colours:\n%s", key, ansi.Strip(frame))
		}
	}
}

func TestALabWithManyLayersShowsThoseAroundTheSelectedOne(t *testing.T) {
	rig := burning()
	rig.Layers, rig.Levers = nil, nil
	for i := range 12 {
		rig.Layers = append(rig.Layers, fmt.Sprintf("layer%d", i))
		rig.Levers = append(rig.Levers, collector.Lever{Row: "attempts", Layer: i, Field: fmt.Sprint(i), Value: fmt.Sprint(i), More: "x"})
	}
	m := rehearsed(t, &rehearsal{rig: rig}, 60, 24, Options{}, "5")
	for i := range 12 {
		if got := text(m); !strings.Contains(got, fmt.Sprintf("[%d]", i)) || !strings.Contains(got, fmt.Sprintf("layer%d ", i)) {
			t.Errorf("layer %d is not seen:\n%s", i, got)
		}
		press(m, "right")
	}
}

// TestLayersThatBeginAlikeAreToldApart: names of one system often do, and the
// number behind the last of them must not be pushed out.
func TestLayersThatBeginAlikeAreToldApart(t *testing.T) {
	rig := burning()
	name := func(i int) string { return fmt.Sprintf("production-cluster-of-services-number-%d", i) }
	for i := range rig.Layers {
		rig.Layers[i] = name(i)
	}
	for i := range rig.Hops {
		rig.Hops[i].From, rig.Hops[i].To = name(i), name(i+1)
	}
	for _, width := range []int{60, 80, 120} {
		for _, o := range []Options{{}, {Glyphs: chart.ASCII}} {
			lab := text(rehearsed(t, &rehearsal{rig: rig}, width, 40, o, "5"))
			chain := text(rehearsed(t, &rehearsal{rig: rig}, width, 40, o, "3"))
			for i := range rig.Layers {
				// The Lab of a narrow screen has room for some layers only.
				if end := fmt.Sprintf("-%d ", i); width >= 80 && !strings.Contains(lab, end) || strings.Count(chain, end) < 2 || width >= 80 && !strings.Contains(chain, "3 attempts") {
					t.Errorf("width %d: %q is not seen:\n%s\n%s", width, end, lab, chain)
				}
			}
			if !strings.Contains(chain, "saves 34,900/s") {
				t.Errorf("width %d: what a cut saves is not seen:\n%s", width, chain)
			}
		}
	}
}

func TestANameIsCutInItsMiddle(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		want  string
	}{
		{"payments", 8, "payments"}, {"payments-1", 9, "paym…ts-1"}, {"payments-1", 8, "paym…s-1"},
		{"payments-1", 4, "pay…"}, {"payments-1", 0, ""}, {"支付服务系统一", 9, "支付…统一"}, {"支付服务系统一", 8, "支付…一"},
	} {
		if got := fitEnds(test.name, test.width, "…"); got != test.want || textWidth(got) > test.width {
			t.Errorf("%s in %d cells is %q, want %q", test.name, test.width, got, test.want)
		}
	}
}
