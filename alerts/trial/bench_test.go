package trial_test

import (
	"slices"
	"testing"
	"time"

	"stormtop/alerts/trial"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// past is so much of the storm, of 16 targets.
func past(d time.Duration) []*collector.Reading { return watchtest.Storm{Targets: 16}.Readings(0, d) }

// BenchmarkKeyPress is what a turned number costs over an hour of 16 targets: one
// frame is 50 ms.
func BenchmarkKeyPress(b *testing.B) {
	p := trial.New(rules(), slices.Values(past(time.Hour)), nil, trial.Lens{})
	p.Landscape(with(1.5, time.Minute))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Judge(with([]float64{1.2, 1.3}[i%2], time.Minute))
	}
}

func BenchmarkLandscape(b *testing.B) {
	p := trial.New(rules(), slices.Values(past(time.Hour)), nil, trial.Lens{})
	keep := with(1.5, time.Minute)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		keep.KeepFiring = time.Duration(i%2) * time.Minute // or the map is remembered
		p.Landscape(keep)
	}
}

func BenchmarkMakingThePast(b *testing.B) {
	list := past(time.Hour)
	b.ReportAllocs()
	for b.Loop() {
		trial.New(rules(), slices.Values(list), nil, trial.Lens{})
	}
}
