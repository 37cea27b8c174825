package scrape

import (
	"slices"
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// named is a profile whose metrics begin with its name.
func named(name string, trust collector.Trust, change func(*profile.Profile)) profile.Profile {
	p := profile.Profile{
		Name: name, Title: name, LooksFor: name + "_attempts_total", Detect: "count(" + name + `_attempts_total{service!=""})`,
		By: []string{"service"}, Kind: collector.Hop, Trust: trust, CannotSee: "x", Units: map[collector.Signal]collector.Unit{},
		Signals: map[collector.Signal]string{
			collector.Ingress:    "sum by ($by) (rate(" + name + "_requests_total[$window]))",
			collector.Downstream: "sum by ($by) (rate(" + name + "_attempts_total[$window]))",
		},
	}
	if change != nil {
		change(&p)
	}
	return p
}

func known(list ...profile.Profile) func(*Config) {
	return func(c *Config) { c.Known = list }
}

// pairs exposes requests and attempts of some systems, in the ratio given.
func pairs(n float64, ratios map[string]float64, more ...string) []string {
	out := more
	for name, ratio := range ratios {
		for _, line := range storm(n, map[string]float64{"orders": ratio}) {
			out = append(out, strings.ReplaceAll(line, "shop_", name+"_"))
		}
	}
	return out
}

func TestAProxyThatIsCalmDoesNotHideALibraryThatStorms(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), known(named("proxy", collector.Exact, nil), named("library", collector.Approx, nil), named("guess", collector.Heuristic, nil)), e)
	var r *collector.Reading
	for i := range 5 {
		e.text(pairs(float64(i), map[string]float64{"proxy": 1, "library": 3, "guess": 9})...)
		r = next(t, s)
	}
	if r.Origin.Profile != "proxy+library" || !slices.Equal(r.Origin.Offered, []string{"guess"}) || len(r.Targets) != 2 {
		t.Fatalf("%+v", r.Origin)
	}
	got := map[string]float64{}
	ids := map[string]bool{}
	for _, row := range r.Targets {
		got[row.Target.System] = row.Values[collector.Amplification].V
		ids[row.Target.ID] = true
	}
	if got["proxy"] != 1 || got["library"] != 3 || len(ids) != 2 {
		t.Errorf("%v %v", got, ids)
	}
	if total := r.Total.Values[collector.Amplification]; total.V != 1 {
		t.Errorf("the total is that of the first system: %+v", total)
	}
	if y := r.Origin.System("library"); y.Trust != collector.Approx || y.Explain[collector.Ingress] != "sum by (service) (rate(library_requests_total[4s]))" {
		t.Errorf("%+v", y)
	}
}

func TestAGuessIsJudgedByOnlyWhereThereIsNothingElse(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), known(named("proxy", collector.Exact, nil), named("guess", collector.Heuristic, nil)), e)
	e.text(pairs(1, map[string]float64{"guess": 2})...)
	if r := next(t, s); r.Origin.Profile != "guess" {
		t.Fatalf("%+v", r.Origin)
	}
	var r *collector.Reading
	begins := 0
	for i := range 15 { // systems that appear later are looked for every 10 s
		e.text(pairs(float64(i), map[string]float64{"guess": 2, "proxy": 1})...)
		if r = next(t, s); r.Begins {
			begins++
		}
	}
	if r.Origin.Profile != "proxy" || begins != 1 {
		t.Errorf("%+v, begins %d times", r.Origin, begins)
	}
}

func TestAWishChoosesTheSystemsAndBegins(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), known(named("proxy", collector.Exact, nil), named("guess", collector.Heuristic, nil)), e)
	for i := range 3 {
		e.text(pairs(float64(i), map[string]float64{"guess": 2, "proxy": 1})...)
		next(t, s)
	}
	s.Steer(collector.Wish{Systems: []string{"guess"}})
	r := next(t, s)
	if !r.Begins || r.Origin.Profile != "guess" || !slices.Equal(r.Origin.Offered, []string{"proxy"}) {
		t.Errorf("%+v %+v", r.Begins, r.Origin)
	}
	if r = next(t, s); r.Begins {
		t.Error("it begins only once")
	}
	s.Steer(collector.Wish{Systems: []string{"nobody"}})
	if r = next(t, s); r.Failures[0].Kind != collector.NothingFound {
		t.Errorf("%+v", r.Failures)
	}
}

func TestTargetsAreGroupedAsWished(t *testing.T) {
	a, b := expose(t), expose(t)
	p := named("shop", collector.Exact, func(p *profile.Profile) { p.Callers = []string{"caller"} })
	s := open(t, newClock(), known(p), a, b)
	lines := func(n int) []string {
		var out []string
		for _, caller := range []string{"web", "app"} {
			for _, line := range storm(float64(n), map[string]float64{"orders": 2}) {
				out = append(out, strings.Replace(line, "{", `{caller="`+caller+`",`, 1))
			}
		}
		return out
	}
	read := func(n int) *collector.Reading {
		a.text(lines(n)...)
		b.text(lines(n)...)
		return next(t, s)
	}
	if r := read(0); len(r.Origin.Groupings) != 3 {
		t.Errorf("groupings %v", r.Origin.Groupings)
	}
	n := 1
	for grouping, want := range map[collector.Grouping]int{collector.ByService: 1, collector.ByCaller: 2, collector.ByInstance: 2} {
		s.Steer(collector.Wish{Grouping: grouping})
		for range 3 {
			read(n)
			n++
		}
		r := read(n)
		n++
		if len(r.Targets) != want || r.Origin.Grouping != grouping || r.Targets[0].Values[collector.Amplification].V != 2 {
			t.Errorf("by %s: %+v", grouping, r.Targets)
		}
	}
}

func TestSeveralClustersJoinTheGrouping(t *testing.T) {
	a, b := expose(t), expose(t)
	s := open(t, newClock(), known(shop), a, b)
	read := func(n float64, clusters ...string) *collector.Reading {
		for i, e := range []*exposed{a, b} {
			var out []string
			for _, line := range storm(n, map[string]float64{"orders": float64(1 + i)}) {
				out = append(out, strings.Replace(line, "{", `{cluster="`+clusters[i]+`",`, 1))
			}
			e.text(out...)
		}
		return next(t, s)
	}
	r := read(1, "eu", "eu")
	if len(r.Targets) != 0 || !slices.Contains(r.Origin.Groupings, collector.ByCluster) {
		t.Errorf("%+v", r.Origin)
	}
	if r = read(2, "eu", "eu"); len(r.Targets) != 1 {
		t.Errorf("one cluster is no part of a name: %+v", r.Targets)
	}
	if r = read(3, "eu", "us"); !r.Begins {
		t.Error("the targets change")
	}
	r = read(4, "eu", "us")
	if got := value(t, r, "us/orders", collector.Amplification); got.V != 2 {
		t.Errorf("%+v", got)
	}
}

func TestDownstreamIsComputedWhereAProfileSaysSo(t *testing.T) {
	e := expose(t)
	p := named("shop", collector.Exact, func(p *profile.Profile) {
		p.Sum = true
		p.Signals = map[collector.Signal]string{
			collector.Ingress: "sum by ($by) (rate(shop_attempts_total[$window]))",
			collector.Retries: "sum by ($by) (rate(shop_retries_total[$window]))",
		}
		p.ZeroFill = []collector.Signal{collector.Retries}
	})
	s := open(t, newClock(), known(p), e)
	var r *collector.Reading
	for i := range 3 {
		e.text(append(storm(float64(10+i), map[string]float64{"a": 1, "b": 1}), `shop_retries_total{service="b"} `+strings.Repeat("1", 1+i))...)
		r = next(t, s)
	}
	if got := value(t, r, "a", collector.Amplification); got.V != 1 {
		t.Errorf("without retries: %+v", got)
	}
	in, down, retries := value(t, r, "b", collector.Ingress), value(t, r, "b", collector.Downstream), value(t, r, "b", collector.Retries)
	if down.State != collector.Ok || !near(down.V, in.V+retries.V) || retries.V == 0 {
		t.Errorf("%+v = %+v + %+v", down, in, retries)
	}
	if got := r.Origin.System("shop").Explain[collector.Downstream]; !strings.HasPrefix(got, "ingress + retries: ") {
		t.Errorf("explained as %q", got)
	}
	e.code(500)
	if r = next(t, s); value(t, r, "b", collector.Downstream).State != collector.Failed {
		t.Errorf("%+v", r.Targets)
	}
}

func TestWhatNeedsAPrometheusIsRefusedByName(t *testing.T) {
	p := named("clever", collector.Exact, func(p *profile.Profile) {
		p.Signals[collector.PoolWait] = "histogram_quantile(0.9, sum by (le) (rate(x_bucket[$window])))"
	})
	_, _, err := Open(Config{URLs: []string{"x:1"}, Clock: newClock(), Profile: &p})
	if err == nil || err.Error() != "profile clever, signal pool_wait: histogram_quantile(...) needs a Prometheus" {
		t.Errorf("%v", err)
	}
	_, _, err = Open(Config{URLs: []string{"x:1"}, Clock: newClock(), Signals: map[collector.Signal]string{collector.Ingress: "topk(1, a)"}})
	if err == nil || err.Error() != "--signal ingress: topk(...) needs a Prometheus" {
		t.Errorf("%v", err)
	}
	e := expose(t)
	s := open(t, newClock(), known(p), e)
	e.text(pairs(1, map[string]float64{"clever": 2})...)
	r := next(t, s)
	if got := r.Origin.System("clever").Explain[collector.PoolWait]; got != "histogram_quantile(...) needs a Prometheus" {
		t.Errorf("found by itself, it is left out and said: %q", got)
	}
	signals, reasons := Supports(p)
	if !slices.Equal(signals, []collector.Signal{collector.Ingress, collector.Downstream}) || len(reasons) != 1 || reasons[collector.PoolWait] == "" {
		t.Errorf("%v %v", signals, reasons)
	}
}

// TestEveryBuiltinProfileIsReadAsFarAsItCanBe makes sure that no template of the
// program is malformed here, and shows what needs a Prometheus.
func TestEveryBuiltinProfileIsReadAsFarAsItCanBe(t *testing.T) {
	if _, _, err := Open(Config{URLs: []string{"x:1"}, Clock: newClock()}); err != nil {
		t.Fatal(err)
	}
	for _, p := range profile.Builtin() {
		_, reasons := Supports(p)
		for sig, why := range reasons {
			if !strings.HasSuffix(why, "needs a Prometheus") {
				t.Errorf("%s: %s", sig, why)
			}
			t.Logf("%s", why)
		}
	}
}
