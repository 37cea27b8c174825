package main

import (
	"strings"
	"testing"

	"stormtop/collector"
)

func TestSharesAreReadAsPercentAndAsFraction(t *testing.T) {
	for text, want := range map[string]float64{"10%": 0.1, "0.1": 0.1, "0": 0, "0%": 0, "100%": 1, "1": 1, "2.5%": 0.025} {
		if got, err := parseShare(text); err != nil || got != want {
			t.Errorf("parseShare(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for text, remedy := range map[string]string{
		"10": "write 10% or 0.1", "1000": "0% to 100%", "1e9": "0% to 100%", "-1%": "0% to 100%", "101%": "0% to 100%", "": "10% or 0.1",
		"NaN": "10% or 0.1", "Inf": "10% or 0.1", "ten": "10% or 0.1",
	} {
		if _, err := parseShare(text); err == nil || !strings.Contains(err.Error(), remedy) {
			t.Errorf("parseShare(%q): %v, want an error with %q", text, err, remedy)
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
	for _, text := range []string{"", "ftp://prom", "file:///etc/passwd", "unix:///run/x", "http://", "http://:9090", "http://127.0.0.1:99999", "prom:0", "[::1]:65536"} {
		if got, err := parseURL(text); err == nil {
			t.Errorf("parseURL(%q) = %q, want an error", text, got)
		}
	}
}

func TestListenIsLoopbackUnlessAHostIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"9477": "127.0.0.1:9477", ":9477": "127.0.0.1:9477", "0.0.0.0:9477": "0.0.0.0:9477",
		"127.0.0.1:0": "127.0.0.1:0", "[::1]:9477": "[::1]:9477",
	} {
		if got, err := parseListen(text); err != nil || got != want {
			t.Errorf("parseListen(%q) = %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "host", "a:b:c", ":99999", "localhost:http", "http://localhost:9477"} {
		if got, err := parseListen(text); err == nil {
			t.Errorf("parseListen(%q) = %q, want an error", text, got)
		}
	}
}

func TestSignalsAreKnownAndHaveAQuery(t *testing.T) {
	for _, s := range collector.Signals() {
		if err := checkSignal(pair{s.String(), "up"}); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	for _, p := range []pair{{"ingres", "up"}, {"ingress", ""}, {"ingress", " "}, {"ingress", "sum("}, {"ingress", "rate(a[$windw])"}} {
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
