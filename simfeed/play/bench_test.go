package play

import (
	"testing"
	"time"

	"stormtop/simfeed/scenario"
)

// BenchmarkThePastOfTheDefault is what the first picture of the program without
// arguments waits for: the laps before the start, up to the first live reading.
func BenchmarkThePastOfTheDefault(b *testing.B) {
	s, err := scenario.Named(scenario.Default, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		f, err := NewFeed(Config{Scenario: s, Seed: 1, Start: start, Span: 15*time.Minute + 15*time.Minute/2})
		if err != nil {
			b.Fatal(err)
		}
		for {
			r, err := f.Next(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			if !r.Past {
				break
			}
		}
	}
}
