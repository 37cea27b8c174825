package views

import (
	"testing"
)

func BenchmarkFrame200x60(b *testing.B) {
	m := shown(b, "firing", 200, 60, Options{})
	b.ReportAllocs()
	for b.Loop() {
		m.fresh = false
		m.Frame()
	}
}

func BenchmarkFrame80x24(b *testing.B) {
	m := shown(b, "firing", 80, 24, Options{})
	b.ReportAllocs()
	for b.Loop() {
		m.fresh = false
		m.Frame()
	}
}

func BenchmarkCachedFrame(b *testing.B) {
	m := shown(b, "firing", 200, 60, Options{})
	m.Frame()
	b.ReportAllocs()
	for b.Loop() {
		m.View()
	}
}
