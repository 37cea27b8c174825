package views

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/chart"
)

func text(m *Model) string { return ansi.Strip(m.Frame()) }

func TestFreezeKeepsThePictureAndSaysWhatIsLive(t *testing.T) {
	m := shown(t, "calm", 120, 40, Options{})
	press(m, "space")
	m.Update(SnapshotMsg{Snapshot: moments()["firing"].Snapshot})
	if got := text(m); !strings.Contains(got, "FROZEN AT 12:04:30Z, live is FIRING") || strings.Contains(got, "● FIRING") {
		t.Errorf("frozen:\n%s", got)
	}
	press(m, "space")
	if got := text(m); strings.Contains(got, "FROZEN") || !strings.Contains(got, "● FIRING") {
		t.Errorf("thawed:\n%s", got)
	}
}

func TestSelectionMovesTheChartsAndEscapeGivesThemBack(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{})
	press(m, "down")
	if !strings.Contains(text(m), "▸● payments-channel") {
		t.Errorf("the first key selects the first target:\n%s", text(m))
	}
	press(m, "down")
	if got := text(m); !strings.Contains(got, "▸ orders 1.02x  selected") || !strings.Contains(got, "● FIRING") {
		t.Errorf("the second selects the next, the verdict stays:\n%s", got)
	}
	press(m, "up", "up", "up")
	if !strings.Contains(text(m), "▸● payments-channel") {
		t.Errorf("up stops at the first:\n%s", text(m))
	}
	press(m, "end")
	if strings.Contains(text(m), "▸● payments-channel") || !strings.Contains(text(m), "▸") {
		t.Errorf("end does not show the last:\n%s", text(m))
	}
	press(m, "esc")
	if strings.Contains(text(m), "▸") {
		t.Errorf("esc keeps the selection:\n%s", text(m))
	}
}

func TestKeysThatEndOrSuspend(t *testing.T) {
	for key, want := range map[string]tea.Msg{"q": tea.QuitMsg{}, "ctrl+c": tea.QuitMsg{}, "ctrl+z": tea.SuspendMsg{}} {
		cmd := press(shown(t, "calm", 80, 24, Options{}), key)
		if cmd == nil || cmd() != want {
			t.Errorf("%s does not give %T", key, want)
		}
	}
}

func TestTryAgainIsOfferedOnlyWhileNothingCanBeRead(t *testing.T) {
	tried := 0
	opt := Options{Retry: func() { tried++ }}
	m := shown(t, "forbidden", 80, 24, opt)
	if !strings.Contains(text(m), "enter try again") {
		t.Errorf("not offered:\n%s", text(m))
	}
	press(m, "enter")
	if tried != 1 {
		t.Errorf("tried %d times", tried)
	}
	m = shown(t, "calm", 80, 24, opt)
	press(m, "enter")
	if tried != 1 || strings.Contains(text(m), "try again") {
		t.Error("offered while all is well")
	}
}

func TestThemeFollowsTheTerminalOnlyWhenAsked(t *testing.T) {
	white := tea.BackgroundColorMsg{Color: ansi.White}
	m := New(Options{AskTheme: true})
	if m.Init() == nil {
		t.Error("the background is not asked for")
	}
	m.Update(white)
	if m.theme != Light {
		t.Error("a light background keeps the dark theme")
	}
	m = New(Options{})
	m.Update(white)
	if m.theme != Dark || m.Init() != nil {
		t.Error("a chosen theme is not kept")
	}
}

func TestGlyphAndThemeKeysCycle(t *testing.T) {
	m := shown(t, "firing", 80, 24, Options{})
	before := m.Frame()
	press(m, "g", "g", "g", "T", "T")
	if m.Frame() != before {
		t.Error("a full cycle changes the picture")
	}
	press(m, "g", "g")
	if m.set != chart.ASCII || !strings.Contains(text(m), "# FIRING") {
		t.Errorf("not ASCII:\n%s", text(m))
	}
}

func TestAnUnchangedScreenIsNotDrawnAgain(t *testing.T) {
	m := shown(t, "firing", 80, 24, Options{})
	first := m.Frame()
	m.Update(TickMsg{At: m.now})
	m.Update(tea.FocusMsg{})
	press(m, "x")
	if !m.fresh || m.Frame() != first {
		t.Error("drawn again although nothing changed")
	}
	m.Update(TickMsg{At: m.now.Add(time.Second)})
	if m.fresh {
		t.Error("the age of the data stands still")
	}
}

func TestTheDemoSaysHowToWatchARealSystem(t *testing.T) {
	m := shown(t, "firing", 80, 24, Options{Demo: true})
	if !strings.Contains(text(m), ": yours is  stormtop --prom=URL") {
		t.Errorf("no way out of the demo:\n%s", text(m))
	}
}

func TestWaitingShowsTheProgress(t *testing.T) {
	m := New(Options{})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.Update(ProgressMsg{Text: "reading the last 15m: 7 of 9 signals, 2.1s"})
	requireSize(t, m.Frame(), 80, 24)
	if !strings.Contains(text(m), "7 of 9 signals") {
		t.Errorf("no progress:\n%s", text(m))
	}
}

// TestNoSizeAndNoKeyBreaksTheScreen presses random keys at random sizes with
// random pictures; every frame must keep its size.
func TestNoSizeAndNoKeyBreaksTheScreen(t *testing.T) {
	keys := []string{
		"?", "i", "space", "up", "down", "home", "end", "pgup", "pgdown", "enter", "enter", "esc", "g", "T", "x", "left", "right",
		"tab", "0", "+", "-", ",", ".", "left", "shift+left", "shift+right", "m", "z", "6", "6", "enter", "1", "2", "2", "s", "/", "[", "!", "G", "p", "b", "backspace", "ctrl+u", "ctrl+w",
	}
	pictures := append(watchtest.MomentsOf(7), moments()["firing"], moments()["blind"], watchtest.TwoSystems(), marked())
	rng := rand.New(rand.NewPCG(1, 2))
	var m *Model
	var asked collector.Target
	m = New(Options{
		Span: 15 * time.Minute, Retry: func() {}, Learn: func() {}, Steer: func(collector.Wish) {},
		Open: func(t collector.Target) { asked = t }, Mark: func(collector.Mark) {}, Local: time.FixedZone("CET", 3600),
	})
	w, h := 0, 0
	for range 10_000 {
		switch rng.IntN(5) {
		case 0:
			w, h = rng.IntN(130), rng.IntN(45)
			if rng.IntN(3) == 0 {
				w, h = rng.IntN(41), rng.IntN(41)
			}
			m.Update(tea.WindowSizeMsg{Width: w, Height: h})
		case 1:
			mo := pictures[rng.IntN(len(pictures))]
			m.Update(SnapshotMsg{Snapshot: mo.Snapshot})
			m.Update(TickMsg{At: mo.Now.Add(time.Duration(rng.IntN(100)) * time.Second)})
		case 2:
			msgs := []tea.Msg{
				callers(asked.ID), CallersMsg{ID: asked.ID, Note: "no answer\x1b[2J within 5s"}, CallersMsg{ID: asked.ID},
				NoticeMsg{Text: "learned\n3.63"}, NoticeMsg{Text: "refused", Bad: true}, tea.PasteMsg{Content: "pay\x1b[31m\nments\u202e"},
			}
			m.Update(msgs[rng.IntN(len(msgs))])
		default:
			press(m, keys[rng.IntN(len(keys))])
		}
		frame := m.Frame()
		if w > 0 && h > 0 {
			requireSize(t, frame, w, h)
		}
	}
}

func TestEverySmallSize(t *testing.T) {
	for _, moment := range []string{"firing", "blind", "nothing-found", "waiting", "hostile"} {
		m := shown(t, moment, 1, 1, Options{Mark: func(collector.Mark) {}})
		for _, keys := range [][]string{nil, {"?"}, {"esc", "i"}, {"left", "6", "/", "f"}, {"esc", "1", "m", "x"}, {"esc", "1", "2"}, {"/", "p"}, {"[", "a"}, {"esc", "enter"}, {"i"}} {
			press(m, keys...)
			for w := range 41 {
				for h := range 26 {
					m.Update(tea.WindowSizeMsg{Width: w, Height: h})
					if frame := m.Frame(); w > 0 && h > 0 {
						requireSize(t, frame, w, h)
					}
				}
			}
		}
	}
}

func TestABaselineIsShownNextToTheRatio(t *testing.T) {
	mo := moments()["firing"]
	good := *mo.Snapshot.Good
	good.Targets = slices.Clone(good.Targets)
	for i := range good.Targets {
		good.Targets[i].Baseline = 3.63
	}
	mo.Snapshot.Good = &good
	mo.Snapshot.Worst.Baseline = 3.63
	m := New(Options{Span: 15 * time.Minute})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.Update(SnapshotMsg{Snapshot: mo.Snapshot})
	if got := text(m); !strings.Contains(got, "2.48x (9.00 / 3.63)") {
		t.Errorf("no baseline:\n%s", got)
	}
}

func TestTheHeaderSaysWhetherAnythingIsRead(t *testing.T) {
	for moment, word := range map[string]string{"calm": "LIVE", "blind": "BLIND", "forbidden": "STOPPED", "nothing-found": "BLIND"} {
		head, _, _ := strings.Cut(text(shown(t, moment, 120, 40, Options{})), "\n")
		if !strings.Contains(head, "  "+word) {
			t.Errorf("%s: no %s in %q", moment, word, head)
		}
	}
}

func TestTheNextStepOfAFailureIsAlwaysTold(t *testing.T) {
	for moment, words := range map[string]string{
		"blind-from-start": "next try in", "nothing-found": "next try in", "forbidden": "not tried again before you ask",
		"blind": "next try in",
	} {
		for _, w := range []int{60, 80, 100, 160} {
			if got := text(shown(t, moment, w, 24, Options{})); strings.Count(got, words) != 1 {
				t.Errorf("%s at %d columns: %q stands there %d times:\n%s", moment, w, words, strings.Count(got, words), got)
			}
		}
	}
}

func TestWhatIsDoneBeforeTheFirstReadingIsTimed(t *testing.T) {
	m := New(Options{})
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.Update(ProgressMsg{Text: "connecting to prom.example:9090"})
	start := watchtest.Start
	m.Update(TickMsg{At: start})
	m.Frame()
	m.Update(TickMsg{At: start.Add(7 * time.Second)})
	if !strings.Contains(text(m), "connecting to prom.example:9090, 7s") {
		t.Errorf("it stands still:\n%s", text(m))
	}
}
