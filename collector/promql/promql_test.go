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

// TestWhatAServerOfAnyVersionEvaluatesIsTaken: a rule file that a server loads is not
// refused by us, whichever version the server has.
func TestWhatAServerOfAnyVersionEvaluatesIsTaken(t *testing.T) {
	for _, text := range []string{
		`holt_winters(x[5m], 0.5, 0.1) > 1`, // up to 2.55
		`double_exponential_smoothing(x[5m], 0.5, 0.1) > 1`,
		`limitk(5, x)`,
		`mad_over_time(x[5m])`,
		`{"http.requests", service="a"}`,
		`x + fill(0) y`,
	} {
		expr, err := Language.ParseExpr(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if again, err := Language.ParseExpr(expr.String()); err != nil || again.String() != expr.String() {
			t.Errorf("%s is written as %s: %v", text, expr, err)
		}
	}
	for _, text := range []string{`holt_winters(x, 0.5, 0.1)`, `nobody(x)`, `x >`} {
		if _, err := Language.ParseExpr(text); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
