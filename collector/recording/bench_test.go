package recording

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"stormtop/collector"
)

// crowd is a reading of n targets as a Prometheus of a service mesh has them:
// eight inputs of 17 digits, and what follows from them.
func crowd(n, i int) *collector.Reading {
	rows := make([]collector.Row, n)
	for k := range rows {
		rows[k] = collector.Row{Target: service(fmt.Sprintf("svc-%03d", k)), Baseline: 1}
		for j, s := range []collector.Signal{
			collector.Ingress, collector.Downstream, collector.Retries, collector.Successes,
			collector.Rescued, collector.AtLimit, collector.PoolWait, collector.QueueDepth,
		} {
			v := 1000 / 7.0 * (1.5 + math.Sin(float64(i*31+k*7+j)))
			rows[k].Values[s] = collector.Num(v, s.Unit(), collector.Exact)
		}
		rows[k].Values.Derive(1)
	}
	return &collector.Reading{
		At: noon.Add(time.Duration(i) * 5 * time.Second), Newest: noon.Add(time.Duration(i) * 5 * time.Second),
		Origin: testOrigin, Targets: rows, Total: collector.Total(rows),
		Cost: collector.Cost{Queries: 8, Bytes: 40_000, Took: 23 * time.Millisecond},
	}
}

// BenchmarkRecord is one reading of 50 targets: of a reading a second, 0.2 % of
// a core are 2 ms.
func BenchmarkRecord(b *testing.B) {
	w := NewWriter(io.Discard, nil)
	readings := make([]*collector.Reading, 64)
	for i := range readings {
		readings[i] = crowd(50, i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := w.Reading(readings[i%len(readings)]); err != nil {
			b.Fatal(err)
		}
	}
}

// day is 24 hours of 50 targets at 5 s, written once.
func day(b *testing.B) []byte {
	b.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, nil)
	if err := w.Header(Header{Program: "stormtop", Origin: testOrigin}); err != nil {
		b.Fatal(err)
	}
	for i := range 17_280 {
		if err := w.Reading(crowd(50, i)); err != nil {
			b.Fatal(err)
		}
	}
	return out.Bytes()
}

// BenchmarkOpenADay loads 24 hours at 5 s of 50 targets: 1.5 s at most.
func BenchmarkOpenADay(b *testing.B) {
	text := day(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		rec, err := Load(NewReader(bytes.NewReader(text)))
		if err != nil || rec.Len() != 17_280 {
			b.Fatal(rec.Len(), err)
		}
	}
}

// BenchmarkUnpack is one reading of 50 targets out of a loaded recording.
func BenchmarkUnpack(b *testing.B) {
	var out bytes.Buffer
	w := NewWriter(&out, nil)
	w.Header(Header{Origin: testOrigin})
	w.Reading(crowd(50, 1))
	rec, err := Load(NewReader(&out))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		rec.Reading(0)
	}
}
