package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/chart"
)

// several is a screen of two systems side by side.
func several(t testing.TB, w, h int, opt Options) *Model {
	t.Helper()
	opt.Span = 15 * time.Minute
	mo := watchtest.TwoSystems()
	m := New(opt)
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	m.Update(SnapshotMsg{Snapshot: mo.Snapshot})
	m.Update(TickMsg{At: mo.Now})
	return m
}

// callers answers who calls a target: three that share its traffic, of which
// the first sends nearly all attempts that are too many.
func callers(id string) CallersMsg {
	row := func(name string, in, down float64) collector.Row {
		r := collector.Row{Target: collector.NewTarget(collector.Hop, collector.Label{Name: "source", Value: name})}
		r.Values[collector.Ingress] = collector.Num(in, collector.PerSecond, collector.Exact)
		r.Values[collector.Downstream] = collector.Num(down, collector.PerSecond, collector.Exact)
		r.Values.Derive(1)
		return r
	}
	unknown := row("batch", 0, 0)
	unknown.Values = collector.Values{collector.Downstream: collector.Num(40, collector.PerSecond, collector.Exact)}
	return CallersMsg{ID: id, Rows: []collector.Row{row("checkout", 1102, 3908), row("orders", 896, 1007), unknown}}
}

// opens is the drill-down of the worst target, with its callers.
func opens(t testing.TB, w, h int, opt Options) *Model {
	t.Helper()
	var id string
	opt.Open = func(target collector.Target) { id = target.ID }
	m := several(t, w, h, opt)
	press(m, "2", "enter")
	if id == "" {
		t.Fatal("nothing was asked for")
	}
	m.Update(callers(id))
	return m
}

// TestWhatCannotBeSeenIsSaid: beside the cause where there is room, else in a line
// of its own where there is one to spare.
func TestWhatCannotBeSeenIsSaid(t *testing.T) {
	const words = "calls that never left the client are not counted"
	for _, tt := range []struct {
		w, h  int
		where string // a line that has the cause, one of its own, or none
	}{{240, 24, "beside"}, {240, 40, "beside"}, {120, 40, "own"}, {120, 30, "own"}, {120, 29, ""}, {80, 24, ""}} {
		where := ""
		for _, row := range strings.Split(ansi.Strip(several(t, tt.w, tt.h, Options{}).draw()), "\n") {
			switch trimmed := strings.TrimSpace(row); {
			case trimmed == words:
				where += "own"
			case strings.Contains(row, words):
				where += "beside"
			}
		}
		if where != tt.where {
			t.Errorf("at %dx%d it is said %q, want %q", tt.w, tt.h, where, tt.where)
		}
	}
}

func TestTargetsAtEverySize(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			m := shown(t, "firing", size.w, size.h, Options{})
			press(m, "2", "down", "s", "s", "s")
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, ansi.Strip(m.Frame()))
		})
	}
	t.Run("styled", func(t *testing.T) {
		m := several(t, 80, 24, Options{})
		press(m, "2", "down", "/", "p")
		golden.RequireEqual(t, m.Frame())
	})
}

func TestATargetAtEverySize(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			m := opens(t, size.w, size.h, Options{})
			requireSize(t, m.Frame(), size.w, size.h)
			golden.RequireEqual(t, ansi.Strip(m.Frame()))
			t.Run("end", func(t *testing.T) {
				press(m, "end")
				requireSize(t, m.Frame(), size.w, size.h)
				golden.RequireEqual(t, ansi.Strip(m.Frame()))
			})
		})
	}
	t.Run("styled", func(t *testing.T) { golden.RequireEqual(t, opens(t, 120, 40, Options{}).Frame()) })
}

func TestSeveralSystemsAt(t *testing.T) {
	for _, size := range sizes[2:] {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			frame := several(t, size.w, size.h, Options{}).Frame()
			requireSize(t, frame, size.w, size.h)
			golden.RequireEqual(t, ansi.Strip(frame))
		})
	}
	t.Run("explain", func(t *testing.T) {
		m := several(t, 100, 52, Options{})
		press(m, "i")
		golden.RequireEqual(t, ansi.Strip(m.Frame()))
	})
}

func TestTheSameNameInTwoSystemsIsToldApart(t *testing.T) {
	for _, keys := range [][]string{nil, {"2"}} {
		m := several(t, 100, 30, Options{})
		press(m, keys...)
		got := text(m)
		for _, system := range []string{watchtest.Proxy, watchtest.Library} {
			if !slices.ContainsFunc(strings.Split(got, "\n"), func(row string) bool {
				return strings.Contains(row, watchtest.Payments+" ") && strings.Contains(row, " "+system+" ")
			}) {
				t.Errorf("after %v no row of %s in %s:\n%s", keys, watchtest.Payments, system, got)
			}
		}
	}
}

func TestProfilesOfSeveralSystemsFitTheHeader(t *testing.T) {
	for width, want := range map[int]string{120: "envoy+grpc_otel", 60: "2 systems"} {
		head, _, _ := strings.Cut(text(several(t, width, 24, Options{})), "\n")
		if !strings.Contains(head, want) {
			t.Errorf("%d columns: no %q in %q", width, want, head)
		}
	}
}

func TestAShortSideIsToldInTheNotice(t *testing.T) {
	if got := text(several(t, 80, 24, Options{})); !strings.Contains(got, "grpc_otel ingress side: 32 of 40 reporters") {
		t.Errorf("not told:\n%s", got)
	}
}

func TestOverflowStandsBesideAtLimitWhereItIsCounted(t *testing.T) {
	if got := text(several(t, 120, 40, Options{})); !strings.Contains(got, "AT LIMIT") || !strings.Contains(got, "OVERFLOW") {
		t.Errorf("not both:\n%s", got)
	}
	if got := text(shown(t, "firing", 200, 60, Options{})); strings.Contains(got, "OVERFLOW") {
		t.Errorf("overflow where nothing counts it:\n%s", got)
	}
}

func TestAPoolWaitIsShownInItsUnit(t *testing.T) {
	if got := text(shown(t, "firing", 80, 24, Options{})); !strings.Contains(got, "POOL WAIT     240ms") {
		t.Errorf("no time:\n%s", got)
	}
	if got := text(several(t, 80, 24, Options{})); !strings.Contains(got, "WAITERS        37.6") {
		t.Errorf("waiters look like a time:\n%s", got)
	}
	row := collector.Row{}
	row.Values[collector.PoolWait] = collector.Num(12, collector.PerSecond, collector.Exact)
	if got := (entry{"POOL WAIT", collector.PoolWait, ""}).name(row); got != "POOL WAITS" {
		t.Errorf("waits a second are called %q", got)
	}
}

// doubtful is a screen of two systems of which the library's ratio is a hint.
func doubtful(t *testing.T, unproven bool) *Model {
	m := several(t, 120, 40, Options{})
	snap := m.live
	good, origin := *snap.Good, *snap.Good.Origin
	origin.Systems = slices.Clone(origin.Systems)
	origin.Systems[1].Trust, origin.Systems[1].Unproven = collector.Heuristic, unproven
	good.Origin = &origin
	snap.Good, snap.Last = &good, &good
	m.Update(SnapshotMsg{Snapshot: snap})
	return m
}

func TestAHintLooksLikeOne(t *testing.T) {
	got := text(doubtful(t, true))
	if !strings.Contains(got, "heuristic  unproven  HOP") || !strings.Contains(got, "~2.48x") {
		t.Errorf("not marked:\n%s", got)
	}
	m := doubtful(t, true)
	press(m, "i")
	for _, want := range []string{"Trust: heuristic: a hint", "Unproven: ", "1,210 B", "2 series"} {
		want = strings.Replace(want, "1,210 B", "1.2 kB, 4.0ms", 1)
		if !strings.Contains(text(m), want) {
			t.Errorf("no %q:\n%s", want, text(m))
		}
	}
}

func TestASCIIScreensOfSeveralSystemsHoldNothingElse(t *testing.T) {
	for _, keys := range [][]string{nil, {"G"}, {"2", "s", "p"}, {"2", "/", "["}, {"i"}, {"2", "enter", "end"}, {"b"}} {
		m := opens(t, 120, 40, Options{Steer: func(collector.Wish) {}, Learn: func() {}})
		press(m, "1")
		m.set = chart.ASCII
		m.restyle()
		press(m, keys...)
		for _, r := range text(m) {
			if r >= 0x80 {
				t.Fatalf("after %v: %q in\n%s", keys, r, text(m))
			}
		}
	}
}
