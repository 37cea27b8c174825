package prom

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

func dial(t *testing.T, f *fakeProm, known ...profile.Profile) *Client {
	t.Helper()
	c, _, err := Dial(Config{URL: f.URL, Clock: f.clock, Known: known})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAClientSaysWhatIsUsedAndWhy(t *testing.T) {
	f := newFake(t)
	lib, guess, pool := hop("lib", collector.Exact, nil), hop("guess", collector.Heuristic, nil), hop("pool", collector.Approx, func(p *profile.Profile) {
		p.Signals = map[collector.Signal]string{collector.PoolWait: "sum by ($by) (pool_wait)"}
	})
	better := hop("better", collector.Exact, func(p *profile.Profile) { p.Supersedes = []string{"lib"} })
	f.on(script{}.found("lib", "guess", "pool", "better"))
	got, err := dial(t, f, lib, guess, pool, better).Detect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Use{"better": Judged, "pool": Companion, "guess": Offered, "lib": Superseded}
	if len(got.Found) != len(want) {
		t.Fatalf("%+v", got)
	}
	for _, found := range got.Found {
		if found.Use != want[found.Profile.Name] || found.Evidence != 4 {
			t.Errorf("%s is %v with %v series", found.Profile.Name, found.Use, found.Evidence)
		}
		if found.Profile.Name == "lib" && found.By != "better" {
			t.Errorf("superseded by %q", found.By)
		}
	}
}

func TestAClientExaminesTheSeriesOfAProfile(t *testing.T) {
	f := newFake(t)
	f.metrics = map[string]map[string]string{"lib_in": {"a": "1"}, "lib_out": {"a": "1"}}
	f.on(seen(script{}, "out", map[string]float64{"series": 8, "single": 4, "reporters": 2, "values replica": 2, "values cluster": 3, "without service": 1}).found("lib"))
	c := dial(t, f, hop("lib", collector.Exact, nil))
	if _, err := c.Clock(context.Background()); err != nil {
		t.Fatal(err)
	}
	got, err := c.Examine(context.Background(), hop("lib", collector.Exact, nil))
	if err != nil {
		t.Fatal(err)
	}
	out := got.Sides[1]
	if out.Selector != "lib_out" || out.Series != 8 || out.Doubled != 2 || out.Reporters != 2 || out.Spacing != 5*time.Second || out.Newest.IsZero() ||
		len(out.Replicas) != 1 || len(got.Labels) != 1 || got.Missing["service"] != 1 || got.Rate != 20*time.Second {
		t.Errorf("%+v", got)
	}
	if q := got.Queries[collector.Downstream]; q != "sum by (service, cluster) (max without (replica) (rate(lib_out[20s])))" {
		t.Errorf("%s", q)
	}
}

func TestAClientAsksForTheTypeOfAMetric(t *testing.T) {
	f := newFake(t)
	f.on(func(q request) *canned {
		if strings.HasSuffix(q.path, "/api/v1/metadata") {
			return &canned{body: `{"status":"success","data":{"calls":[{"type":"gauge","help":"x","unit":""}]}}`}
		}
		return nil
	})
	c := dial(t, f)
	for metric, want := range map[string]string{"calls": "gauge", "other": ""} {
		if got, err := c.MetricType(context.Background(), metric); err != nil || got != want {
			t.Errorf("%s: %q %v", metric, got, err)
		}
	}
	f.on(func(request) *canned { return &canned{code: 503, body: "no"} })
	var no *Refused
	if _, err := c.MetricType(context.Background(), "calls"); !errors.As(err, &no) || no.Kind != collector.ServerError {
		t.Errorf("%v", err)
	}
	if _, err := c.Query(context.Background(), "up", time.Time{}); !errors.As(err, &no) {
		t.Errorf("%v", err)
	}
}

func TestAThanosIsSentWhatItNeeds(t *testing.T) {
	for name, c := range map[string]struct {
		thanos bool
		own    map[string]string
		dedup  string
	}{
		"a Thanos":                {true, nil, "true"},
		"what the user says wins": {true, map[string]string{"dedup": "false"}, "false"},
		"no Thanos":               {false, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.thanos = c.thanos
			s := f.open(t, func(cfg *Config) { cfg.Params = c.own })
			next(t, s)
			f.asked()
			next(t, s)
			for _, q := range f.asked() {
				got := append(q.form["dedup"], "")[0]
				if resolution := append(q.form["max_source_resolution"], "")[0]; got != c.dedup || (resolution == "0s") != c.thanos {
					t.Errorf("dedup %q, resolution %q", got, resolution)
				}
			}
		})
	}
}
