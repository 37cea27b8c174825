package prom

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

func rules() []collector.RuleSpec {
	return []collector.RuleSpec{
		{Name: "RetryAmplificationHigh", Signal: collector.Amplification, Threshold: 1.5, For: time.Minute},
		{Name: "RetryRateHigh", Signal: collector.RetryRate, Threshold: 0.1},
		{Name: "Both", Both: [2]string{"a", "b"}},
	}
}

func TestTheSpanIsFilledBeforeTheFirstLiveReading(t *testing.T) {
	f := newFake(t)
	var told []string
	s := f.open(t, func(c *Config) {
		c.Span, c.Rules = 5*time.Minute, rules()
		c.Progress = func(p Progress) { told = append(told, p.String()) }
	})
	var last time.Time
	for i := range 60 {
		r := next(t, s)
		if !r.Past || !r.At.After(last) || i > 0 && r.At.Sub(last) != 5*time.Second {
			t.Fatalf("reading %d at %v, past %v", i, r.At, r.Past)
		}
		if got := value(t, r, "payments", collector.Amplification); got.V != 2.48 || got.State != collector.Ok {
			t.Fatalf("%+v", got)
		}
		if r.Total.Values[collector.Ingress].V != 300 {
			t.Fatalf("%+v", r.Total.Values[collector.Ingress])
		}
		last = r.At
	}
	r := next(t, s)
	if r.Past || !r.At.Equal(last.Add(5*time.Second)) || len(r.Warnings) != 0 {
		t.Errorf("%v past %v %q", r.At, r.Past, r.Warnings)
	}
	if got := told[len(told)-1]; !strings.HasPrefix(got, "reading the last 5m: 2 of 2 signals, ") {
		t.Errorf("%q", told)
	}
	for _, q := range f.asked() {
		if strings.HasSuffix(q.path, "query_range") && (q.form["step"][0] != "5" || strings.Contains(q.query, "=~")) {
			t.Errorf("%v %s", q.form["step"], q.query)
		}
	}
}

func TestWithoutASpanNothingIsFilled(t *testing.T) {
	f := newFake(t)
	if r := next(t, f.open(t, nil)); r.Past {
		t.Error("a past reading")
	}
}

func TestOfManyTargetsTheWorstAndTheBreachingAreFilled(t *testing.T) {
	f := newFake(t)
	f.metrics = map[string]map[string]string{}
	for i := range 80 {
		name := fmt.Sprintf("svc-%02d", i)
		f.set("in_total", name, "100")
		f.set("down_total", name, fmt.Sprint(100+i))
	}
	f.on(func(q request) *canned {
		if strings.HasSuffix(q.path, "query_range") && strings.HasSuffix(q.query, "> 1.5") {
			if want := "((sum by (service) (rate(down_total[20s]))) / on (service) (sum by (service) (rate(in_total[20s]))) / 2) > 1.5"; q.query != want {
				t.Errorf("%s", q.query)
			}
			return &canned{body: `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"service":"svc-03"},"values":[[1777895990,"9"]]}]}}`}
		}
		if strings.HasSuffix(q.path, "query_range") && strings.HasSuffix(q.query, "> 0.1") {
			return &canned{body: `{"status":"success","data":{"resultType":"matrix","result":[]}}`}
		}
		return nil
	})
	s := f.open(t, func(c *Config) { c.Span, c.Rules, c.Baselines.Number = 2*time.Minute, rules(), 2 })
	r := next(t, s)
	if !r.Past || len(r.Targets) != 51 {
		t.Fatalf("past %v, %d targets", r.Past, len(r.Targets))
	}
	if r.Targets[0].Target.Name != "svc-03" || r.Targets[1].Target.Name != "svc-30" {
		t.Errorf("%v", names(r))
	}
	ranges := 0
	for _, q := range f.asked() {
		if strings.HasSuffix(q.path, "query_range") {
			ranges++
		}
	}
	if ranges != 2+2+2 {
		t.Errorf("%d range queries", ranges)
	}
	for r.Past {
		r = next(t, s)
	}
	if len(r.Targets) != 80 {
		t.Errorf("live: %d targets", len(r.Targets))
	}
}

func TestABackfillThatFailsLeavesTheLiveReading(t *testing.T) {
	f := newFake(t)
	f.on(func(q request) *canned {
		if strings.HasSuffix(q.path, "query_range") {
			return &canned{code: 503, body: "Service Unavailable"}
		}
		return nil
	})
	r := next(t, f.open(t, func(c *Config) { c.Span, c.Rules = time.Minute, rules() }))
	text := strings.Join(r.Warnings, "\n")
	if r.Past || r.Blind() || !strings.Contains(text, "the last 1m could not be read; the state of rules that ask for a duration is unknown until 12:01:05Z") {
		t.Errorf("past %v %q", r.Past, text)
	}
}

func TestASignalWhosePastFailsIsFailedInThePast(t *testing.T) {
	f := newFake(t)
	f.on(func(q request) *canned {
		if strings.HasSuffix(q.path, "query_range") && strings.Contains(q.query, "in_total") {
			return &canned{code: 422, body: `{"status":"error","errorType":"execution","error":"too many samples"}`}
		}
		return nil
	})
	s := f.open(t, func(c *Config) { c.Span = time.Minute })
	r := next(t, s)
	if !r.Past || value(t, r, "orders", collector.Ingress).State != collector.Failed || value(t, r, "orders", collector.Downstream).State != collector.Ok {
		t.Errorf("past %v %+v", r.Past, r.Targets)
	}
}

func TestPassesStayBelowThePointsLimit(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct{ whole, fine, step time.Duration }{
		{15 * time.Minute, 65 * time.Second, 5 * time.Second},
		{48 * time.Hour, 70 * time.Second, 10 * time.Second},
		{48 * time.Hour, time.Minute, time.Second},
		{240 * time.Hour, 10 * time.Hour, time.Second},
		{5 * time.Second, 5 * time.Second, 5 * time.Second},
		{10_001 * time.Second, 20_000 * time.Second, time.Second},
	} {
		last := time.Time{}
		list := passes(at, c.whole, c.fine, c.step, maxSteps)
		for _, s := range list {
			if s.points() < 1 || s.points() > 11_000 || !s.start.After(last) || s.end.Before(s.start) || s.start.UnixNano()%int64(c.step) != 0 {
				t.Errorf("%+v: %+v of %d points", c, s, s.points())
			}
			last = s.end
		}
		if first := list[0].start; at.Sub(first) < c.whole*9/10 || at.Sub(first) > c.whole {
			t.Errorf("%+v starts %v before", c, at.Sub(first))
		}
		if final := list[len(list)-1]; final.end != at.Add(-c.step) || final.step != c.step {
			t.Errorf("%+v ends with %+v", c, final)
		}
	}
}

// TestThePastComesBeforeTheFirstReadingWithData: however often, and for
// whatever reason, nothing could be read before.
func TestThePastComesBeforeTheFirstReadingWithData(t *testing.T) {
	for name, c := range map[string]struct {
		special func(*fakeProm, request) *canned
		blind   bool
		ask     bool // somebody has to ask for another try
	}{
		"down":      {special: func(*fakeProm, request) *canned { return &canned{code: 503} }, blind: true},
		"forbidden": {special: func(*fakeProm, request) *canned { return &canned{code: 401} }, blind: true, ask: true},
		"down behind the clock": {special: func(f *fakeProm, q request) *canned {
			if q.query == "time()" {
				return nil
			}
			return &canned{code: 503}
		}, blind: true},
		"nothing there": {special: func(_ *fakeProm, q request) *canned {
			if q.query == "time()" {
				return nil
			}
			return &canned{body: vectorAnswer("1", nil)}
		}, blind: true},
		"no rate yet": {special: func(_ *fakeProm, q request) *canned {
			if strings.HasPrefix(q.query, "sum by") {
				return &canned{body: vectorAnswer("1", nil)}
			}
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			s := f.open(t, func(c *Config) { c.Span = 5 * time.Minute })
			f.on(func(q request) *canned { return c.special(f, q) })
			var last time.Time
			for i := range 4 {
				if i > 0 && c.ask {
					s.Retry()
					s.clockless()
				}
				r := next(t, s)
				if !r.Empty() || r.Blind() != c.blind || r.Past || !r.At.After(last) {
					t.Fatalf("reading %d at %v: past %v, %d targets, %+v", i, r.At, r.Past, len(r.Targets), r.Failures)
				}
				last = r.At
			}
			f.on(nil)
			s.Retry()
			if c.ask {
				s.clockless()
			}
			var past []time.Time
			r := next(t, s)
			for ; r.Past; r = next(t, s) {
				past = append(past, r.At)
			}
			if len(past) != 60 || !r.At.After(last) || !past[59].Equal(r.At.Add(-5*time.Second)) || !past[0].Equal(r.At.Add(-5*time.Minute)) {
				t.Errorf("%d past readings from %v, then %v", len(past), past[:min(len(past), 1)], r.At)
			}
			if again := next(t, s); again.Past {
				t.Error("the past came twice")
			}
		})
	}
}

// TestThePastStandsAtSlotsWhenTheIntervalHasJustChanged: it is 5s until the
// spacing of the samples is known.
func TestThePastStandsAtSlotsWhenTheIntervalHasJustChanged(t *testing.T) {
	for down := range 6 {
		f := newFake(t)
		f.spacing = 30 * time.Second
		s := f.open(t, func(c *Config) { c.Span = 10 * time.Minute })
		f.on(func(request) *canned { return &canned{code: 503} })
		var last time.Time
		for range down {
			last = next(t, s).At
		}
		f.on(nil)
		r := next(t, s)
		end := r.At
		for ; r.Past; r = next(t, s) {
			if end = r.At; end.UnixNano()%int64(30*time.Second) != 0 {
				t.Fatalf("after %d blind readings a past one at %v", down, end)
			}
		}
		if d := r.At.Sub(end); d <= 0 || d > 30*time.Second || !r.At.After(last) {
			t.Errorf("after %d blind readings: live at %v, past until %v, blind until %v", down, r.At, end, last)
		}
	}
}

// TestASlowPastDoesNotKeepTheLivePictureBack: in an outage the server is slow;
// the states of the rules are asked for once more, the rest is let go.
func TestASlowPastDoesNotKeepTheLivePictureBack(t *testing.T) {
	for name, c := range map[string]struct {
		slow func(points int) time.Duration // how long a range query takes
		past int
		says string
	}{
		"long ones time out":  {func(n int) time.Duration { return time.Duration(n/20) * 10 * time.Second }, 13, "reading the last 15m took too long: it is filled in for the rules only, from 11:5"},
		"all of them":         {func(int) time.Duration { return time.Minute }, 0, "the state of rules that ask for a duration is unknown until 12:0"},
		"each nearly":         {func(n int) time.Duration { return min(time.Duration(n)*time.Second, 9*time.Second/2) }, 13, "for the rules only"},
		"quick ones are kept": {func(int) time.Duration { return time.Second }, 180, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(func(q request) *canned {
				if !strings.HasSuffix(q.path, "query_range") {
					return nil
				}
				var start, end, step float64
				fmt.Sscan(q.form["start"][0], &start)
				fmt.Sscan(q.form["end"][0], &end)
				fmt.Sscan(q.form["step"][0], &step)
				d := c.slow(int((end-start)/step) + 1)
				f.clock.advance(min(d, 5*time.Second))
				if d > 5*time.Second {
					return &canned{code: 503, body: `{"status":"error","errorType":"timeout","error":"query timed out"}`}
				}
				return nil
			})
			s := f.open(t, func(cfg *Config) {
				cfg.Span, cfg.Rules = 15*time.Minute, rules()
				for _, sig := range collector.Inputs()[2:] {
					cfg.Signals[sig] = "sum by ($by) (rate(down_total[$window]))"
				}
			})
			past, r := 0, next(t, s)
			for ; r.Past; r = next(t, s) {
				past++
			}
			if past != c.past || r.Blind() || !strings.Contains(strings.Join(r.Warnings, "\n"), c.says) || c.says == "" && len(r.Warnings) > 0 {
				t.Errorf("%d past readings, %q", past, r.Warnings)
			}
			if d := f.clock.Now().Sub(epoch); d > 45*time.Second {
				t.Errorf("the live picture came after %v", d)
			}
		})
	}
}
