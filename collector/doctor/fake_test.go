package doctor

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// world is a server as the tests have it: what is not in it is not there.
type world struct {
	label    string
	drift    time.Duration
	clockErr error

	detected  prom.Detected
	detectErr error
	examined  map[string]prom.Examined
	examErr   error
	answers   map[string]prom.Answer // by query
	errs      map[string]error       // by query
	types     map[string]string
	asked     []string
}

func (w *world) Query(_ context.Context, q string, _ time.Time) (prom.Answer, error) {
	w.asked = append(w.asked, q)
	ans := w.answers[q]
	ans.Cost = collector.Cost{Queries: 1, Bytes: 1500, Took: 4 * time.Millisecond}
	return ans, w.errs[q]
}
func (w *world) Clock(context.Context) (time.Duration, error)  { return w.drift, w.clockErr }
func (w *world) Detect(context.Context) (prom.Detected, error) { return w.detected, w.detectErr }
func (w *world) Examine(_ context.Context, p profile.Profile) (prom.Examined, error) {
	return w.examined[p.Name], w.examErr
}
func (w *world) MetricType(_ context.Context, metric string) (string, error) {
	if kind := w.types[metric]; kind != "" {
		return kind, nil
	}
	return "", errors.New("404 not found")
}
func (w *world) Label() string { return w.label }

// series makes an answer of "label=value,label=value" and a number each.
func series(pairs ...any) prom.Answer {
	var ans prom.Answer
	for i := 0; i < len(pairs); i += 2 {
		s := prom.Sample{V: pairs[i+1].(float64), At: noon}
		for _, l := range strings.Split(pairs[i].(string), ",") {
			if name, value, ok := strings.Cut(l, "="); ok {
				s.Labels = append(s.Labels, collector.Label{Name: name, Value: value})
			}
		}
		ans.Samples = append(ans.Samples, s)
	}
	return ans
}

const (
	ingressQuery    = "sum by (service) (rate(shop_requests_total[1m]))"
	downstreamQuery = "sum by (service) (rate(shop_attempts_total[1m]))"
	retriesQuery    = "sum by (service) (rate(shop_retries_total[1m]))"
	poolQuery       = "sum by (service) (rate(shop_wait_seconds_sum[1m])) / (sum by (service) (rate(shop_wait_seconds_count[1m])) > 0)"
)

func shop() profile.Profile {
	return profile.Profile{
		Name: "shop", Title: "The shop's own client", LooksFor: "shop_attempts_total", By: []string{"service"},
		Kind: collector.Hop, Trust: collector.Exact, CannotSee: "sees the retries of the client, none made above it",
		Signals: map[collector.Signal]string{
			collector.Ingress: "i", collector.Downstream: "d", collector.Retries: "r", collector.PoolWait: "p",
		},
		Absent: map[collector.Signal]string{collector.AtLimit: "the client does not count it"},
	}
}

// healthy is a server on which nothing is missing.
func healthy() *world {
	side := func(metric string) prom.Side {
		return prom.Side{Selector: metric, Series: 2, Reporters: 2, Usual: 2, Spacing: 15 * time.Second, Doubled: 1, Newest: noon.Add(-3 * time.Second)}
	}
	raw := func(metric string) prom.Answer {
		return series("__name__="+metric+",job=shop,instance=a:80,service=orders", 100.0, "__name__="+metric+",job=shop,instance=b:80,service=users", 100.0)
	}
	return &world{
		label:    "prom.example:9090",
		detected: prom.Detected{Found: []prom.Found{{Profile: shop(), Evidence: 2}}},
		examined: map[string]prom.Examined{"shop": {
			Queries: map[collector.Signal]string{
				collector.Ingress: ingressQuery, collector.Downstream: downstreamQuery, collector.Retries: retriesQuery, collector.PoolWait: poolQuery,
			},
			Rate: time.Minute, Sides: [2]prom.Side{side("shop_requests_total"), side("shop_attempts_total")},
		}},
		answers: map[string]prom.Answer{
			ingressQuery:          series("service=orders", 100.0, "service=users", 300.0),
			downstreamQuery:       series("service=orders", 240.0, "service=users", 303.0),
			retriesQuery:          series("service=orders", 140.0, "service=users", 3.0),
			poolQuery:             series("service=orders", 0.24, "service=users", 0.003),
			"shop_requests_total": raw("shop_requests_total"),
			"shop_attempts_total": raw("shop_attempts_total"),
		},
		types: map[string]string{"shop_requests_total": "counter", "shop_attempts_total": "counter", "shop_retries_total": "counter"},
	}
}

// change edits what is known of the shop.
func (w *world) change(edit func(ex *prom.Examined)) {
	ex := w.examined["shop"]
	edit(&ex)
	w.examined["shop"] = ex
}

// gone takes the series behind a query away.
func (w *world) gone(query string) { delete(w.answers, query) }

func run(t *testing.T, w *world, cfg Config) Report {
	t.Helper()
	if cfg.At.IsZero() {
		cfg.At = noon.Add(-w.drift)
	}
	if cfg.Known == nil {
		cfg.Known = []profile.Profile{shop()}
	}
	r, err := Run(t.Context(), w, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text80(t *testing.T, r Report, ascii bool) string {
	t.Helper()
	var b strings.Builder
	if err := r.Text(&b, ascii); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
