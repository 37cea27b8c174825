package recording

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestPlainNumbersAreReadAsStrconvReadsThem(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, text string) bool {
		got, n, ok := plainFloat([]byte(text + ","))
		want, err := strconv.ParseFloat(text, 64)
		if ok && (err != nil || n != len(text) || math.Float64bits(got) != math.Float64bits(want)) {
			t.Fatalf("%s: %v of %d bytes, want %v, %v", text, got, n, want, err)
		}
		return ok
	}
	for text, plain := range map[string]bool{
		"0": true, "-0": true, "0.0": true, "1": true, "-2.5": true, "805.5": true, "142.85714285714286": true, "0.1": true, "0.3": true,
		"9007199254740993": true, "9007199254740992.5": true, "9007199254740993.5": true, "9999999999999999999": true, "0.0000010000000000000001": false,
		"0.1000000000000000055": true, "": false, "-": false, ".5": false, "5.": false, "1e5": false, "1-2": false, "1.2.3": false, "99999999999999999999": false, "9223372036854775808.0": false,
	} {
		if got := check(t, text); got != plain {
			t.Errorf("%q is plain: %v, want %v", text, got, plain)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 100 {
			whole := rapid.Uint64Range(0, 1<<rapid.IntRange(0, 63).Draw(t, "bits")).Draw(t, "whole")
			check(t, fmt.Sprintf("%d.%0*d", whole, rapid.IntRange(1, 19).Draw(t, "width"), rapid.Uint64Range(0, 999_999_999).Draw(t, "rest")))
			check(t, string(appendNumber(nil, rapid.Float64().Draw(t, "any"))))
			check(t, string(appendNumber(nil, rapid.Float64Range(-1e6, 1e6).Draw(t, "usual"))))
		}
	})
	// Halfway between two floats, and one digit to either side.
	for m := uint64(1 << 52); m < 1<<52+2000; m++ {
		for _, tail := range []string{".5", ".4", ".6", ".25", ".75", ".499", ".501"} {
			check(t, strconv.FormatUint(m, 10)+tail)
		}
	}
}
