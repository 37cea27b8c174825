package main

import (
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/simfeed/play"
	"stormtop/simfeed/scenario"
)

func TestWhatASimulationChangesByItselfIsAmongTheEvents(t *testing.T) {
	s, err := scenario.Named("sixty-seconds", nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := play.NewFeed(play.Config{Scenario: s, Seed: 1, Start: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC), Span: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	d := &diary{Watch: watch.New(alerts.Documented(), time.Hour, watch.DefaultTargets), tells: f}
	kept := 0
	for range 300 {
		r, err := f.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, e := range d.Add(r) {
			if e.Kind == collector.EventChange {
				texts = append(texts, e.Text)
				if !e.At.Equal(r.At) || r.Past {
					t.Errorf("%q is at %v, the reading at %v, past %v", e.Text, e.At, r.At, r.Past)
				}
			}
		}
		if told := f.Changed(); len(told) != len(texts) {
			t.Errorf("at %v told %q, entered %q", r.At, told, texts)
		}
		kept += len(texts)
	}
	changes := 0
	for _, e := range d.Snapshot().Events {
		if e.Kind == collector.EventChange {
			changes++
		}
	}
	if changes != kept || kept < 2 {
		t.Errorf("%d changes are remembered of %d", changes, kept)
	}
}
