package chain

import (
	"errors"
	"io"
	"testing"
)

// BenchmarkPayment1945 is the storm of 19:45 with all repairs: 720 s of virtual
// time, at full scale 54,000 attempts a second and 70 million events. With all
// policies each edge also has a budget, a breaker, a bulkhead and a pool that
// are asked for every attempt, but never refuse one, so that the course is the
// same.
func BenchmarkPayment1945(b *testing.B) {
	for _, scale := range []struct {
		name string
		by   float64
		all  bool
	}{{"tenth", 0.1, false}, {"full", 1, false}, {"policies", 1, true}} {
		b.Run(scale.name, func(b *testing.B) {
			s := payment(scale.by)
			if scale.all {
				for _, f := range [][2]string{
					{"budget.kind", "originals"}, {"budget.share", "100"}, {"breaker.on", "on"}, {"breaker.minimum", "1000000"},
					{"breaker.inside", "on"}, {"bulkhead", "1000000"}, {"pool.size", "1000000"}, {"pool.timeout", "1s"},
				} {
					set(b, &s, "edges.*."+f[0], f[1])
				}
			}
			s = act(b, s, 720, repairs)
			b.ReportAllocs()
			events := uint64(0)
			for b.Loop() {
				e, err := New(s, 1)
				if err != nil {
					b.Fatal(err)
				}
				for {
					if _, err := e.Next(b.Context()); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
				events += e.Events()
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}
