package collector

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// crowd makes a reading of n targets with a little noise.
func crowd(n, second int) *Reading {
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = row(fmt.Sprintf("svc-%05d", i), 1.02+0.05*math.Sin(float64(i*31+second*7)))
		for _, s := range Inputs() {
			rows[i].Values[s] = rate(float64(i + second))
		}
		rows[i].Values.Derive(1)
	}
	return reading(second, rows...)
}

func benchmarkAdd(b *testing.B, targets, keep int) {
	h := NewHistory(900*time.Second, keep)
	rounds := make([]*Reading, 16)
	for i := range rounds {
		rounds[i] = crowd(targets, i)
	}
	second := 0
	next := func() {
		r := *rounds[second%len(rounds)]
		r.At = noon.Add(time.Duration(second) * time.Second)
		h.Add(&r)
		second++
	}
	for range 900 {
		next()
	}
	b.ReportAllocs()
	for b.Loop() {
		next()
	}
}

func BenchmarkAdd200TargetsAllKept(b *testing.B)  { benchmarkAdd(b, 200, 200) }
func BenchmarkAdd200Targets64Kept(b *testing.B)   { benchmarkAdd(b, 200, 64) }
func BenchmarkAdd10000Targets64Kept(b *testing.B) { benchmarkAdd(b, 10000, 64) }

func BenchmarkView(b *testing.B) {
	h := NewHistory(900*time.Second, 200)
	for s := range 900 {
		h.Add(crowd(200, s))
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = h.View()
	}
}

func BenchmarkValueString(b *testing.B) {
	values := []Value{ratio(2.48), rate(4955), Num(0.597, Fraction, Exact), Num(0.24, Seconds, Approx), {}}
	b.ReportAllocs()
	for b.Loop() {
		for _, v := range values {
			_ = v.String()
		}
	}
}
