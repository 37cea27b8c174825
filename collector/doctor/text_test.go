package doctor

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

// troubled is a server on which much is wrong at once.
func troubled() (*world, Config) {
	w := healthy()
	w.drift = 2 * time.Minute
	w.detected.Thanos = true
	w.detected.Found[0].Profile.Unproven = true
	w.detected.Found = append(w.detected.Found,
		prom.Found{Profile: profile.Profile{Name: "fan", Title: "Requests of a server against those of its client"}, Evidence: 12, Use: prom.Offered},
		prom.Found{Profile: profile.Profile{Name: "old_shop", Title: "The shop's older client"}, Evidence: 4, Use: prom.Superseded, By: "shop"})
	w.gone(poolQuery)
	w.answers[retriesQuery] = series("service=orders", 0.0, "service=users", 0.0)
	w.answers[ingressQuery] = series("service=orders,cluster=eu", 100.0, "service=users,cluster=us", 300.0)
	w.answers[downstreamQuery] = series("service=orders,cluster=eu", 240.0, "service=users,cluster=us", 303.0)
	w.types["shop_attempts_total"] = "gauge"
	w.answers["count by (job) (shop_requests_total)"] = series("job=pods", 2.0, "job=endpoints", 2.0)
	w.change(func(ex *prom.Examined) {
		ex.Sides[1].Doubled, ex.Sides[1].Replicas = 2, []string{"prometheus_replica"}
		ex.Sides[0].Reporters, ex.Sides[0].Usual, ex.Sides[0].Jobs = 32, 40, 2
		ex.Sides[1].Spacing = time.Minute
		ex.Labels = []string{"cluster"}
		ex.Missing = map[string]int{"service": 1}
	})
	return w, Config{Tenant: "ops"}
}

func TestTextOfAHealthyServer(t *testing.T) {
	golden.RequireEqual(t, text80(t, run(t, healthy(), Config{}), false))
}

func TestTextOfATroubledServer(t *testing.T) {
	w, cfg := troubled()
	golden.RequireEqual(t, text80(t, run(t, w, cfg), false))
}

func TestTextInASCII(t *testing.T) {
	w, cfg := troubled()
	golden.RequireEqual(t, text80(t, run(t, w, cfg), true))
}

func TestTextOfAServerThatCannotBeReached(t *testing.T) {
	w := healthy()
	w.detectErr = &prom.Refused{Kind: collector.Unreachable, Text: "no connection to prom.example:9090: connection refused"}
	w.clockErr = w.detectErr
	golden.RequireEqual(t, text80(t, run(t, w, Config{}), false))
}

func TestTextKeepsTo80Columns(t *testing.T) {
	w, cfg := troubled()
	for _, ascii := range []bool{false, true} {
		for line := range strings.Lines(text80(t, run(t, w, cfg), ascii)) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 80 || strings.HasSuffix(line, " ") {
				t.Errorf("ascii %v: %q", ascii, line)
			}
		}
	}
}

// TestNothingFromOutsideReachesTheTerminalRaw puts escape sequences wherever a
// server or a profile file may put text.
func TestNothingFromOutsideReachesTheTerminalRaw(t *testing.T) {
	const evil = "x\x1b[31m\r\u202e\n"
	w := healthy()
	w.label = evil
	p := &w.detected.Found[0].Profile
	p.Title, p.CannotSee, p.Absent[collector.AtLimit] = evil, evil, evil
	w.answers[ingressQuery] = series("service="+evil, 1.0)
	w.errs = map[string]error{poolQuery: &prom.Refused{Text: evil}}
	w.change(func(ex *prom.Examined) {
		ex.Labels, ex.Missing, ex.Sides[0].Replicas = []string{evil}, map[string]int{evil: 1}, []string{evil}
	})
	r := run(t, w, Config{Tenant: evil})
	var machine strings.Builder
	if err := r.JSON(&machine); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{text80(t, r, false), machine.String()} {
		if strings.ContainsAny(text, "\x1b\r\u202e") || strings.Contains(text, `\u001b`) {
			t.Errorf("%q", text)
		}
	}
}
