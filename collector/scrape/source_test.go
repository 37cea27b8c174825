package scrape

import (
	"context"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

var (
	_ collector.Source  = (*Source)(nil)
	_ collector.Retrier = (*Source)(nil)
	_ collector.Steered = (*Source)(nil)
	_ collector.Rebased = (*Source)(nil)
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func TestAStormIsFoundAndMeasuredWithoutAPrometheus(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), nil, e)
	r := run(t, s, 0, 8, map[string]float64{"orders": 1, "payments": 2.48}, e)
	if got := value(t, r, "payments", collector.Amplification); got.State != collector.Ok || !near(got.V, 2.48) {
		t.Errorf("amplification %+v", got)
	}
	if got := value(t, r, "orders", collector.Ingress); got.State != collector.Ok || !near(got.V, 10) {
		t.Errorf("ingress %+v", got)
	}
	if got := value(t, r, "orders", collector.Retries); got.State != collector.Ok || got.V != 0 {
		t.Errorf("absent retries are 0 in this profile: %+v", got)
	}
	o := r.Origin
	if o.Profile != "shop" || o.Interval != time.Second || o.RateRange != 4*time.Second || !strings.HasSuffix(o.Source, "/metrics") {
		t.Errorf("origin %+v", o)
	}
	if got := r.Total.Values[collector.Downstream]; !near(got.V, 34.8) {
		t.Errorf("total %+v", got)
	}
	if !r.Newest.Equal(r.At) || r.Blind() || len(r.Warnings) > 0 || r.Cost.Queries != 1 || r.Cost.Bytes == 0 {
		t.Errorf("%+v", r)
	}
	if row := r.Targets[0]; row.Target.System != "shop" || row.Target.Kind != collector.Hop || row.Baseline != 0 {
		t.Errorf("%+v", row)
	}
}

func TestTheFirstScrapeHasNoRatesAndSaysSo(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), nil, e)
	e.text(append(storm(1, map[string]float64{"orders": 1}), `shop_queue{service="orders"} 7`)...)
	r := next(t, s)
	if got := value(t, r, "orders", collector.Ingress); got.State != collector.Missing {
		t.Errorf("ingress %+v", got)
	}
	if got := value(t, r, "orders", collector.QueueDepth); got.V != 7 {
		t.Errorf("a gauge is known at once: %+v", got)
	}
	if !slices.Contains(r.Warnings, "rates need two scrapes, 1s apart") {
		t.Errorf("warnings %q", r.Warnings)
	}
	e.text(storm(2, map[string]float64{"orders": 1})...)
	if r = next(t, s); len(r.Warnings) > 0 || value(t, r, "orders", collector.Amplification).V != 1 {
		t.Errorf("%+v", r)
	}
}

func TestReadingsAscendAtAlignedSlots(t *testing.T) {
	e, clock := expose(t), newClock()
	clock.set(epoch.Add(800 * time.Millisecond))
	s := open(t, clock, nil, e)
	e.text("up 1")
	var at []time.Duration
	for range 3 {
		at = append(at, next(t, s).At.Sub(epoch))
	}
	// The first is at once; the slot after it would be too close for a rate.
	if want := []time.Duration{800 * time.Millisecond, 2 * time.Second, 3 * time.Second}; !slices.Equal(at, want) {
		t.Errorf("readings at %v, want %v", at, want)
	}
	clock.set(clock.Now().Add(5*time.Second + 1))
	if r := next(t, s); r.Missed != 4 {
		t.Errorf("missed %d", r.Missed)
	}
}

func TestACounterThatBeginsAgainIsNoNegativeRate(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), nil, e)
	run(t, s, 0, 3, map[string]float64{"orders": 2}, e)
	e.text(`shop_requests_total{service="orders"} 5`, `shop_attempts_total{service="orders"} 10`)
	r := next(t, s)
	in := value(t, r, "orders", collector.Ingress)
	// Three intervals of 10 and one that grew by 5 from 0: 25 in 3 s, carried on
	// to both ends of 4 s.
	if in.State != collector.Ok || !near(in.V, 25.0/3) {
		t.Errorf("ingress %+v", in)
	}
	if a := value(t, r, "orders", collector.Amplification); !near(a.V, 2) {
		t.Errorf("amplification %+v", a)
	}
}

func TestASeriesThatIsGoneEndsAndItsRateFadesWithTheRange(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), nil, e)
	for i := range 4 {
		e.text(append(storm(float64(10+i), map[string]float64{"orders": 1, "payments": 2}), `shop_queue{service="payments"} 3`)...)
		next(t, s)
	}
	r := run(t, s, 5, 1, map[string]float64{"orders": 1}, e)
	if got := value(t, r, "payments", collector.QueueDepth); got.State != collector.Missing {
		t.Errorf("a gauge that is gone: %+v", got)
	}
	if got := value(t, r, "payments", collector.Amplification); got.State != collector.Ok || !near(got.V, 2) {
		t.Errorf("the range still reaches back: %+v", got)
	}
	r = run(t, s, 6, 4, map[string]float64{"orders": 1}, e)
	if len(r.Targets) != 1 {
		t.Errorf("targets %+v", r.Targets)
	}
	if n := len(s.store.byKey); n != 2 {
		t.Errorf("%d series are kept", n)
	}
}

func TestHalfOfTheEndpointsGoneIsPartialAndAllGoneIsBlind(t *testing.T) {
	a, b := expose(t), expose(t)
	s := open(t, newClock(), nil, a, b)
	services := map[string]float64{"orders": 2}
	r := run(t, s, 0, 5, services, a, b)
	if got := value(t, r, "orders", collector.Ingress); got.State != collector.Ok || !near(got.V, 20) {
		t.Errorf("both: %+v", got)
	}
	a.code(500)
	r = run(t, s, 5, 1, services, b)
	for _, sig := range []collector.Signal{collector.Ingress, collector.Downstream, collector.Amplification} {
		if got := value(t, r, "orders", sig); got.State != collector.Partial {
			t.Errorf("%s: %+v", sig, got)
		}
	}
	want := []collector.Reporters{
		{System: "shop", Side: collector.Ingress, Now: 1, Usual: 2},
		{System: "shop", Side: collector.Downstream, Now: 1, Usual: 2},
	}
	if !slices.Equal(r.Reporters, want) {
		t.Errorf("reporters %+v", r.Reporters)
	}
	if r.Blind() || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "answers 500 Internal Server Error; asked again at 12:00:06Z") {
		t.Errorf("failures %+v, warnings %q", r.Failures, r.Warnings)
	}
	b.code(500)
	r = next(t, s)
	if !r.Blind() || r.Failures[0].Kind != collector.ServerError || r.Failures[0].Retry.IsZero() || !strings.Contains(r.Failures[0].Text, "none of 2 endpoints can be read") {
		t.Errorf("%+v", r.Failures)
	}
	if got := value(t, r, "orders", collector.Amplification); got.State != collector.Failed {
		t.Errorf("the target stays, its values are not known: %+v", got)
	}
	if r.Newest.IsZero() || !r.Newest.Before(r.At) {
		t.Errorf("newest %v at %v", r.Newest, r.At)
	}
	for range 10 {
		a.text(storm(500, services)...)
		b.text(storm(500, services)...)
		r = next(t, s)
	}
	if r.Blind() || r.Reporters[0].Now != 2 {
		t.Errorf("back again: %+v", r)
	}
}

func TestEachFailureSaysWhatToDo(t *testing.T) {
	for name, test := range map[string]struct {
		serve http.HandlerFunc
		kind  collector.FailureKind
		text  string
		stops bool
	}{
		"a web page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<html><body>login</body></html>"))
		}, collector.NotPrometheus, "web page", false},
		"a web page that says it is text": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Write([]byte("<!DOCTYPE html>"))
		}, collector.NotPrometheus, "web page", false},
		"JSON": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"a":1}`))
		}, collector.NotPrometheus, "JSON", false},
		"nothing": {func(w http.ResponseWriter, _ *http.Request) {}, collector.NotPrometheus, "with nothing", false},
		"broken text": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Write([]byte("a 1\nb{\n"))
		}, collector.NotPrometheus, "cannot be read (line 2", false},
		"refused":      {status(401), collector.Forbidden, "give credentials", true},
		"forbidden":    {status(403), collector.Forbidden, "give credentials", true},
		"not there":    {status(404), collector.Rejected, "is the path of its metrics right?", false},
		"rate limited": {status(429), collector.RateLimited, "429", false},
		"broken":       {status(500), collector.ServerError, "500 Internal Server Error", false},
		"too large": {func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte("a 1\n" + strings.Repeat("# long\n", 1<<12)))
		}, collector.TooLarge, "larger than 8 KiB", true},
		"no gzip": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte("a 1\n"))
		}, collector.NotPrometheus, "no gzip", false},
		"cut short": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("a 1\n"))
		}, collector.Unreachable, "lost in the middle", false},
		"another server": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.example/metrics?token=hush", http.StatusFound)
		}, collector.NotPrometheus, "redirects to http://elsewhere.example/metrics", false},
	} {
		t.Run(name, func(t *testing.T) {
			e := expose(t)
			e.serve(test.serve)
			s := open(t, newClock(), func(c *Config) { c.MaxBytes = 8 << 10 }, e)
			r := next(t, s)
			if !r.Blind() || r.Failures[0].Kind != test.kind || !strings.Contains(r.Failures[0].Text, test.text) {
				t.Fatalf("%+v", r.Failures)
			}
			if strings.Contains(r.Failures[0].Text, "secret") || strings.Contains(r.Failures[0].Text, "hush") {
				t.Errorf("the endpoint's own words are shown: %s", r.Failures[0].Text)
			}
			if r.Failures[0].Retry.IsZero() != test.stops {
				t.Errorf("tried again at %v", r.Failures[0].Retry)
			}
		})
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "secret", code) }
}

func TestASlowEndpointDoesNotHoldUpTheOthers(t *testing.T) {
	slow, quick := expose(t), expose(t)
	slow.serve(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := open(t, newClock(), func(c *Config) { c.Timeout = 50 * time.Millisecond }, slow, quick)
	quick.text(storm(1, map[string]float64{"orders": 1})...)
	r := next(t, s)
	if r.Blind() || len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "no answer within 50ms") {
		t.Errorf("%+v", r)
	}
}

func TestNobodyThereIsAFailureWithTheTimeOfTheNextTry(t *testing.T) {
	e := expose(t)
	e.Close()
	r := next(t, open(t, newClock(), nil, e))
	if f := r.Failures[0]; f.Kind != collector.Unreachable || !strings.Contains(f.Text, "connection refused") || !f.Retry.Equal(epoch.Add(time.Second)) {
		t.Errorf("%+v", f)
	}
	if got := r.Total.Values[collector.Amplification]; got.State != collector.Failed {
		t.Errorf("total %+v", got)
	}
}

func TestTriesGetRarerAndASuccessEndsThat(t *testing.T) {
	e, clock := expose(t), newClock()
	e.code(503)
	s := open(t, clock, nil, e)
	var at []time.Duration
	for range 7 {
		at = append(at, next(t, s).At.Sub(epoch)/time.Second)
	}
	if want := []time.Duration{0, 1, 3, 6, 12, 24, 36}; !slices.Equal(at, want) {
		t.Errorf("tried at seconds %v, want %v", at, want)
	}
	r := run(t, s, 0, 3, map[string]float64{"orders": 1}, e)
	if r.Blind() || r.At.Sub(epoch) != 50*time.Second {
		t.Errorf("back at %v: %+v", r.At.Sub(epoch), r.Failures)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	e := expose(t)
	e.serve(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "20")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	s := open(t, newClock(), nil, e)
	if r := next(t, s); !r.Failures[0].Retry.Equal(epoch.Add(20 * time.Second)) {
		t.Errorf("%+v", r.Failures)
	}
	if r := next(t, s); r.At.Sub(epoch) != 20*time.Second || e.asked() != 2 {
		t.Errorf("at %v, asked %d times", r.At.Sub(epoch), e.asked())
	}
}

func TestARefusalStopsUntilSomebodyAsks(t *testing.T) {
	e := expose(t)
	e.code(401)
	s := open(t, newClock(), nil, e)
	next(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Next(ctx); err == nil || e.asked() != 1 {
		t.Fatalf("%v, asked %d times", err, e.asked())
	}
	s.Retry()
	s.Retry()
	if r := run(t, s, 0, 1, map[string]float64{"orders": 1}, e); r.Blind() {
		t.Errorf("%+v", r.Failures)
	}
}

func TestNothingKnownIsSaidWithWhatWasLookedFor(t *testing.T) {
	e := expose(t)
	e.text("up 1", "go_goroutines 7")
	s := open(t, newClock(), nil, e)
	r := next(t, s)
	if f := r.Failures[0]; f.Kind != collector.NothingFound || !strings.Contains(f.Text, "exposes 2 series") || !strings.Contains(f.Text, "shop_attempts_total") {
		t.Errorf("%+v", f)
	}
	s = open(t, newClock(), func(c *Config) { c.Profile = &shop }, e)
	if r = next(t, s); r.Failures[0].Kind != collector.NothingFound || !strings.Contains(r.Failures[0].Text, "shop_requests_total") {
		t.Errorf("%+v", r.Failures)
	}
	// It is looked for at every scrape until it appears.
	if r = run(t, s, 0, 2, map[string]float64{"orders": 1}, e); r.Blind() || r.Begins {
		t.Errorf("%+v", r)
	}
}

func TestAClockThatIsSetBackBeginsAnew(t *testing.T) {
	e, clock := expose(t), newClock()
	s := open(t, clock, nil, e)
	run(t, s, 0, 3, map[string]float64{"orders": 1}, e)
	clock.set(epoch.Add(-time.Hour))
	if r := run(t, s, 3, 1, map[string]float64{"orders": 1}, e); !r.Begins || r.At.After(epoch) {
		t.Errorf("%+v", r)
	}
	if r := run(t, s, 4, 2, map[string]float64{"orders": 1}, e); r.Begins || value(t, r, "orders", collector.Amplification).V != 1 {
		t.Errorf("%+v", r)
	}
}

func TestSignalsAreNamedOneByOne(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), func(c *Config) {
		c.Signals = map[collector.Signal]string{
			collector.Ingress:    "rate(shop_requests_total[$window])",
			collector.Downstream: "sum by ($by) (rate(shop_attempts_total[$window]))",
		}
		c.By, c.Kind = []string{"service"}, collector.Edge
	}, e)
	r := run(t, s, 0, 3, map[string]float64{"orders": 3}, e)
	if got := value(t, r, "orders", collector.Amplification); got.V != 3 || got.Trust != collector.Exact {
		t.Errorf("%+v", got)
	}
	if row := r.Targets[0]; row.Target.System != "" || row.Target.Kind != collector.Edge || r.Origin.Profile != "" {
		t.Errorf("%+v", row.Target)
	}
}

func TestTwoSeriesForOneTargetFailThatSignalOnly(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), func(c *Config) {
		c.Signals = map[collector.Signal]string{collector.QueueDepth: "q", collector.Ingress: "sum by ($by) (q)"}
		c.By = []string{"service"}
	}, e)
	e.text(`q{service="a",zone="1"} 1`, `q{service="a",zone="2"} 2`)
	r := next(t, s)
	if r.Blind() || len(r.Failures) != 1 || !strings.Contains(r.Failures[0].Text, "differing in label zone") {
		t.Errorf("%+v", r.Failures)
	}
	if v := r.Targets[0].Values; v[collector.QueueDepth].State != collector.Failed || v[collector.Ingress].V != 3 {
		t.Errorf("%+v", v)
	}
}

func TestBaselinesDivideAndCanBeChangedWhileItRuns(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), func(c *Config) { c.Baselines = collector.Baselines{Of: map[string]float64{"orders": 2}} }, e)
	r := run(t, s, 0, 3, map[string]float64{"orders": 4}, e)
	if got := value(t, r, "orders", collector.Amplification); got.V != 2 || r.Targets[0].Baseline != 2 {
		t.Errorf("%+v", got)
	}
	s.SetBaselines(collector.Baselines{Number: 4})
	r = run(t, s, 3, 1, map[string]float64{"orders": 4}, e)
	if got := value(t, r, "orders", collector.Amplification); got.V != 1 || r.Origin.Baselines.Number != 4 {
		t.Errorf("%+v", got)
	}
}

func TestTheSeriesAreBounded(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), func(c *Config) { c.MaxSeries = 2 }, e)
	r := run(t, s, 0, 1, map[string]float64{"a": 1, "b": 1}, e)
	if len(s.store.byKey) != 2 || !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "more than 2 series: 2 are not read") }) {
		t.Errorf("%d series, warnings %q", len(s.store.byKey), r.Warnings)
	}
}

// TestARateOfAGaugeIsRemarkedUpon is case E7.
func TestARateOfAGaugeIsRemarkedUpon(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), func(c *Config) { c.Known = []profile.Profile{shop} }, e)
	e.text(append([]string{"# TYPE shop_attempts_total gauge"}, storm(1, map[string]float64{"a": 1})...)...)
	next(t, s)
	if r := next(t, s); !slices.Contains(r.Warnings, "shop_attempts_total is declared a gauge; its rate is right only if it counts") {
		t.Errorf("warnings %q", r.Warnings)
	}
}
