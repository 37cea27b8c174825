package prom

import (
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

func (f *fakeProm) openForDetection(t *testing.T, change func(*Config)) *Source {
	return f.open(t, func(c *Config) {
		c.Signals, c.By = nil, nil
		if change != nil {
			change(c)
		}
	})
}

// detected answers the detection query as a Prometheus with these profiles.
func detected(names ...string) func(request) *canned {
	return func(q request) *canned {
		if !strings.HasPrefix(q.query, "label_replace(") {
			return nil
		}
		var list []string
		for _, n := range names {
			if strings.Contains(q.query, `"`+n+`"`) {
				list = append(list, `{"metric":{"stormtop_profile":"`+n+`"},"value":[1,"4"]}`)
			}
		}
		return &canned{body: `{"status":"success","data":{"resultType":"vector","result":[` + strings.Join(list, ",") + `]}}`}
	}
}

func TestTheProfileIsFoundByItself(t *testing.T) {
	f := newFake(t)
	f.metrics = map[string]map[string]string{
		"stormtop_requests_total": {"a": "10"}, "stormtop_attempts_total": {"a": "10.4"}, "stormtop_attempts_total{attempt!=": {},
		"stormtop_at_limit_total": {"a": "1"},
	}
	f.on(detected("stormtop"))
	r := next(t, f.openForDetection(t, nil))
	if r.Blind() || r.Origin.Profile != "stormtop" || r.Origin.Systems[0].CannotSee == "" {
		t.Fatalf("%+v %+v", r.Origin, r.Failures)
	}
	if got := value(t, r, "a", collector.Amplification); got != collector.Num(1.04, collector.Ratio, collector.Exact) {
		t.Errorf("%+v", got)
	}
	if got := value(t, r, "a", collector.Retries); got != collector.Num(0, collector.PerSecond, collector.Exact) {
		t.Errorf("retries that never happened are %+v, not a zero filled in", got)
	}
	if got := value(t, r, "a", collector.PoolWait).State; got != collector.Missing {
		t.Errorf("pool wait %v", got)
	}
	if r.Targets[0].Target.Kind != collector.Hop {
		t.Error(r.Targets[0].Target.Kind)
	}
}

func TestNothingFoundSaysWhatWasLookedForAndLooksAgain(t *testing.T) {
	f := newFake(t)
	f.on(detected())
	s := f.openForDetection(t, func(c *Config) {
		c.Headers = map[string]string{"X-Scope-OrgID": "ops"}
		own, err := profile.Find("stormtop")
		if err != nil {
			t.Fatal(err)
		}
		c.Known = []profile.Profile{own}
	})
	r := next(t, s)
	fail := blindFailure(t, r)
	for _, want := range []string{"connected to 127.0.0.1", "known system has no data here", `for tenant "ops"`, "looked for stormtop_attempts_total", "--signal ingress=PROMQL --signal downstream=PROMQL"} {
		if fail.Kind != collector.NothingFound || !strings.Contains(fail.Text, want) {
			t.Errorf("%v %q has no %q", fail.Kind, fail.Text, want)
		}
	}
	for range 5 {
		r = next(t, s)
		fail = blindFailure(t, r)
	}
	if d := fail.Retry.Sub(r.At); d < 30*time.Second || d > 45*time.Second {
		t.Errorf("again after %v", d)
	}
	if r.Total.Values[collector.Amplification].State != collector.Failed {
		t.Error("not known is shown as something else")
	}
	f.metrics = map[string]map[string]string{"stormtop_requests_total": {"a": "10"}, "stormtop_attempts_total": {"a": "25"}}
	f.on(detected("stormtop"))
	if r = next(t, s); r.Blind() || !r.At.After(fail.Retry.Add(-time.Second)) {
		t.Errorf("at %v: %+v", r.At, r.Failures)
	}
}

func TestOnlyProfilesWithDataAreRead(t *testing.T) {
	f := newFake(t)
	one := profile.Profile{Name: "one", LooksFor: "one_total", Detect: "count(one_total)", By: []string{"service"}, Trust: collector.Approx,
		Signals: map[collector.Signal]string{collector.Ingress: "sum by ($by) (rate(in_total[$window]))", collector.Downstream: "sum by ($by) (rate(down_total[$window]))"}}
	two := one
	two.Name = "two"
	f.on(detected("two"))
	known := func(c *Config) { c.Known = []profile.Profile{one, two} }
	if r := next(t, f.openForDetection(t, known)); r.Origin.Profile != "two" {
		t.Errorf("%+v", r.Origin)
	}
	f.asked()
	// A server that rejects the combined query is asked piece by piece.
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "one_total") && strings.Contains(q.query, " or ") {
			return &canned{code: 422, body: `{"status":"error","errorType":"execution","error":"too many"}`}
		}
		return detected("two")(q)
	})
	if r := next(t, f.openForDetection(t, known)); r.Origin.Profile != "two" {
		t.Errorf("%+v %+v", r.Origin, r.Failures)
	}
}

func TestAProfileThatIsNamedNeedsNoDetection(t *testing.T) {
	f := newFake(t)
	p, err := profile.Find("stormtop")
	if err != nil {
		t.Fatal(err)
	}
	f.set("stormtop_attempts_total", "a", "5")
	s := f.openForDetection(t, func(c *Config) {
		c.Profiles = []profile.Profile{p}
		c.Signals = map[collector.Signal]string{collector.Ingress: "sum by ($by) (rate(in_total[$window]))"}
	})
	r := next(t, s)
	if r.Blind() || r.Origin.Profile != "stormtop" || !strings.Contains(r.Origin.Systems[0].Explain[collector.Ingress], "in_total") {
		t.Errorf("%+v", r.Origin)
	}
	for _, q := range f.asked() {
		if strings.Contains(q.query, detectLabel) {
			t.Error("it was looked for all the same")
		}
	}
}

func TestAnEmptyStartIsNotZeroTraffic(t *testing.T) {
	f := newFake(t)
	f.metrics = nil
	s := f.open(t, nil)
	fail := blindFailure(t, next(t, s))
	if fail.Kind != collector.NothingFound || !strings.Contains(fail.Text, "none of the 2 configured signals has any series here") || fail.Retry.IsZero() {
		t.Errorf("%+v", fail)
	}
	// Series that have no rate yet are another thing.
	f.on(func(q request) *canned {
		if strings.HasPrefix(q.query, "count(") {
			return &canned{body: vectorAnswer("1", [][2]string{{"", "3"}})}
		}
		return nil
	})
	r := next(t, s)
	if r.Blind() || len(r.Targets) != 0 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "no rate yet") {
		t.Errorf("%+v %q", r.Failures, r.Warnings)
	}
}

func TestAnEmptyAnswerLaterIsJustEmpty(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	next(t, s)
	f.mu.Lock()
	f.metrics = nil
	f.mu.Unlock()
	if r := next(t, s); r.Blind() || len(r.Targets) != 0 || len(r.Failures) != 0 {
		t.Errorf("%+v %v", r.Failures, names(r))
	}
}

func TestBuiltinProfilesParse(t *testing.T) {
	if err := checkPlans(Config{Known: profile.Builtin()}); err != nil {
		t.Fatal(err)
	}
}
