package usage

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func TestTheNearestNameIsSuggested(t *testing.T) {
	names := []string{"prom", "by", "span", "speed", "prom.http-config", "amplification-threshold", "once"}
	for typed, want := range map[string]string{
		"spn": "span", "pron": "prom", "sped": "speed", "prom.http_config": "prom.http-config", "bye": "by",
		"amplification": "amplification-threshold", "onec": "once", "zzz": "", "x": "", "": "", "BOGUS": "", "bug": "",
		"no": "", "xyz": "", "pint": "", strings.Repeat("a", 1000): "",
	} {
		if got := Nearest(typed, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", typed, got, want)
		}
	}
}

func TestNumbersKeepToTheirRange(t *testing.T) {
	speed := Number("x", 1, 1000, "10x")
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
	if _, err := Number("x", 0, 1e9, "1.5")("2e9"); err == nil || err.Error() != `"2e9" is out of range: 0x to 1,000,000,000x` {
		t.Errorf("%v", err)
	}
}

func TestNumbersArePlain(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 1: "1", 0.001: "0.001", 100: "100", 1000: "1000", 12345: "12,345", 1e6: "1,000,000", 1e12: "1,000,000,000,000",
		-1e9: "-1,000,000,000", 1234567.25: "1,234,567.25",
	} {
		if got := Plain(f); got != want {
			t.Errorf("Plain(%v) = %q, want %q", f, got, want)
		}
	}
}

func TestDurationsKeepToTheirRange(t *testing.T) {
	parse := Duration(time.Minute, 48*time.Hour)
	for text, want := range map[string]string{
		"1m": "", "2d": "", "59s": `"59s" is out of range: 1m to 2d`, "49h": "out of range: 1m to 2d", "5": `"5" has no unit`,
	} {
		if _, err := parse(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestWordsAndSwitches(t *testing.T) {
	parse := OneOf("dark", "light")
	if got, err := parse("dark"); err != nil || got != "dark" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := parse("drak"); err == nil || err.Error() != `"drak" is not known, did you mean dark: it is dark, light` {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]bool{"true": true, "Yes": true, "on": true, "1": true, "false": false, "no": false, "off": false, "0": false} {
		if got, err := Switch(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := Switch("maybe"); err == nil {
		t.Error("maybe is a switch")
	}
}

func TestErrorsOfFlagsAreInOurWordsAndRepeatNoValue(t *testing.T) {
	for arg, want := range map[string]string{
		"--spn=s3cret":    "unknown flag --spn: did you mean --span?",
		"--zzzzzz=s3cret": "unknown flag --zzzzzz: p --help lists those that exist",
		"-span=s3cret":    "unknown flag -span: did you mean --span?",
		"-x":              "unknown flag -x: long names only, and p --help lists them",
		"--span":          "--span needs a value: write --span=DURATION",
		"--=s3cret":       `"--" is no flag: p --help lists those that exist`,
	} {
		flags := pflag.NewFlagSet("p", pflag.ContinueOnError)
		flags.SetOutput(io.Discard)
		flags.Usage = func() {}
		flags.Var(duration{}, "span", "")
		if err := FlagError(flags.Parse([]string{arg}), []string{"span"}, "p --help"); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
}

type duration struct{}

func (duration) Set(string) error { return nil }
func (duration) String() string   { return "" }
func (duration) Type() string     { return "DURATION" }

func FuzzErrorsShowNoCredentials(f *testing.F) {
	for _, prefix := range []string{"", "http://", "lab:http://", "x=", "user:", "\x1b", "@"} {
		f.Add(prefix)
	}
	parsers := []func(string) error{
		func(s string) error { _, err := OneOf("demo", "lab:S1")(s); return err },
		func(s string) error { _, err := Switch(s); return err },
		func(s string) error { _, err := Number("x", 0, 1, "1")(s); return err },
		func(s string) error { _, err := Duration(0, time.Hour)(s); return err },
	}
	f.Fuzz(func(t *testing.T, prefix string) {
		for _, parse := range parsers {
			if err := parse(prefix + "user:s3cret@h"); err == nil || strings.Contains(err.Error(), "s3cret") || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("%q: %v", prefix, err)
			}
		}
	})
}
