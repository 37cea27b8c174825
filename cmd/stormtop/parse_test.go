package main

import (
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

func TestDurationsAreReadInBothWays(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "0s": 0, "500ms": 500 * time.Millisecond, "30s": 30 * time.Second,
		"1m30s": 90 * time.Second, "1.5h": 90 * time.Minute, "2h": 2 * time.Hour,
		"1d": 24 * time.Hour, "1d12h": 36 * time.Hour, "1w": 168 * time.Hour, "1.5d": 36 * time.Hour,
		"1y": 365 * 24 * time.Hour, "250us": 250 * time.Microsecond, "10y": maxDuration,
	} {
		if got, err := parseDuration(text); err != nil || got != want {
			t.Errorf("parseDuration(%q) = %v, %v, want %v", text, got, err, want)
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
		_, err := parseDuration(text)
		if err == nil || !strings.Contains(err.Error(), remedy) {
			t.Errorf("parseDuration(%q): %v, want an error with %q", text, err, remedy)
		}
		if err != nil && strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("parseDuration(%q) repeats an escape sequence", text)
		}
	}
}

func FuzzDuration(f *testing.F) {
	for _, seed := range []string{"1m30s", "1d", "", "5", "1.5h3d", "99999999999y", "-1s", "1µs"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseDuration(text)
		if err != nil {
			return
		}
		if d < 0 || d > maxDuration {
			t.Fatalf("parseDuration(%q) = %v, out of range", text, d)
		}
		if want, err := time.ParseDuration(text); err == nil && want != d {
			t.Fatalf("parseDuration(%q) = %v, Go reads %v", text, d, want)
		}
		if again, err := parseDuration(formatDays(d)); err != nil || again != d {
			t.Fatalf("%v is written as %q, which reads as %v, %v", d, formatDays(d), again, err)
		}
	})
}

func TestSharesAreReadAsPercentAndAsFraction(t *testing.T) {
	for text, want := range map[string]float64{"10%": 0.1, "0.1": 0.1, "0": 0, "0%": 0, "100%": 1, "1": 1, "2.5%": 0.025} {
		if got, err := parseShare(text); err != nil || got != want {
			t.Errorf("parseShare(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for text, remedy := range map[string]string{
		"10": "write 10% or 0.1", "-1%": "0% to 100%", "101%": "0% to 100%", "": "10% or 0.1",
		"NaN": "10% or 0.1", "Inf": "10% or 0.1", "ten": "10% or 0.1",
	} {
		if _, err := parseShare(text); err == nil || !strings.Contains(err.Error(), remedy) {
			t.Errorf("parseShare(%q): %v, want an error with %q", text, err, remedy)
		}
	}
}

func TestNumbersKeepToTheirRange(t *testing.T) {
	speed := number("x", 1, 1000, "10x")
	for text, want := range map[string]float64{"1x": 1, "10": 10, "2.5x": 2.5, "1000x": 1000} {
		if got, err := speed(text); err != nil || got != want {
			t.Errorf("%q = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"0x", "0.5x", "1001x", "-1x", "x", "", "NaN", "Inf", "fast"} {
		if got, err := speed(text); err == nil {
			t.Errorf("%q = %v, want an error", text, got)
		}
	}
}

func TestAnAddressNeverShowsWhatStandsInFrontOfTheAt(t *testing.T) {
	for _, text := range []string{
		"ftp://user:s3cret@host", "http://user:s3cret@", "http://user:s3c/ret@host:x", "user:s3cret@host:port",
		"http://user:s3cret@ho st", "http://s3cret@[::1", "ftp://host/?token=s3cret", "http://u:s3c?ret@host:x",
	} {
		if _, err := parseURL(text); err == nil {
			t.Errorf("parseURL(%q) gave no error", text)
		} else if strings.Contains(err.Error(), "s3c") {
			t.Errorf("parseURL(%q) shows the secret: %v", text, err)
		}
	}
}

func TestAddressesMayLackAScheme(t *testing.T) {
	for _, text := range []string{"prom:9090", "http://prom:9090/graph", "https://u:p@prom/prometheus", "10.0.0.1:9090", "[::1]:9090"} {
		if got, err := parseURL(text); err != nil || got != text {
			t.Errorf("parseURL(%q) = %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "ftp://prom", "file:///etc/passwd", "unix:///run/x", "http://", "http://:9090"} {
		if got, err := parseURL(text); err == nil {
			t.Errorf("parseURL(%q) = %q, want an error", text, got)
		}
	}
}

func TestListenIsLoopbackUnlessAHostIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"9477": "127.0.0.1:9477", ":9477": "127.0.0.1:9477", "0.0.0.0:9477": "0.0.0.0:9477",
		"127.0.0.1:0": "127.0.0.1:0", "[::1]:9477": "[::1]:9477", "": "",
	} {
		if got, err := parseListen(text); err != nil || got != want {
			t.Errorf("parseListen(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"host", "a:b:c", ":99999", "localhost:http", "http://localhost:9477"} {
		if got, err := parseListen(text); err == nil {
			t.Errorf("parseListen(%q) = %q, want an error", text, got)
		}
	}
}

func TestTheNearestNameIsSuggested(t *testing.T) {
	names := []string{"prom", "span", "speed", "prom.http-config", "amplification-threshold", "once"}
	for typed, want := range map[string]string{
		"spn": "span", "pron": "prom", "sped": "speed", "prom.http_config": "prom.http-config",
		"amplification": "amplification-threshold", "onec": "once", "zzz": "", "x": "", "": "",
		strings.Repeat("a", 1000): "",
	} {
		if got := nearest(typed, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", typed, got, want)
		}
	}
}

func TestSignalsAreKnownAndHaveAQuery(t *testing.T) {
	for _, s := range collector.Signals() {
		if err := checkSignal(pair{s.String(), "up"}); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	for _, p := range []pair{{"ingres", "up"}, {"ingress", ""}, {"ingress", " "}} {
		if checkSignal(p) == nil {
			t.Errorf("%v is accepted", p)
		}
	}
}

func TestHeaderErrorsNeverShowTheValue(t *testing.T) {
	var s settings
	for _, text := range []string{"s3cret", "=s3cret", "bad name=s3cret", "X=s3cret\nY", "X=s3cret\x00"} {
		o := pairsOf(func(s *settings) *[]pair { return &s.prom.headers }, checkHeader)
		if err := o.set(&s, []string{text}); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
