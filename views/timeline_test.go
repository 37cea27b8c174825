package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/chart"
)

// times presses a key again and again.
func times(m *Model, n int, key string) {
	for range n {
		press(m, key)
	}
}

func head(m *Model) string {
	first, _, _ := strings.Cut(text(m), "\n")
	return first
}

// hour is a screen of an hour of a storm that began after a quarter of it, in
// which nothing could be read for a minute from 12:06:30 on.
func hour(t testing.TB, w, h int, opt Options) *Model {
	t.Helper()
	m := New(opt)
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	m.Update(SnapshotMsg{Snapshot: hourOf(t).Snapshot()})
	return m
}

func hourOf(t testing.TB) *watch.Watch {
	t.Helper()
	storm := watchtest.Storm{Targets: 6}
	var blind []*collector.Reading
	for at := 17 * time.Minute; at < 18*time.Minute; at += watchtest.Step {
		blind = append(blind, watchtest.Blind(at, collector.Failure{Kind: collector.ServerError, Text: `503 "query timed out"`}))
	}
	w := watch.New(alerts.Documented(), time.Hour, watch.DefaultTargets)
	for _, r := range slices.Concat(storm.Readings(0, 17*time.Minute-watchtest.Step), blind, storm.Readings(18*time.Minute, 50*time.Minute)) {
		w.Add(r)
	}
	return w
}

func TestTheCursorAtSizes(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			m := shown(t, "firing", size.w, size.h, Options{})
			times(m, 47, "left") // 12:00:35, pending
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, text(m))
		})
	}
	t.Run("styled", func(t *testing.T) {
		m := shown(t, "firing", 80, 24, Options{})
		times(m, 47, "left")
		golden.RequireEqual(t, m.Frame())
	})
	t.Run("ascii", func(t *testing.T) {
		m := shown(t, "firing", 80, 24, Options{Glyphs: chart.ASCII})
		times(m, 47, "left")
		golden.RequireEqual(t, text(m))
	})
}

func TestZoomedScreens(t *testing.T) {
	for _, size := range sizes[2:4] {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			m := hour(t, size.w, size.h, Options{Span: 15 * time.Minute})
			press(m, "+", "+", ",", ",")
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, text(m))
		})
	}
}

func TestATargetAtTheCursor(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{})
	press(m, "enter")
	times(m, 47, "left")
	requireSize(t, m.Frame(), 120, 40)
	golden.RequireEqual(t, text(m))
}

func TestTheCursorSnapsToReadingsAndEveryNumberFollows(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{})
	press(m, "left")
	if got := head(m); !strings.Contains(got, "AT 12:04:25Z, live is FIRING") {
		t.Errorf("the first step: %q", got)
	}
	press(m, "shift+left")
	if got := head(m); !strings.Contains(got, "AT 12:03:10Z") { // a twelfth of 180 readings
		t.Errorf("a fast step: %q", got)
	}
	press(m, "shift+right", "right")
	if got := head(m); !strings.Contains(got, "AT 12:04:30Z") {
		t.Errorf("back at the newest: %q", got)
	}
	times(m, 100, "shift+left")
	if got := text(m); !strings.Contains(head(m), "AT 11:49:30Z") || strings.Contains(got, "2.48x") || !strings.Contains(got, "ok ") {
		t.Errorf("the first reading:\n%s", got)
	}
	press(m, "0")
	if got := text(m); !strings.Contains(got, "LIVE") || !strings.Contains(got, "2.48x") {
		t.Errorf("back to live:\n%s", got)
	}
}

// TestTheCursorSaysWhatTheScreenSaidThen compares the verdict at every reading
// with that of the screen when it came.
func TestTheCursorSaysWhatTheScreenSaidThen(t *testing.T) {
	w := watch.New(alerts.Documented(), time.Hour, watch.DefaultTargets)
	live := New(Options{Span: 15 * time.Minute})
	live.Update(tea.WindowSizeMsg{Width: 160, Height: 40})
	var said []string
	for _, r := range (watchtest.Storm{Targets: 6}).Readings(9*time.Minute, watchtest.Plateau) {
		w.Add(r)
		live.Update(SnapshotMsg{Snapshot: w.Snapshot()})
		live.Frame()
		said = append(said, live.said.Text+live.said.Cause)
	}
	for i := len(said) - 2; i >= 0; i-- {
		press(live, "left")
		live.Frame()
		if got := live.said.Text + live.said.Cause; got != said[i] {
			t.Errorf("reading %d: %q, then %q", i, said[i], got)
		}
	}
}

// TestBlindIsNeverGreenAtTheCursor walks through a blind stretch on every screen.
func TestBlindIsNeverGreenAtTheCursor(t *testing.T) {
	m := hour(t, 120, 40, Options{Span: time.Hour})
	v := m.base.History
	for i := range v.Len() {
		at := v.Time(i).Sub(watchtest.Start)
		if at < 17*time.Minute || at >= 18*time.Minute {
			continue
		}
		m.point(v.Time(i))
		for _, screen := range []string{"1", "2"} {
			press(m, screen)
			got := text(m)
			verdict := strings.Split(got, "\n")[1]
			if !strings.Contains(verdict, "× blind since 12:06:30Z") || strings.Contains(verdict, "ok") {
				t.Fatalf("at %v on screen %s:\n%s", at, screen, got)
			}
		}
		if m.shown.Good.At.After(v.Time(i)) {
			t.Fatalf("at %v a later picture stands", at)
		}
	}
}

func TestDataKeepsComingWhileTheCursorIsInThePast(t *testing.T) {
	m := shown(t, "calm", 120, 40, Options{})
	press(m, "left", "left")
	before := strings.Split(text(m), "\n")
	m.Update(SnapshotMsg{Snapshot: moments()["firing"].Snapshot})
	after := strings.Split(text(m), "\n")
	if !strings.Contains(before[0], "live is ok") || !strings.Contains(after[0], "AT 12:04:20Z, live is FIRING") {
		t.Errorf("before %q\nafter  %q", before[0], after[0])
	}
}

// TestMovingTheCursorMovesNothingElse compares the plots at two cursors, the
// cursor's own cells left out.
func TestMovingTheCursorMovesNothingElse(t *testing.T) {
	plot := func(m *Model) []string {
		rows := strings.Split(text(m), "\n")
		return rows[3:13]
	}
	m := shown(t, "firing", 120, 40, Options{})
	live := plot(m)
	for range 60 {
		press(m, "left")
		got := plot(m)
		for y := range got {
			a, b := []rune(live[y]), []rune(got[y])
			changed := 0
			for x := range a {
				if a[x] != b[x] {
					changed++
				}
			}
			if len(a) != len(b) || changed > 1 {
				t.Fatalf("%s: %d cells of row %d changed\n%s\n%s", head(m), changed, y, live[y], got[y])
			}
		}
	}
}

func TestChartsFollowTheCursorBeyondTheirEdges(t *testing.T) {
	m := hour(t, 120, 40, Options{Span: 5 * time.Minute})
	times(m, 40, "shift+left")
	if m.time.cursor.Before(m.begin()) || m.time.end.Before(m.time.cursor) {
		t.Errorf("the cursor %v is not on the charts %v to %v", m.time.cursor, m.begin(), m.time.end)
	}
	times(m, 300, "right")
	if m.time.cursor.Before(m.begin()) || m.time.end.Before(m.time.cursor) {
		t.Errorf("the cursor %v is not on the charts %v to %v", m.time.cursor, m.begin(), m.time.end)
	}
	if strings.Count(text(m), "┼") == 0 {
		t.Errorf("no cursor on the charts:\n%s", text(m))
	}
}

func TestZoomAndPan(t *testing.T) {
	m := hour(t, 120, 40, Options{Span: 15 * time.Minute})
	for _, step := range []struct {
		key, want string
		live      bool
	}{
		{"+", "span 10m ", true}, {"=", "span 5m ", true}, {"-", "span 10m ", true}, {"-", "span 15m ", true}, {"-", "span 30m ", true},
		{"-", "span 1h ", true}, {"-", "span 1h ", true}, {"+", "span 30m ", true}, {",", "span 30m to 12:24:30Z", false},
		{",", "span 30m to 12:19:30Z", false}, {".", "span 30m to 12:34:30Z", false}, {".", "span 30m ", true},
		{",", "span 30m to 12:24:30Z", false}, {"0", "span 15m ", true},
	} {
		press(m, step.key)
		if got := head(m); !strings.Contains(got+" ", step.want) || strings.Contains(got, " to ") == step.live {
			t.Fatalf("%s: %q, want %q", step.key, got, step.want)
		}
	}
	press(m, "left", ",", ",")
	if m.time.cursor.After(m.time.end) || m.time.cursor.Before(m.begin()) {
		t.Error("the cursor was left behind")
	}
}

func TestTheZoomGoesFartherWhereMoreCanBeFetched(t *testing.T) {
	var from []time.Time
	m := hour(t, 120, 40, Options{Span: 30 * time.Minute, More: func(t time.Time) { from = append(from, t) }})
	press(m, "-", "-")
	if want := m.edge().Add(-2 * time.Hour); len(from) != 2 || !from[1].Equal(want) {
		t.Errorf("asked for %v, want %v last", from, want)
	}
}

func TestFreezeAndCursorTogether(t *testing.T) {
	m := shown(t, "calm", 120, 40, Options{})
	press(m, "space", "left")
	m.Update(SnapshotMsg{Snapshot: moments()["firing"].Snapshot})
	press(m, "right")
	if got := text(m); strings.Contains(got, "2.48x") || !strings.Contains(head(m), "live is FIRING") {
		t.Errorf("the frozen picture changed:\n%s", got)
	}
	press(m, "0")
	if m.frozen || m.past() || !strings.Contains(text(m), "2.48x") {
		t.Errorf("not live again:\n%s", text(m))
	}
}

func TestTheTimeZoneIsSwitched(t *testing.T) {
	local := time.FixedZone("CET", 3600)
	m := shown(t, "firing", 120, 40, Options{Local: local})
	press(m, "z")
	got := text(m)
	for _, word := range []string{"13:04:32", "since 13:00", "13:00"} {
		if !strings.Contains(got, word) {
			t.Errorf("no %q:\n%s", word, got)
		}
	}
	if clockTime.MatchString(got) {
		t.Errorf("a time stayed in UTC: %q\n%s", clockTime.FindString(got), got)
	}
	press(m, "6")
	if got := text(m); clockTime.MatchString(got) {
		t.Errorf("events: %q", clockTime.FindString(got))
	}
	press(m, "1", "z")
	if !strings.Contains(text(m), "12:04:32Z") {
		t.Error("not UTC again")
	}
	if press(shown(t, "firing", 120, 40, Options{}), "z"); strings.Contains(text(shown(t, "firing", 200, 60, Options{})), "z zone") {
		t.Error("offered without another zone")
	}
}

func TestTimesOfSentencesFindTheirDay(t *testing.T) {
	m := New(Options{Local: time.FixedZone("", 2*3600)})
	m.zoneNext()
	near := time.Date(2026, 3, 14, 0, 10, 0, 0, time.UTC)
	if got := m.told("since 23:55:01Z, and 00:05:00Z", near); got != "since 01:55:01, and 02:05:00" {
		t.Error(got)
	}
}

func TestASecondHumpInOneRegionIsSeenAtTheCursor(t *testing.T) {
	w := watch.New(alerts.Documented(), time.Hour, watch.DefaultTargets)
	storm := watchtest.Storm{Targets: 40}
	for _, r := range storm.Readings(watchtest.Rise-2*time.Minute, watchtest.Plateau) {
		w.Add(r)
	}
	for _, r := range (watchtest.Storm{Targets: 40, Calm: true}).Readings(watchtest.Plateau+watchtest.Step, watchtest.Plateau+2*time.Minute) {
		w.Add(r)
	}
	m := New(Options{Span: 15 * time.Minute})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	m.Update(SnapshotMsg{Snapshot: w.Snapshot()})
	m.point(watchtest.Start.Add(watchtest.Plateau))
	if got := strings.Split(text(m), "\n")[1]; !strings.Contains(got, "payments-channel 2.48x") {
		t.Errorf("the sum of 40 hides it: %q", got)
	}
}

// TestTheCallersOfNowAreNotShownAtTheCursor: their past is not kept.
func TestTheCallersOfNowAreNotShownAtTheCursor(t *testing.T) {
	m := shown(t, "firing", 120, 60, Options{Open: func(collector.Target) {}})
	press(m, "enter")
	m.Update(callers(m.opened.target.ID))
	live := text(m)
	press(m, "left")
	if got := text(m); !strings.Contains(live, "CALLER") || !strings.Contains(got, "not at the cursor") || strings.Contains(got, "OF EXTRA") {
		t.Errorf("callers at the cursor:\n%s", got)
	}
}

func TestACursorInWhatIsForgottenGoesToTheFirstReading(t *testing.T) {
	m := shown(t, "calm", 120, 40, Options{})
	times(m, 20, "shift+left")
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	for _, r := range (watchtest.Storm{Targets: 4}).Readings(20*time.Minute, 40*time.Minute) {
		w.Add(r)
	}
	m.Update(SnapshotMsg{Snapshot: w.Snapshot()})
	first := w.Snapshot().History.Time(0)
	if !m.time.cursor.Equal(first) || m.time.end.Before(first) || !m.shown.Last.At.Equal(first) {
		t.Errorf("cursor %v, charts to %v, the first reading is of %v", m.time.cursor, m.time.end, first)
	}
}
