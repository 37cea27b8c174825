package collector

import (
	"strings"
	"testing"
	"time"
)

func TestDurationsAreReadInBothWays(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "0s": 0, "500ms": 500 * time.Millisecond, "30s": 30 * time.Second,
		"1m30s": 90 * time.Second, "1.5h": 90 * time.Minute, "2h": 2 * time.Hour,
		"1d": 24 * time.Hour, "1d12h": 36 * time.Hour, "1w": 168 * time.Hour, "1.5d": 36 * time.Hour,
		"1y": 365 * 24 * time.Hour, "250us": 250 * time.Microsecond, "10y": MaxDuration,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestBadDurationsAreExplained(t *testing.T) {
	for text, remedy := range map[string]string{
		"": "write it like", "5": "5s for seconds", "1q": "write it like", "-5s": "write it like",
		"1h5": "no unit", "abc": "write it like", "1..5s": "write it like", ".s": "write it like",
		"11y": "ten years", "9e9h": "write it like", "99999999999999999999d": "ten years",
		"3000000h": "ten years", "1d ": "write it like", "5s\x1b[31m": "write it like",
	} {
		_, err := ParseDuration(text)
		if err == nil || !strings.Contains(err.Error(), remedy) || !strings.HasPrefix(err.Error(), `"`) {
			t.Errorf("ParseDuration(%q): %v, want an error with %q", text, err, remedy)
		}
		if err != nil && strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("ParseDuration(%q) repeats an escape sequence", text)
		}
	}
}

func FuzzDuration(f *testing.F) {
	for _, seed := range []string{"1m30s", "1d", "", "5", "1.5h3d", "99999999999y", "-1s", "1µs"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDuration(text)
		if err != nil {
			return
		}
		if d < 0 || d > MaxDuration {
			t.Fatalf("ParseDuration(%q) = %v, out of range", text, d)
		}
		if want, err := time.ParseDuration(text); err == nil && want != d {
			t.Fatalf("ParseDuration(%q) = %v, Go reads %v", text, d, want)
		}
		if again, err := ParseDuration(FormatInterval(d)); err != nil || again != d {
			t.Fatalf("%v is written as %q, which reads as %v, %v", d, FormatInterval(d), again, err)
		}
	})
}
