package chain

import (
	"errors"
	"io"
	"testing"
)

// BenchmarkPayment1945 is the storm of 19:45 with all repairs: 720 s of virtual
// time, at full scale 54,000 attempts a second and 71 million events.
func BenchmarkPayment1945(b *testing.B) {
	for _, scale := range []struct {
		name string
		by   float64
	}{{"tenth", 0.1}, {"full", 1}} {
		b.Run(scale.name, func(b *testing.B) {
			s := act(b, payment(scale.by), 720, repairs)
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
