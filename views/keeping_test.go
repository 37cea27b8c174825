package views

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"stormtop/collector"
	"stormtop/views/chart"
)

// asOrigin is a moment whose source is described in another way.
func asOrigin(t testing.TB, moment string, w, h int, opt Options, change func(*collector.Origin)) *Model {
	t.Helper()
	m := shown(t, moment, w, h, opt)
	s := moments()[moment].Snapshot
	o, last := *s.Last.Origin, *s.Last
	change(&o)
	last.Origin = &o
	s.Last, s.Good = &last, &last
	m.Update(SnapshotMsg{Snapshot: s})
	return m
}

func TestTheViewIsHandedOverToBeKept(t *testing.T) {
	var got []Shot
	m := shown(t, "firing", 80, 24, Options{Keep: func(s Shot) { got = append(got, s) }})
	live := text(m)
	press(m, "S", "left", "-", "S")
	if len(got) != 2 {
		t.Fatalf("%d pictures", len(got))
	}
	newest := m.live.Last.At
	if s := got[0]; !s.To.Equal(newest) || !s.At.Equal(newest) || s.From.Before(newest.Add(-15*time.Minute)) || s.Snapshot.Last != m.live.Last {
		t.Errorf("the live view is %s to %s of %s", s.From, s.To, s.At)
	}
	if want := strings.TrimRight(live, " \n"); len(strings.Split(got[0].Text, "\n")) != len(strings.Split(want, "\n"))+1 || strings.Contains(got[0].Text, "\x1b") || !strings.Contains(got[0].Text, "● FIRING") {
		t.Errorf("the text is not the screen:\n%s", got[0].Text)
	}
	if s := got[1]; !s.At.Equal(m.time.cursor) || s.At.Equal(newest) || !strings.Contains(s.Text, "AT ") {
		t.Errorf("the view at the cursor is of %s:\n%s", s.At, s.Text)
	}
}

func TestKeysThatWriteAreOfferedWhereSomebodyWrites(t *testing.T) {
	m := shown(t, "firing", 80, 40, Options{})
	if press(m, "S", "r"); m.notice.Text != "" {
		t.Error("something was done")
	}
	if press(m, "?"); strings.Contains(text(m), "snapshot") || strings.Contains(text(m), "record") {
		t.Errorf("the help offers what nobody does:\n%s", text(m))
	}
	m = shown(t, "firing", 80, 80, Options{Keep: func(Shot) {}, Record: func() {}})
	if press(m, "?"); !strings.Contains(text(m), "writes two files here") || !strings.Contains(text(m), "-live.rec") {
		t.Errorf("the help does not say what is written:\n%s", text(m))
	}
}

func TestARecordingIsAskedForAndSaid(t *testing.T) {
	asked := 0
	m := shown(t, "firing", 80, 24, Options{Record: func() { asked++ }})
	if press(m, "r"); asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	if strings.Contains(head(m), "REC") {
		t.Error("said before it is so")
	}
	m.Update(RecordingMsg{On: true})
	if !strings.Contains(head(m), "◉ REC  LIVE") || !strings.Contains(m.Frame(), m.styles.pending.open+"◉ REC") {
		t.Errorf("not said: %q", head(m))
	}
	if press(m, "left"); !strings.Contains(head(m), "◉ REC  AT ") {
		t.Errorf("not said at the cursor: %q", head(m))
	}
	m.Update(RecordingMsg{Failed: true})
	if press(m, "0"); !strings.Contains(head(m), "REC FAILED  LIVE") {
		t.Errorf("the end that nobody asked for is not said: %q", head(m))
	}
	m.Update(RecordingMsg{})
	if strings.Contains(head(m), "REC") {
		t.Errorf("said still: %q", head(m))
	}
}

func TestWhatIsRecordedIsSaidAtEverySizeWithAHeader(t *testing.T) {
	for _, size := range sizes {
		for _, set := range []chart.Glyphs{chart.Braille, chart.ASCII} {
			m := shown(t, "firing", size.w, size.h, Options{Glyphs: set})
			m.Update(RecordingMsg{On: true})
			requireSize(t, m.Frame(), size.w, size.h)
			if size.w >= 40 && !strings.Contains(head(m), m.glyphs.record+" REC") {
				t.Errorf("%dx%d: %q", size.w, size.h, head(m))
			}
		}
	}
}

func TestCopiesAreShownAsPlainText(t *testing.T) {
	for _, test := range []struct {
		name string
		keys []string
		want []string
	}{
		{"verdict", nil, []string{"prom.example:9090 20", "● FIRING 3m10s, payments-channel 2.48x > 1.5, critical, +2 rules, 1 of 212 firing; it is retries"}},
		{"target", []string{"2", "enter"}, []string{"payments-channel", "rule RetryAmplificationHigh firing 2.48x", "amplification 2.48x", "ingress 1,998/s"}},
		{"listed", []string{"2"}, []string{"payments-channel", "amplification 2.48x"}},
		{"queries", []string{"i"}, []string{"payments-channel", "# amplification 2.48x", "downstream / ingress", "# ingress 1,998/s"}},
		{"events", []string{"6"}, []string{"firing  RetryAmplificationHigh  payments-channel", "Z  start  "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := shown(t, "firing", 80, 24, Options{})
			before := text(shownAfter(t, test.keys...))
			cmd := press(m, append(test.keys, "y")...)
			if cmd == nil {
				t.Fatal("nothing was copied")
			}
			copied := fmt.Sprintf("%s", cmd())
			for _, want := range test.want {
				if !strings.Contains(copied, want) {
					t.Errorf("no %q in\n%s", want, copied)
				}
			}
			if strings.ContainsAny(copied, "\x1b\r") {
				t.Error("control characters were copied")
			}
			requireSize(t, m.Frame(), 80, 24)
			golden.RequireEqual(t, ansi.Strip(m.Frame()))
			if press(m, "esc"); text(m) != before && test.name != "queries" {
				t.Errorf("esc does not lead back:\n%s", text(m))
			}
		})
	}
}

// shownAfter is the storm after keys.
func shownAfter(t testing.TB, keys ...string) *Model {
	m := shown(t, "firing", 80, 24, Options{})
	press(m, keys...)
	return m
}

func TestTheVerdictIsCopiedAsOneLine(t *testing.T) {
	for name := range moments() {
		m := shown(t, name, 80, 24, Options{})
		if cmd := press(m, "y"); cmd != nil {
			if copied := fmt.Sprintf("%s", cmd()); strings.Contains(copied, "\n") || !strings.Contains(copied, m.shown.Good.Origin.Source) {
				t.Errorf("%s: %q", name, copied)
			}
		}
	}
}

func TestALongCopyIsBoundedAndSaysSo(t *testing.T) {
	m := shown(t, "firing", 80, 24, Options{})
	s := m.live
	for i := range 5000 {
		s.Events = append(s.Events, collector.Event{At: s.Last.At.Add(time.Duration(i)), Kind: collector.EventChange, Text: "the lever was moved"})
	}
	m.Update(SnapshotMsg{Snapshot: s})
	copied := fmt.Sprintf("%s", press(m, "6", "y")())
	if len(copied) > mostCopied+100 || !strings.HasSuffix(copied, " more lines") {
		t.Errorf("%d bytes, ending %q", len(copied), copied[len(copied)-40:])
	}
}

func TestTheMouseIsOffUntilSomebodyWantsIt(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{})
	click := func(words string) {
		t.Helper()
		for y, row := range strings.Split(text(m), "\n") {
			if strings.Contains(row, words) && y > 3 {
				m.Update(tea.MouseClickMsg{X: 10, Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("no row with %q:\n%s", words, text(m))
	}
	if click("  orders "); m.selected != "" || m.View().MouseMode != tea.MouseModeNone {
		t.Fatal("the mouse is on")
	}
	if press(m, "M"); m.View().MouseMode != tea.MouseModeCellMotion || !strings.Contains(text(m), "M mouse off") {
		t.Fatalf("the mouse is not on:\n%s", text(m))
	}
	if click("  orders "); !strings.Contains(m.selected, "orders") {
		t.Errorf("on the overview %q was selected", m.selected)
	}
	press(m, "2", "home")
	if click(" orders "); !strings.Contains(m.selected, "orders") {
		t.Errorf("among the targets %q was selected", m.selected)
	}
	at := m.position()
	if m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown}); m.position() != at+wheelStep {
		t.Errorf("the wheel went from %d to %d", at, m.position())
	}
	press(m, "6")
	if click(" start "); m.log.place() != len(m.happened())-1 {
		t.Errorf("of the events number %d was pointed at", m.log.place())
	}
	if m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp}); m.log.place() >= len(m.happened())-1 {
		t.Error("the wheel does not move among the events")
	}
	press(m, "?")
	before := m.scroll.first
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 10})
	m.Frame()
	if m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown}); m.scroll.first != before+wheelStep {
		t.Errorf("the wheel scrolls from %d to %d", before, m.scroll.first)
	}
	if m.Update(tea.MouseClickMsg{X: 3, Y: 5, Button: tea.MouseLeft}); m.path.mode() != helping {
		t.Error("a click went through what covers the screen")
	}
	if press(m, "esc", "M"); m.View().MouseMode != tea.MouseModeNone {
		t.Error("the mouse stays on")
	}
}

func TestClicksBesideTheRowsDoNothing(t *testing.T) {
	for _, size := range sizes {
		m := shown(t, "firing", size.w, size.h, Options{})
		press(m, "M")
		for y := -1; y <= size.h; y++ {
			m.selected = ""
			m.Update(tea.MouseClickMsg{Y: y, Button: tea.MouseLeft})
			rows := strings.Split(text(m), "\n")
			if m.selected != "" && !strings.Contains(rows[y], m.glyphs.selected) {
				t.Errorf("%dx%d: a click on line %d selected %q", size.w, size.h, y, m.selected)
			}
		}
	}
}

func TestAReplayIsSaidAndItsClockIsThatOfItsData(t *testing.T) {
	m := asOrigin(t, "firing", 100, 24, Options{}, func(o *collector.Origin) { o.Replay, o.Speed = true, 10 })
	m.Update(TickMsg{At: m.live.Last.At.AddDate(1, 0, 0)})
	if h := head(m); !strings.Contains(h, "REPLAY 10x") || strings.Contains(h, "LIVE") || strings.Contains(h, " old") || !strings.Contains(h, m.clock(m.live.Last.At)) {
		t.Errorf("the header is %q", h)
	}
	if m.tooOld() {
		t.Error("a replay is dimmed for its age")
	}
	if press(m, "left"); !strings.Contains(head(m), "REPLAY 10x AT ") || !strings.Contains(head(m), "now FIRING") {
		t.Errorf("the header at the cursor is %q", head(m))
	}
	m = asOrigin(t, "firing", 100, 24, Options{}, func(o *collector.Origin) { o.Replay, o.Simulated = true, true })
	if !strings.Contains(head(m), "SIMULATED REPLAY") {
		t.Errorf("the header of a replayed simulation is %q", head(m))
	}
}

func TestTheHelpIsNeverCut(t *testing.T) {
	for _, w := range []int{40, 80} {
		m := shown(t, "firing", w, 24, Options{Keep: func(Shot) {}, Record: func() {}, Mark: func(collector.Mark) {}})
		press(m, "?")
		for range 30 {
			if strings.Contains(strings.Join(strings.Split(text(m), "\n")[2:23], "\n"), "…") {
				t.Fatalf("cut at %d cells:\n%s", w, text(m))
			}
			press(m, "down", "down", "down", "down")
		}
	}
}

func TestWhatCoversTheEventsIsScrolled(t *testing.T) {
	m := shown(t, "firing", 80, 12, Options{})
	press(m, "6", "?")
	m.Frame()
	if press(m, "down"); m.scroll.first != 1 {
		t.Errorf("the help begins with line %d", m.scroll.first)
	}
	if press(m, "enter"); m.path.mode() != helping {
		t.Error("a key went through what covers the screen")
	}
}
