package views

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
)

// day is a screen with 24 hours at 5 s of 50 targets.
func day(b *testing.B, w, h int) *Model {
	b.Helper()
	const readings = 17_280
	script := watchtest.Storm{Targets: 50}
	past := watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets)
	for i := range readings {
		r := *script.Reading(time.Duration(i%720) * watchtest.Step) // an outage each hour
		r.At = watchtest.Start.Add(time.Duration(i) * watchtest.Step)
		past.Add(&r)
	}
	m := New(Options{Span: 24 * time.Hour})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	m.Update(SnapshotMsg{Snapshot: past.Snapshot()})
	return m
}

func scrub(b *testing.B, m *Model) {
	press(m, "left")
	m.Frame()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%1000 < 500 {
			m.step(-17)
		} else {
			m.step(+17)
		}
		m.Frame()
	}
}

func BenchmarkScrubADay120x40(b *testing.B) { scrub(b, day(b, 120, 40)) }
func BenchmarkScrubADay200x60(b *testing.B) { scrub(b, day(b, 200, 60)) }

func BenchmarkScrubADayOfATarget(b *testing.B) {
	m := day(b, 120, 40)
	press(m, "enter")
	scrub(b, m)
}

func BenchmarkScrubADayInAQuarterOfAnHour(b *testing.B) {
	m := day(b, 120, 40)
	m.time.span = 15 * time.Minute
	scrub(b, m)
}

// BenchmarkLiveDay120x40 is a frame of a day that follows the data.
func BenchmarkLiveDay120x40(b *testing.B) {
	m := day(b, 120, 40)
	for b.Loop() {
		m.fresh = false
		m.Frame()
	}
}
