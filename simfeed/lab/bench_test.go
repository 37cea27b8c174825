package lab

import (
	"context"
	"testing"
)

// BenchmarkRun measures the engine at full scale: a thousand times the
// published script.
func BenchmarkRun(b *testing.B) {
	for _, s := range Strategies() {
		b.Run(s.ID, func(b *testing.B) {
			s.Config.Clients, s.Config.Capacity, s.Config.BreakerThreshold = 200_000, 240_000, 400_000
			b.ReportAllocs()
			attempts := int64(0)
			for b.Loop() {
				r, err := Run(context.Background(), s)
				if err != nil {
					b.Fatal(err)
				}
				attempts += r.Attempts
			}
			b.ReportMetric(float64(attempts)/b.Elapsed().Seconds()/1e6, "Mattempts/s")
		})
	}
}
