package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// biggest is the file that takes longest to check: as many edges as there may
// be, and as many changes.
func biggest() []byte {
	var b strings.Builder
	b.WriteString("name: big\nlength: 1h\nclasses:\n")
	for c := range 4 {
		fmt.Fprintf(&b, "  c%d: {path: s0 > s1 > s2 > s3 > s4 > s5 > s6 > s7, rate: 1/s}\n", c)
	}
	b.WriteString("services:\n")
	for i := range 32 {
		fmt.Fprintf(&b, "  s%d:\n", i)
	}
	b.WriteString("edges:\n")
	for i := range 32 {
		for j := 1; j <= 8; j++ {
			fmt.Fprintf(&b, "  s%d>s%d: {attempts: 1}\n", i, (i+j)%32)
		}
	}
	b.WriteString("timeline:\n")
	for range maxTrials {
		b.WriteString("- {at: 1s, set: {services.s1.time: 1ms}}\n")
	}
	return []byte(b.String())
}

// BenchmarkParseTheBiggest is the longest that a file can keep anybody waiting.
func BenchmarkParseTheBiggest(b *testing.B) {
	text := biggest()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse("big.yaml", text); err != nil {
			b.Fatal(err)
		}
	}
}
