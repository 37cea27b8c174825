package prom

import (
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

// sparse makes a fake that answers rates as over samples a minute apart: a
// range below two of them is an empty vector, not 0.
func sparse(t *testing.T) *fakeProm {
	f := newFake(t)
	f.spacing = time.Minute
	f.metrics = map[string]map[string]string{"in_total": {"orders": "0.172"}, "down_total": {"orders": "0.172"}}
	f.on(func(q request) *canned {
		switch {
		case strings.HasPrefix(q.query, "sum by") && (strings.Contains(q.query, "[1m]") || strings.Contains(q.query, "[90s]")):
			return &canned{body: vectorAnswer("1", nil)}
		case strings.HasPrefix(q.query, "count("):
			return &canned{body: vectorAnswer("1", [][2]string{{"", "1"}})}
		}
		return nil
	})
	return f
}

// TestARangeBelowTwoSamplesIsSaidAndIsNoZero is case A4: a counter that is
// sampled every 60 s has no rate over 1m, and 0.172/s over 4m.
func TestARangeBelowTwoSamplesIsSaidAndIsNoZero(t *testing.T) {
	for _, c := range []struct {
		rate    time.Duration // as the user asks; 0: none
		used    time.Duration
		warning string
	}{
		{time.Minute, time.Minute, "rate range 1m holds fewer than 2 samples: they come about every 1m; try --rate=5m"},
		{90 * time.Second, 90 * time.Second, "rate range 1m30s holds fewer than 2 samples: they come about every 1m; try --rate=5m"},
		{4 * time.Minute, 4 * time.Minute, ""},
		{0, 5 * time.Minute, ""}, // the least that is chosen is four times the real spacing
	} {
		t.Run(c.used.String(), func(t *testing.T) {
			r := next(t, sparse(t).open(t, func(cfg *Config) { cfg.Rate = c.rate }))
			if r.Blind() || len(r.Failures) > 0 || r.Origin.Scrape != time.Minute || r.Origin.RateRange != c.used {
				t.Fatalf("%+v, samples every %v, range %v", r.Failures, r.Origin.Scrape, r.Origin.RateRange)
			}
			if c.warning == "" {
				if v := value(t, r, "orders", collector.Ingress); v.V != 0.172 || v.State != collector.Ok || len(r.Warnings) > 0 {
					t.Errorf("%+v %q", v, r.Warnings)
				}
				return
			}
			if !warned(r, c.warning) || !strings.Contains(r.Origin.Note, c.warning) {
				t.Errorf("warnings %q, note %q", r.Warnings, r.Origin.Note)
			}
			for _, sig := range collector.Signals() {
				if v := r.Total.Values[sig]; v.State != collector.Missing || len(r.Targets) > 0 {
					t.Errorf("%s is %+v: a rate that is not known is shown as a number", sig, v)
				}
			}
		})
	}
}

// TestTheSpacingIsThatOfTheSamplesNotOfAnybodysConfiguration is case A4: an
// interval of 15 s was asked for, and the samples really come every minute.
func TestTheSpacingIsThatOfTheSamplesNotOfAnybodysConfiguration(t *testing.T) {
	r := next(t, sparse(t).open(t, func(c *Config) { c.Interval = 15 * time.Second }))
	if r.Origin.Interval != 15*time.Second || r.Origin.RateRange != 5*time.Minute ||
		!strings.Contains(r.Origin.Note, "polled every 15s as asked, though samples come every 1m") {
		t.Errorf("every %v over %v: %q", r.Origin.Interval, r.Origin.RateRange, r.Origin.Note)
	}
}
