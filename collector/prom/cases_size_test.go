package prom

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stormtop/collector"
)

// TestTwoSeriesForOneMatchFailOnePanelByName is case A14 (a): after a rollout the
// ingress of a service is there twice. The label that differs is named, the other
// panels go on, and so does this one when the old series has ended.
func TestTwoSeriesForOneMatchFailOnePanelByName(t *testing.T) {
	f := newFake(t)
	src := f.open(t, nil)
	next(t, src)
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "in_total[20s]") {
			return &canned{body: `{"status":"success","data":{"resultType":"vector","result":[
				{"metric":{"service":"orders","pod_template":"a1"},"value":[1,"40"]},
				{"metric":{"service":"orders","pod_template":"b2"},"value":[1,"60"]},
				{"metric":{"service":"payments","pod_template":"a1"},"value":[1,"200"]}]}}`}
		}
		return nil
	})
	begun := f.clock.Now()
	for f.clock.Now().Sub(begun) < 3*time.Minute {
		r := next(t, src)
		if r.Blind() || len(r.Failures) != 1 || r.Failures[0].Signal != collector.Ingress ||
			!strings.Contains(r.Failures[0].Text, "two series for the same target orders, differing in label pod_template") {
			t.Fatalf("%+v", r.Failures)
		}
		if in, down := value(t, r, "orders", collector.Ingress).State, value(t, r, "orders", collector.Downstream); in != collector.Failed || down.V != 102 || down.State != collector.Ok {
			t.Fatalf("ingress %v, downstream %+v", in, down)
		}
	}
	f.on(nil)
	if r := next(t, src); len(r.Failures) != 0 || value(t, r, "orders", collector.Ingress).V != 100 {
		t.Errorf("after the old series has ended: %+v", r.Failures)
	}
}

// TestAClockThatIsAheadQueriesTheServersTime is case A14 (b): this machine's
// clock is 120 s ahead of the server's, or behind it. What is asked, shown and
// judged is by the server's.
func TestAClockThatIsAheadQueriesTheServersTime(t *testing.T) {
	for word, ahead := range map[string]time.Duration{"behind": -2 * time.Minute, "ahead of": 2 * time.Minute} {
		f := newFake(t)
		f.ahead = ahead
		src := f.open(t, nil)
		next(t, src)
		f.asked()
		r := next(t, src)
		if d := r.At.Sub(f.clock.Now().Add(ahead)).Abs(); d > 5*time.Second || r.Origin.Drift != ahead {
			t.Errorf("%s: a reading of %v, drift %v", word, r.At, r.Origin.Drift)
		}
		if want := fmt.Sprintf("the clock of %s is 2m %s this machine's; its time is used", strings.TrimPrefix(f.URL, "http://"), word); !strings.Contains(r.Origin.Note, want) {
			t.Errorf("%q, want %q", r.Origin.Note, want)
		}
		for _, q := range signalQueries(f.asked()) {
			if q.form["time"][0] != formatTime(r.At) {
				t.Errorf("%s was evaluated at %s", q.query, q.form["time"])
			}
		}
		if v := value(t, r, "orders", collector.Ingress).State; v != collector.Ok {
			t.Errorf("%s: by the wrong clock the samples would be old or from the future: %v", word, v)
		}
	}
}

// TestTwoDaysAtTenSecondsStayBelowThePointsLimit is case A14 (c): 17,280 steps
// are more than any server gives, so the past comes coarser, and fine where the
// rules need it.
func TestTwoDaysAtTenSecondsStayBelowThePointsLimit(t *testing.T) {
	f := newFake(t)
	f.spacing = 10 * time.Second
	f.on(func(q request) *canned {
		if strings.HasSuffix(q.path, "query_range") {
			if n := (number(q.form["end"])-number(q.form["start"]))/number(q.form["step"]) + 1; n > 11_000 {
				return &canned{code: 400, body: `{"status":"error","errorType":"bad_data","error":"exceeded maximum resolution of 11,000 points per timeseries."}`}
			}
		}
		return nil
	})
	src := f.open(t, func(c *Config) { c.Span, c.Rules = 48*time.Hour, rules() })
	r := next(t, src)
	first, steps := r.At, map[time.Duration]int{}
	for r.Past {
		if v := value(t, r, "payments", collector.Amplification); v.V != 2.48 {
			t.Fatalf("%v: %+v", r.At, v)
		}
		at := r.At
		r = next(t, src)
		steps[r.At.Sub(at)]++
	}
	if back := r.At.Sub(first); back < 47*time.Hour || len(r.Failures)+len(r.Warnings) > 0 {
		t.Errorf("%v of the past, %+v %q", back, r.Failures, r.Warnings)
	}
	if steps[10*time.Second] < 6 || steps[20*time.Second] < 8000 {
		t.Errorf("%v", steps)
	}
}

// TestAnAnswerOf200MBStopsAtTheCap is case A14 (d): no more is taken than the
// cap, the advice is to aggregate, and the other panels are there.
func TestAnAnswerOf200MBStopsAtTheCap(t *testing.T) {
	f := newFake(t)
	var sent atomic.Int64
	one := fmt.Sprintf(`{"metric":{"service":"%s%%07d"},"value":[1,"1"]},`, strings.Repeat("x", 20_000))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		if q := r.Form.Get("query"); !strings.HasPrefix(q, "sum by") || !strings.Contains(q, "down_total") {
			f.Config.Handler.ServeHTTP(w, r)
			return
		}
		io.WriteString(w, `{"status":"success","data":{"resultType":"vector","result":[`)
		for i := 0; sent.Load() < 200<<20; i++ {
			n, err := fmt.Fprintf(w, one, i)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	}))
	t.Cleanup(srv.Close)
	r := next(t, f.open(t, func(c *Config) { c.URL, c.Timeout = srv.URL, 2*time.Minute }))
	if len(r.Failures) != 1 || r.Failures[0].Kind != collector.TooLarge || r.Failures[0].Signal != collector.Downstream ||
		!strings.HasSuffix(r.Failures[0].Text, " is larger than 64 MiB: aggregate the query, for instance sum by (service) (...), or select less") {
		t.Fatalf("%+v", r.Failures)
	}
	if v := value(t, r, "payments", collector.Ingress); v.V != 200 {
		t.Errorf("%+v", v)
	}
	if n := sent.Load(); n > 100<<20 {
		t.Errorf("%d MiB were taken", n>>20)
	}
}
