package chart_test

import (
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/views/chart"
)

func BenchmarkChart120x12(b *testing.B) {
	for _, g := range glyphSets {
		b.Run(g.String(), func(b *testing.B) {
			spec := ofRatio(900, time.Second, func(x float64) collector.Value { return ratio(storm(x)) })
			spec.Bands = stormBand()
			spec.Glyphs = g
			var c chart.Canvas
			c.Chart(120, 12, spec)
			b.ReportAllocs()
			for b.Loop() {
				c.Chart(120, 12, spec)
			}
		})
	}
}

func BenchmarkTwoCurves120x12(b *testing.B) {
	spec := sceneNamed(b, "ingress and attempts")
	var c chart.Canvas
	c.Chart(120, 12, spec)
	b.ReportAllocs()
	for b.Loop() {
		c.Chart(120, 12, spec)
	}
}

func BenchmarkSpark24(b *testing.B) {
	spec := ofRatio(900, time.Second, func(x float64) collector.Value { return ratio(storm(x)) })
	spark := &chart.SparkSpec{Timing: spec.Timing, Series: spec.Curves[0].Series, Range: chart.Range{Lo: 1, Hi: 3}}
	var c chart.Canvas
	c.Spark(24, spark)
	b.ReportAllocs()
	for b.Loop() {
		c.Spark(24, spark)
	}
}
