package prom

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/collector"
)

// TestTheServersOwnRulesAreRead with what it says of them.
func TestTheServersOwnRulesAreRead(t *testing.T) {
	f := newFake(t)
	f.on(func(r request) *canned {
		if r.path != "/api/v1/rules" || r.form["type"][0] != "alert" {
			return nil
		}
		return &canned{code: 200, body: `{"status":"success","data":{"groups":[{"name":"orders","file":"x","rules":[
			{"type":"alerting","name":"OrdersSlow","query":"orders:p99 > 1.5","duration":300,"keepFiringFor":90,"labels":{"severity":"critical"},
			 "state":"firing","health":"ok","alerts":[{"state":"pending","activeAt":"2026-05-04T11:59:30Z","labels":{}},{"state":"firing","activeAt":"2026-05-04T11:50:00Z","labels":{}},{"state":"inactive","activeAt":"2026-05-04T11:00:00Z"}]},
			{"type":"recording","name":"orders:p99","query":"x"},
			{"type":"alerting","name":"Broken","query":"a and b","duration":1e300,"state":"inactive","health":"err","lastError":"many-to-many\u001b[31m matching"}]}]}}`}
	})
	got, err := dial(t, f).Rules(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []collector.OwnRule{
		{
			Name: "OrdersSlow", Group: "orders", Expr: "orders:p99 > 1.5", For: 5 * time.Minute, Keep: 90 * time.Second, Severity: "critical", From: "server",
			Tunable: true, Left: "orders:p99", Threshold: 1.5, State: "firing", Since: time.Date(2026, 5, 4, 11, 50, 0, 0, time.UTC), Active: 2, Health: "ok",
		},
		{Name: "Broken", Group: "orders", Expr: "a and b", From: "server", State: "inactive", Health: "err"},
	}
	if len(got) == 2 && (strings.Contains(got[1].Error, "\x1b") || !strings.Contains(got[1].Error, "many-to-many")) {
		t.Errorf("%q", got[1].Error)
	} else if len(got) == 2 {
		got[1].Error = ""
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.on(func(request) *canned { return &canned{code: 403, body: "no"} })
	var no *Refused
	if _, err := dial(t, f).Rules(context.Background()); !errors.As(err, &no) || no.Kind != collector.Forbidden {
		t.Errorf("%v", err)
	}
}

// TestALongRangeIsAskedForInParts: no server is asked for more steps than it
// answers, and every step is entered once.
func TestALongRangeIsAskedForInParts(t *testing.T) {
	f := newFake(t)
	var parts []string
	f.on(func(r request) *canned {
		if r.path != "/api/v1/query_range" {
			return nil
		}
		start, _ := strconv.ParseFloat(r.form["start"][0], 64)
		end, _ := strconv.ParseFloat(r.form["end"][0], 64)
		parts = append(parts, fmt.Sprintf("%.0f", (end-start)/5+1))
		var a, b []string
		for at := start; at <= end; at += 5 {
			a = append(a, fmt.Sprintf(`[%v,"%v"]`, at, at))
			if int(at)%10 == 0 {
				b = append(b, fmt.Sprintf(`[%v,"NaN"]`, at))
			}
		}
		return &canned{code: 200, body: fmt.Sprintf(`{"status":"success","data":{"resultType":"matrix","result":[
			{"metric":{"s":"a"},"values":[%s]},{"metric":{"s":"b"},"values":[%s]}]}}`, strings.Join(a, ","), strings.Join(b, ","))}
	})
	to := time.Date(2026, 5, 4, 12, 0, 2, 0, time.UTC)
	got, err := dial(t, f).Ranged(context.Background(), "x", to.Add(-6*time.Hour), to, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"2000", "2000", "321"}; !slices.Equal(parts, want) || got.Steps != 4321 || got.Cost.Queries != 3 {
		t.Errorf("%d steps in %v, %+v", got.Steps, parts, got.Cost)
	}
	if len(got.Courses) != 2 {
		t.Fatalf("%d courses", len(got.Courses))
	}
	for i := range got.Steps {
		at := float64(got.Time(i).Unix())
		if a := got.Courses[0]; !a.Has[i] || a.Values[i] != at {
			t.Fatalf("step %d of a: %v %v, want %v", i, a.Has[i], a.Values[i], at)
		}
		if b := got.Courses[1]; b.Has[i] != (int(at)%10 == 0) || b.Has[i] && b.Values[i] == b.Values[i] {
			t.Fatalf("step %d of b: %v %v", i, b.Has[i], b.Values[i])
		}
	}
	if _, err := dial(t, f).Ranged(context.Background(), "x", to, to.Add(-time.Minute), time.Second); err == nil {
		t.Error("a range that ends before it begins was asked for")
	}
}

// TestWhatIsAskedIsExpressed: of a server as it would be polled, and without one.
func TestWhatIsAskedIsExpressed(t *testing.T) {
	f := newFake(t)
	cfg := Config{URL: f.URL, Clock: f.clock, Signals: map[collector.Signal]string{
		collector.Ingress: "sum by ($by) (rate(in_total[$window]))", collector.Downstream: "sum by ($by) (rate(down_total[$window]))",
	}, By: []string{"service"}, Select: `ns="shop"`}
	c, _, err := Dial(cfg)
	if err != nil {
		t.Fatal(err)
	}
	got, rate, err := c.Express(context.Background())
	if err != nil || len(got) != 1 || rate != 20*time.Second {
		t.Fatalf("%v, %s, %+v", err, rate, got)
	}
	if q := got[0].Queries[collector.Ingress]; q != `sum by (service) (rate(in_total{ns="shop"}[20s]))` || got[0].Sides[0] != `in_total{ns="shop"}` {
		t.Errorf("%q, %q", q, got[0].Sides)
	}
	cfg.Rate = 20 * time.Second
	offline, _, err := Express(cfg)
	if diff := cmp.Diff(got, offline); diff != "" || err != nil {
		t.Errorf("%v (-asked +unasked):\n%s", err, diff)
	}
	if _, _, err := Express(Config{}); err == nil || !strings.Contains(err.Error(), "no system is named") {
		t.Errorf("%v", err)
	}
}

// TestAServerIsAskedAsideWhileItIsPolled also runs under the race detector.
func TestAServerIsAskedAsideWhileItIsPolled(t *testing.T) {
	f := newFake(t)
	src, _, err := Open(Config{URL: f.URL, Clock: f.clock, Signals: map[collector.Signal]string{collector.Ingress: "in_total"}, By: []string{"service"}, Interval: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	aside := src.Aside()
	done := make(chan error)
	go func() {
		var err error
		for range 20 {
			if _, e := aside.Query(context.Background(), "in_total", time.Time{}); e != nil {
				err = e
			}
		}
		done <- err
	}()
	for range 20 {
		if _, err := src.Next(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestWhoAsksAsideSendsWhatTheServerNeeds: a client made before the first poll
// sends what the user named, and what a Thanos needs once that is recognised.
func TestWhoAsksAsideSendsWhatTheServerNeeds(t *testing.T) {
	for _, thanos := range []bool{true, false} {
		f := newFake(t)
		f.thanos = thanos
		src := f.open(t, func(cfg *Config) { cfg.Params = map[string]string{"namespace": "shop"} })
		aside := src.Aside()
		next(t, src)
		f.asked()
		ctx := context.Background()
		if _, err := aside.Ranged(ctx, "in_total", epoch.Add(-time.Minute), epoch, time.Second); err != nil {
			t.Fatal(err)
		}
		if _, err := aside.Query(ctx, "in_total", time.Time{}); err != nil {
			t.Fatal(err)
		}
		if _, err := aside.Rules(ctx); err != nil {
			t.Fatal(err)
		}
		list := f.asked()
		if len(list) != 3 {
			t.Fatalf("%d requests", len(list))
		}
		for _, q := range list {
			dedup, resolution := append(q.form["dedup"], "")[0], append(q.form["max_source_resolution"], "")[0]
			if namespace := append(q.form["namespace"], "")[0]; namespace != "shop" || (dedup == "true") != thanos || (resolution == "0s") != thanos {
				t.Errorf("%s: namespace %q, dedup %q, resolution %q", q.path, namespace, dedup, resolution)
			}
		}
	}
}

// TestADownsampledPastIsNotJudged: there rates over a short range are empty, and
// a rule would have been calm.
func TestADownsampledPastIsNotJudged(t *testing.T) {
	old := epoch.Add(-24 * time.Hour)
	coarse := func(q request) *canned {
		var at float64
		fmt.Sscan(append(q.form["time"], "0")[0], &at)
		if at == 0 || at > float64(old.Unix()) {
			return nil
		}
		switch {
		case strings.HasSuffix(q.query, "[5m]"):
			return &canned{body: `{"status":"success","data":{"resultType":"matrix","result":[]}}`}
		case strings.HasSuffix(q.query, "[1h]"):
			var points []string
			for i := range 12 {
				points = append(points, fmt.Sprintf(`[%d,"1"]`, int64(at)-int64(11-i)*300))
			}
			return &canned{body: `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[` + strings.Join(points, ",") + `]}]}}`}
		}
		return nil
	}
	nothing := func(q request) *canned {
		var at float64
		fmt.Sscan(append(q.form["time"], "0")[0], &at)
		if at > 0 && at <= float64(old.Unix()) {
			return &canned{body: `{"status":"success","data":{"resultType":"vector","result":[]}}`}
		}
		return nil
	}
	for _, tt := range []struct {
		name   string
		from   time.Duration
		server func(request) *canned
		rate   time.Duration
		params map[string]string
		want   string
	}{
		{"all samples are there", time.Hour, nil, 0, nil, ""},
		{"every fifth minute", 48 * time.Hour, coarse, 0, nil, "at 2026-05-02 12:00Z samples come every 5m: rates over 20s are empty there; begin later, or take --rate=20m"},
		{"a range that is wide enough", 48 * time.Hour, coarse, 20 * time.Minute, nil, ""},
		{"later", 12 * time.Hour, coarse, 0, nil, ""},
		{"nothing is as old", 48 * time.Hour, nothing, 0, nil, ""},
		{"a Thanos is asked for what it has averaged", time.Hour, nil, 0, map[string]string{"max_source_resolution": "5m"}, "rules are judged by all samples only"},
		{"a Thanos is asked for all", time.Hour, nil, 0, map[string]string{"max_source_resolution": "0s"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on(tt.server)
			src := f.open(t, func(cfg *Config) { cfg.Rate, cfg.Params = tt.rate, tt.params })
			err := src.Judgeable(context.Background(), epoch.Add(-tt.from), epoch)
			var no *Refused
			if (err != nil) != (tt.want != "") || err != nil && (!errors.As(err, &no) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
