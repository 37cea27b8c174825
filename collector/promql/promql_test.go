package promql

import (
	"strings"
	"testing"
	"time"
)

func TestOnlyTheTwoPlaceholdersAreFilledIn(t *testing.T) {
	for in, want := range map[string]string{
		`sum by ($by) (rate(x[$window]))`:                       `sum by (service, "a.b") (rate(x[1m]))`,
		`label_replace(x, "a", "$1", "b", "(.*)$")`:             `label_replace(x, "a", "$1", "b", "(.*)$")`,
		`sum by ($by, le) (x{y="${HOME}"}) / on ($by) group(y)`: `sum by (service, "a.b", le) (x{y="${HOME}"}) / on (service, "a.b") group(y)`,
	} {
		if got := Fill(in, time.Minute, []string{"service", "a.b"}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for d, want := range map[time.Duration]string{90 * time.Second: "90s", 10 * time.Minute: "10m", 1500 * time.Millisecond: "1500ms", time.Second: "1s"} {
		if got := Duration(d); got != want {
			t.Errorf("%v: %s", d, got)
		}
	}
}

func TestNamesOfLabels(t *testing.T) {
	for _, name := range []string{"service", "_x", "a1", "service.name", "k8s.io/name", "größe", "__name__", "le"} {
		if err := CheckLabel(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", " ", "a b", "1a", "a,b", "a=b", `a"`, "a{}", "a)", "$by", "a\n", "a\x1b", "\xff", "-a"} {
		if err := CheckLabel(name); err == nil || strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
