package main

import (
	"context"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views"
)

// rigged is a simulation that shows the same picture all the time.
type rigged struct {
	collector.Source
	rig *collector.Rig
}

func (r rigged) Rig() *collector.Rig      { return r.rig }
func (rigged) Turn(field, v string) error { return nil }
func (rigged) Do(name string) error       { return nil }
func (rigged) Restart(seed int64)         {}
func (rigged) SetSpeed(speed float64)     {}

// sentTo keeps what it is sent, and calls enough when a snapshot came.
type sentTo struct {
	got    []tea.Msg
	enough func()
}

func (s *sentTo) Send(msg tea.Msg) {
	s.got = append(s.got, msg)
	if _, ok := msg.(views.SnapshotMsg); ok {
		s.enough()
	}
}

// shownOf is what a screen is sent of a source with one reading.
func shownOf(t *testing.T, src collector.Source) (views.Options, []tea.Msg) {
	t.Helper()
	b := newBoard(&diary{Watch: watch.New(alerts.Documented(), time.Minute, 1)})
	var o views.Options
	(&asks{source: src, board: b}).offer(t.Context(), &o)
	ctx, cancel := context.WithCancel(t.Context())
	b.Add(&collector.Reading{At: noon, Origin: &collector.Origin{Source: "test"}})
	b.changed()
	screen := &sentTo{enough: cancel}
	if err := b.send(ctx, screen); err != nil {
		t.Fatal(err)
	}
	return o, screen.got
}

func TestASimulationIsShownWithEachSnapshot(t *testing.T) {
	src := rigged{readings(0, 1), &collector.Rig{Scenario: "storm"}}
	o, got := shownOf(t, src)
	if o.Rig == nil || o.Rig.Rig() != src.rig {
		t.Error("it cannot be steered")
	}
	at := slices.IndexFunc(got, func(m tea.Msg) bool { r, ok := m.(views.RigMsg); return ok && r.Rig == src.rig })
	if at != 0 || len(got) != 2 {
		t.Errorf("the screen is sent %v, want the simulation and then the snapshot", got)
	}
}

func TestASourceThatIsNoSimulationHasNothingToSteer(t *testing.T) {
	o, got := shownOf(t, readings(0, 1))
	if o.Rig != nil || len(got) != 1 {
		t.Errorf("steered by %v, the screen is sent %v", o.Rig, got)
	}
}
