package views

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts/watch/watchtest"
	"stormtop/views/chart"
)

// sizes are the sizes of the golden screens.
var sizes = [...]struct{ w, h int }{{20, 5}, {40, 10}, {80, 24}, {120, 40}, {200, 60}}

// moments are those of watchtest, made once.
var moments = sync.OnceValue(func() map[string]watchtest.Moment {
	out := map[string]watchtest.Moment{}
	for _, mo := range watchtest.Moments() {
		out[mo.Name] = mo
	}
	return out
})

// shown is a screen of a moment, two seconds after its reading.
func shown(t testing.TB, moment string, w, h int, opt Options) *Model {
	t.Helper()
	mo, ok := moments()[moment]
	if !ok {
		t.Fatalf("no moment %q", moment)
	}
	opt.Span = 15 * time.Minute
	m := New(opt)
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	m.Update(SnapshotMsg{Snapshot: mo.Snapshot})
	m.Update(TickMsg{At: mo.Now})
	return m
}

// press sends keys, each a name as Bubble Tea spells it.
func press(m *Model, keys ...string) tea.Cmd {
	var cmd tea.Cmd
	for _, k := range keys {
		_, cmd = m.Update(keyMsg(k))
	}
	return cmd
}

func keyMsg(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter,
		"esc": tea.KeyEscape, "home": tea.KeyHome, "end": tea.KeyEnd, "tab": tea.KeyTab, "f1": tea.KeyF1, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace,
	}
	switch code, ok := special[name]; {
	case ok:
		return tea.KeyPressMsg{Code: code}
	case strings.HasPrefix(name, "shift+"):
		return tea.KeyPressMsg{Code: special[name[6:]], Mod: tea.ModShift}
	case name == "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case strings.HasPrefix(name, "ctrl+"):
		return tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// requireSize fails unless a frame fills exactly the height and never passes
// the width: the alternate screen would cut what matters.
func requireSize(t testing.TB, frame string, w, h int) {
	t.Helper()
	rows := strings.Split(frame, "\n")
	if len(rows) != h {
		t.Fatalf("%dx%d: %d rows", w, h, len(rows))
	}
	for y, row := range rows {
		if n := ansi.StringWidth(row); n > w {
			t.Fatalf("%dx%d: row %d has %d cells: %q", w, h, y, n, ansi.Strip(row))
		}
	}
}

func TestStormAtEverySize(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			frame := shown(t, "firing", size.w, size.h, Options{}).Frame()
			requireSize(t, frame, size.w, size.h)
			t.Run("plain", func(t *testing.T) { golden.RequireEqual(t, ansi.Strip(frame)) })
			t.Run("styled", func(t *testing.T) { golden.RequireEqual(t, frame) })
		})
	}
}

func TestMomentsAt80x24(t *testing.T) {
	for _, mo := range moments() {
		t.Run(mo.Name, func(t *testing.T) {
			frame := shown(t, mo.Name, 80, 24, Options{}).Frame()
			requireSize(t, frame, 80, 24)
			golden.RequireEqual(t, ansi.Strip(frame))
		})
	}
}

func TestGlyphsAndThemes(t *testing.T) {
	for _, set := range []chart.Glyphs{chart.Block, chart.ASCII} {
		t.Run(set.String(), func(t *testing.T) {
			frame := shown(t, "firing", 80, 24, Options{Glyphs: set}).Frame()
			requireSize(t, frame, 80, 24)
			golden.RequireEqual(t, ansi.Strip(frame))
		})
	}
	for _, theme := range []Theme{Light, Mono} {
		t.Run(theme.String(), func(t *testing.T) {
			golden.RequireEqual(t, shown(t, "firing", 80, 24, Options{Theme: theme}).Frame())
		})
	}
}

func TestASCIIScreensHoldNothingElse(t *testing.T) {
	for _, mo := range moments() {
		for _, keys := range [][]string{nil, {"?"}, {"i"}, {"space"}, {"2", "s"}, {"2", "/", "p"}, {"2", "enter"}, {"left"}, {"6"}, {"6", "/", "f"}, {"m", "r"}, {"y"}, {"2", "y"}, {"6", "y"}, {"i", "y"}} {
			m := shown(t, mo.Name, 120, 40, Options{Glyphs: chart.ASCII})
			press(m, keys...)
			for _, r := range ansi.Strip(m.Frame()) {
				if r >= 0x80 {
					t.Fatalf("%s after %v: %q in\n%s", mo.Name, keys, r, ansi.Strip(m.Frame()))
				}
			}
		}
	}
}

func TestWithoutColoursMeaningStays(t *testing.T) {
	for name, words := range map[string]string{
		"firing": "● FIRING", "pending": "◔ pending", "calm": "ok ", "blind": "× blind", "partial": "(held)",
	} {
		frame := shown(t, name, 100, 30, Options{Theme: Mono}).Frame()
		if strings.Contains(frame, "38;") || strings.Contains(frame, "48;") {
			t.Errorf("%s: a colour without colours", name)
		}
		if !strings.Contains(ansi.Strip(frame), words) {
			t.Errorf("%s does not say %q:\n%s", name, words, ansi.Strip(frame))
		}
	}
}

func TestOneLineIsStillAnAnswer(t *testing.T) {
	for name, want := range map[string]string{
		"firing": "● 2.48x payments-channel FIRING 3m10s",
		"calm":   "ok 1.02x orders",
	} {
		if got := ansi.Strip(shown(t, name, 60, 1, Options{}).Frame()); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestOverlays(t *testing.T) {
	for _, k := range []string{"?", "i"} {
		t.Run(map[string]string{"?": "help", "i": "explain"}[k], func(t *testing.T) {
			m := shown(t, "firing", 100, 58, Options{})
			press(m, k)
			requireSize(t, m.Frame(), 100, 58)
			golden.RequireEqual(t, ansi.Strip(m.Frame()))
			press(m, "esc")
			if !strings.Contains(ansi.Strip(m.Frame()), "TARGET") {
				t.Error("esc does not lead back")
			}
		})
	}
}

func TestUnknownValuesAreNeverZero(t *testing.T) {
	for moment, sign := range map[string]string{
		"idle": "idle", "infinite": "∞", "not-all-seen": "–", "one-signal-failed": "×", "stale": " old", "partial": " part",
	} {
		text := ansi.Strip(shown(t, moment, 200, 60, Options{}).Frame())
		if !strings.Contains(text, sign) {
			t.Errorf("%s: no %q on the screen:\n%s", moment, sign, text)
		}
	}
}
