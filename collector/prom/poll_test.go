package prom

import (
	"context"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

func TestAReadingHoldsAllSignalsOfOneSlot(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	r := next(t, s)
	if !r.At.Equal(time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)) {
		t.Errorf("at %v, not at a slot of 5s", r.At)
	}
	if got := value(t, r, "payments", collector.Amplification); got != collector.Num(2.48, collector.Ratio, collector.Exact) {
		t.Errorf("amplification %+v", got)
	}
	if got := r.Total.Values[collector.Amplification].V; got < 1.99 || got > 2 {
		t.Errorf("total %v is not the ratio of the sums", got)
	}
	if got := value(t, r, "payments", collector.AtLimit).State; got != collector.Missing {
		t.Errorf("a signal without query is %v", got)
	}
	for _, q := range f.asked() {
		if strings.HasPrefix(q.query, "sum by") && q.form["time"][0] != "1777896000" {
			t.Errorf("%s was evaluated at %v", q.query, q.form["time"])
		}
		if q.method != "POST" {
			t.Errorf("%s came by %s", q.query, q.method)
		}
	}
	o := r.Origin
	if o.Interval != 5*time.Second || o.RateRange != 20*time.Second || o.Scrape != 5*time.Second || o.Baselines.For(collector.Target{}) != 1 {
		t.Errorf("%+v", o)
	}
	if want := "sum by (service) (rate(in_total[20s]))"; o.Systems[0].Explain[collector.Ingress] != want {
		t.Errorf("%q", o.Systems[0].Explain[collector.Ingress])
	}
	if r.Newest.IsZero() || r.Cost.Queries < 4 || r.Cost.Bytes == 0 {
		t.Errorf("newest %v cost %+v", r.Newest, r.Cost)
	}
	second := next(t, s)
	if !second.At.Equal(r.At.Add(5*time.Second)) || second.Missed != 0 || second.Origin != r.Origin {
		t.Errorf("second at %v, missed %d", second.At, second.Missed)
	}
}

func TestMissedSlotsAreCountedAndNotCaughtUp(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	first := next(t, s)
	f.clock.advance(31 * time.Second)
	r := next(t, s)
	if d := r.At.Sub(first.At); d != 30*time.Second || r.Missed != 5 {
		t.Errorf("%v later, %d missed", d, r.Missed)
	}
	if r = next(t, s); r.Missed != 0 || f.clock.Now().Before(r.At) {
		t.Errorf("the next one came at %v, %d missed", f.clock.Now(), r.Missed)
	}
}

func TestZeroDenominatorsAreFourDifferentThings(t *testing.T) {
	f := newFake(t)
	f.metrics = map[string]map[string]string{
		"in_total":   {"infinite": "0", "idle": "0", "no-down": "5", "nan": "NaN", "inf": "+Inf"},
		"down_total": {"infinite": "50", "idle": "0", "no-in": "7", "nan": "1", "inf": "1"},
	}
	r := next(t, f.open(t, nil))
	for name, want := range map[string][3]collector.State{
		"infinite": {collector.Ok, collector.Ok, collector.Infinite},
		"idle":     {collector.Ok, collector.Ok, collector.Idle},
		"no-in":    {collector.Missing, collector.Ok, collector.Missing},
		"no-down":  {collector.Ok, collector.Missing, collector.Missing},
		"nan":      {collector.Idle, collector.Ok, collector.Idle},
		"inf":      {collector.Infinite, collector.Ok, collector.Ok},
	} {
		got := [3]collector.State{value(t, r, name, collector.Ingress).State,
			value(t, r, name, collector.Downstream).State, value(t, r, name, collector.Amplification).State}
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestWarningsMakeValuesPartialAndInfosDoNot(t *testing.T) {
	for name, c := range map[string]struct {
		notes string
		want  collector.State
	}{
		"warning":               {`"warnings":["store X\u001b[31m unavailable"],`, collector.Partial},
		"info":                  {`"infos":["metric might not be a counter"],`, collector.Ok},
		"info among the others": {`"warnings":["PromQL info: metric might not be a counter"],`, collector.Ok},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(func(q request) *canned {
				if strings.Contains(q.query, "in_total[20s]") {
					return &canned{body: "{" + c.notes + f.answer(q)[1:]}
				}
				return nil
			})
			r := next(t, f.open(t, nil))
			if got := value(t, r, "orders", collector.Ingress).State; got != c.want {
				t.Errorf("ingress %v", got)
			}
			if got := value(t, r, "orders", collector.Downstream).State; got != collector.Ok {
				t.Errorf("downstream %v", got)
			}
			if got := value(t, r, "orders", collector.Amplification).State; got != c.want {
				t.Errorf("amplification %v", got)
			}
			if c.want == collector.Partial && (len(r.Warnings) != 1 || r.Warnings[0] != "ingress: store X\ufffd[31m unavailable") {
				t.Errorf("%q", r.Warnings)
			}
		})
	}
}

func TestOldSamplesMakeValuesStale(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	if got := value(t, next(t, s), "orders", collector.Ingress).State; got != collector.Ok {
		t.Fatal(got)
	}
	f.age = 40 * time.Second
	r := next(t, s)
	if got := value(t, r, "orders", collector.Amplification).State; got != collector.Stale {
		t.Errorf("state %v", got)
	}
	if d := r.At.Sub(r.Newest); d < 39*time.Second || d > 41*time.Second {
		t.Errorf("the newest sample is %v old", d)
	}
}

func TestASideWhoseSeriesEndedIsStale(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	fresh := next(t, s)
	f.on(func(q request) *canned {
		if q.query == "max(timestamp(down_total))" {
			return &canned{body: vectorAnswer("1", nil)}
		}
		return nil
	})
	r := next(t, s)
	if in, down := value(t, r, "orders", collector.Ingress).State, value(t, r, "orders", collector.Downstream).State; in != collector.Ok || down != collector.Stale {
		t.Errorf("ingress %v downstream %v", in, down)
	}
	if !r.Newest.Equal(fresh.Newest) {
		t.Errorf("newest %v, want the last one seen, %v", r.Newest, fresh.Newest)
	}
}

func TestTwoSeriesForOneTargetFailTheSignalAlone(t *testing.T) {
	f := newFake(t)
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "in_total[20s]") {
			return &canned{body: `{"status":"success","data":{"resultType":"vector","result":[
				{"metric":{"service":"orders","version":"1"},"value":[1,"1"]},
				{"metric":{"service":"orders","version":"2"},"value":[1,"2"]}]}}`}
		}
		return nil
	})
	r := next(t, f.open(t, nil))
	if len(r.Failures) != 1 || r.Failures[0].Signal != collector.Ingress || !strings.Contains(r.Failures[0].Text, "two series for the same target orders, differing in label version") {
		t.Fatalf("%+v", r.Failures)
	}
	if got := value(t, r, "orders", collector.Ingress).State; got != collector.Failed {
		t.Errorf("ingress %v", got)
	}
	if got := value(t, r, "orders", collector.Downstream).State; got != collector.Ok {
		t.Errorf("downstream %v", got)
	}
}

func TestASignalThatFailsDoesNotBlankOthers(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	next(t, s)
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "down_total[20s]") {
			return &canned{code: 422, body: `{"status":"error","errorType":"execution","error":"query processing would load too many samples"}`}
		}
		return nil
	})
	f.asked()
	r := next(t, s)
	if r.Blind() || len(r.Failures) != 1 || r.Failures[0].Kind != collector.Rejected || r.Failures[0].Text != "query rejected: query processing would load too many samples" {
		t.Fatalf("%+v", r.Failures)
	}
	if got := value(t, r, "orders", collector.Ingress); got.State != collector.Ok || got.V != 100 {
		t.Errorf("%+v", got)
	}
	if got := value(t, r, "orders", collector.Amplification).State; got != collector.Failed {
		t.Errorf("amplification %v", got)
	}
	if got := r.Total.Values[collector.Downstream].State; got != collector.Failed {
		t.Errorf("total %v", got)
	}
	if !r.Failures[0].Retry.Equal(r.At.Add(5 * time.Second)) {
		t.Errorf("retry at %v", r.Failures[0].Retry)
	}
	if n := len(signalQueries(f.asked())); n != 2 {
		t.Errorf("%d queries: a rejected one was repeated within the slot", n)
	}
	f.on(nil)
	if r = next(t, s); len(r.Failures) != 0 || value(t, r, "orders", collector.Downstream).State != collector.Ok {
		t.Errorf("after recovery: %+v", r.Failures)
	}
}

func TestDerivedSignalsThatAreNamedWin(t *testing.T) {
	f := newFake(t)
	f.set("ratio", "orders", "7")
	s := f.open(t, func(c *Config) {
		c.Signals[collector.Amplification] = "ratio"
		c.Baselines.Number = 2
	})
	r := next(t, s)
	if got := value(t, r, "orders", collector.Amplification).V; got != 7 {
		t.Errorf("named %v", got)
	}
	if got := value(t, r, "payments", collector.Amplification).State; got != collector.Missing {
		t.Errorf("a target that the named query does not know is %v", got)
	}
	if got := r.Total.Values[collector.Amplification].State; got != collector.Missing {
		t.Errorf("total %v", got)
	}
}

func TestBaselineDivides(t *testing.T) {
	f := newFake(t)
	r := next(t, f.open(t, func(c *Config) { c.Baselines.Number = 2 }))
	if got := value(t, r, "payments", collector.Amplification).V; got != 1.24 {
		t.Error(got)
	}
	if r.Origin.Systems[0].Explain[collector.Amplification] != "downstream / ingress / 2" {
		t.Error(r.Origin.Systems[0].Explain[collector.Amplification])
	}
}

func TestHostileLabelsStayOneRow(t *testing.T) {
	f := newFake(t)
	f.set("in_total", "a\x1b[31m\r\nb", "1")
	r := next(t, f.open(t, nil))
	if len(r.Targets) != 3 || r.Targets[0].Target.Name != "a\ufffd[31m\ufffd\ufffdb" || r.Targets[0].Target.Label("service") != "a\x1b[31m\r\nb" {
		t.Errorf("%q", names(r))
	}
}

func TestTheServersClockDecides(t *testing.T) {
	f := newFake(t)
	f.ahead = 2*time.Minute + 300*time.Millisecond
	s := f.open(t, nil)
	r := next(t, s)
	if want := time.Date(2026, 5, 4, 12, 2, 0, 0, time.UTC); !r.At.Equal(want) {
		t.Errorf("at %v, want %v", r.At, want)
	}
	if !strings.Contains(r.Origin.Note, "2m ahead of this machine's") || r.Origin.Drift != f.ahead {
		t.Errorf("%q, drift %v", r.Origin.Note, r.Origin.Drift)
	}
}

func TestNextEndsWithTheContext(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	f.on(func(request) *canned { cancel(); return nil })
	if _, err := s.Next(ctx); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

func TestSignalsWithoutGroupingAreOneTarget(t *testing.T) {
	f := newFake(t)
	r := next(t, f.open(t, func(c *Config) {
		c.By = nil
		c.Signals = map[collector.Signal]string{collector.Downstream: "sum by ($by) (rate(down_total[$window]))"}
	}))
	if len(r.Targets) != 2 || r.Targets[0].Target.Name != "orders" {
		t.Errorf("%v", names(r))
	}
}
