package measure

import (
	"slices"
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// proxy measures requests, attempts and retries; absent retries are none.
func proxy() System {
	y := NewSystem(&profile.Profile{Name: "proxy", Trust: collector.Approx, ZeroFill: []collector.Signal{collector.Retries}}, []string{"service"}, 0)
	for _, s := range []collector.Signal{collector.Ingress, collector.Downstream, collector.Retries} {
		y.Add(s, false)
	}
	return y
}

// row is a target with requests, attempts and retries a second; below 0: absent.
func row(y *System, name string, numbers ...float64) collector.Row {
	out := collector.Row{Target: y.Target([]collector.Label{{Name: "__name__", Value: "x"}, {Name: "service", Value: name}})}
	for i, v := range numbers {
		if v >= 0 {
			s := y.Signals[i]
			out.Values[s] = y.Num(s, v)
		}
	}
	return out
}

func unmarked(string) Marks { return Marks{} }

func TestNumbersGetTheStateOfTheirSide(t *testing.T) {
	y := proxy()
	in, down := AtSides(true, false), AtSides(false, true)
	for name, c := range map[string]struct {
		marks         Marks
		ingress, down collector.State
	}{
		"nothing known":       {Marks{}, collector.Ok, collector.Ok},
		"old attempts":        {Marks{Stale: down}, collector.Ok, collector.Stale},
		"half of the ingress": {Marks{Partial: in}, collector.Partial, collector.Ok},
		"parts before age":    {Marks{Partial: down, Stale: down}, collector.Ok, collector.Partial},
		"failed before all":   {Marks{Failed: in, Partial: in, Stale: in}, collector.Failed, collector.Ok},
	} {
		rows := []collector.Row{row(&y, "a", 10, 10, -1)}
		y.Finish(rows, collector.Baselines{}, func(string) Marks { return c.marks })
		if v := rows[0].Values; v[collector.Ingress].State != c.ingress || v[collector.Downstream].State != c.down {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestABaselineIsThereOnlyWhereOneIsKnown(t *testing.T) {
	y := proxy()
	rows := []collector.Row{row(&y, "a", 10, 20, 10), row(&y, "b", 10, 20, 10)}
	y.Finish(rows, collector.Baselines{Of: map[string]float64{"b": 2}}, unmarked)
	if rows[0].Baseline != 0 || rows[1].Baseline != 2 || rows[0].Values[collector.Amplification].V != 2 || rows[1].Values[collector.Amplification].V != 1 {
		t.Errorf("%+v", rows)
	}
}

func TestWhatIsNamedIsExactAndWhatIsDerivedFollows(t *testing.T) {
	y := NewSystem(&profile.Profile{Name: "guess", Trust: collector.Heuristic}, nil, 0)
	y.Add(collector.Ingress, false)
	y.Add(collector.Retries, false)
	y.Add(collector.PoolWait, true)
	y.Adds()
	if y.Trust[collector.Ingress] != collector.Heuristic || y.Trust[collector.Retries] != collector.Approx ||
		y.Trust[collector.PoolWait] != collector.Exact || y.Kind != collector.Hop || !y.Has(collector.Downstream) || y.Has(collector.Arrived) {
		t.Errorf("%+v", y)
	}
}

func TestTheEdgePairIsTheTotalWhereBothSidesAreThere(t *testing.T) {
	y := proxy()
	e := NewEdge(&profile.Profile{Name: "proxy"}, profile.Edge{Trust: collector.Approx})
	rows := []collector.Row{row(&y, "b", 10, 10, -1), row(&y, "a", 10, 20, 10)}
	y.Finish(rows, collector.Baselines{}, unmarked)
	for name, c := range map[string]struct {
		numbers  []float64
		total    float64
		targets  int
		edgeless bool
	}{
		"both":        {[]float64{5, 30}, 6, 3, false},
		"no ingress":  {[]float64{-1, 30}, 1.5, 2, true},
		"no attempts": {[]float64{5, -1}, 1.5, 2, true},
	} {
		edge := []collector.Row{row(&e, "", c.numbers...)}
		part, _ := e.Finish(edge, collector.Baselines{}, unmarked)
		r := &collector.Reading{}
		edgeless := Assemble(r, []Part{
			{System: &y, Rows: slices.Clone(rows)}, part,
		})
		if edgeless != c.edgeless || r.Total.Values[collector.Amplification].V != c.total || len(r.Targets) != c.targets {
			t.Errorf("%s: %v, %+v", name, edgeless, r)
		}
		if r.Targets[0].Target.Name != "a" {
			t.Errorf("%s: not in the order of names", name)
		}
	}
}

func TestWhatFailedFailsInTheTotalOfNoRows(t *testing.T) {
	y := proxy()
	y.Add(collector.RescuedShare, true)
	marks := Marks{}
	marks.Failed[collector.Ingress], marks.Failed[collector.RescuedShare] = true, true
	r := &collector.Reading{}
	part, _ := y.Finish(nil, collector.Baselines{}, func(string) Marks { return marks })
	Assemble(r, []Part{part})
	v := r.Total.Values
	if v[collector.Ingress].State != collector.Failed || v[collector.RescuedShare].State != collector.Failed ||
		v[collector.Amplification].State != collector.Failed || v[collector.Downstream].State != collector.Missing || r.Total.Target.System != "proxy" {
		t.Errorf("%+v", r.Total)
	}
}

func TestADerivedSignalThatIsNamedHasNoSum(t *testing.T) {
	y := NewSystem(nil, []string{"service"}, 0)
	y.Add(collector.Amplification, true)
	rows := []collector.Row{row(&y, "a", 2)}
	part, _ := y.Finish(rows, collector.Baselines{}, unmarked)
	r := &collector.Reading{}
	Assemble(r, []Part{part})
	if r.Total.Values[collector.Amplification].State != collector.Missing || r.Targets[0].Values[collector.Amplification].V != 2 {
		t.Errorf("%+v", r)
	}
}

func TestTwoSeriesForOneTargetNameTheirDifference(t *testing.T) {
	a := []collector.Label{{Name: "pod", Value: "1"}, {Name: "service", Value: "pay"}}
	b := []collector.Label{{Name: "pod", Value: "2"}, {Name: "service", Value: "pay"}, {Name: "z\x1b", Value: ""}}
	if got := Twice(collector.Target{Name: "pay"}, a, b); !strings.HasPrefix(got, "two series for the same target pay, differing in label pod: aggregate") {
		t.Errorf("%s", got)
	}
	if got := Difference(a, a); got != "nothing" {
		t.Errorf("%s", got)
	}
}

func TestEverySignalIsExplained(t *testing.T) {
	y := proxy()
	query := func(s collector.Signal) string {
		if s == collector.Ingress {
			return "sum(x)"
		}
		return ""
	}
	sys := y.Describe(query, 2)
	for s, want := range map[collector.Signal]string{
		collector.Ingress: "sum(x)", collector.Amplification: "downstream / ingress / 2", collector.RetryRate: "retries / downstream",
		collector.Delivered: "successes / ingress", collector.PoolWait: "not exported by proxy",
	} {
		if sys.Explain[s] != want {
			t.Errorf("%s: %q, want %q", s, sys.Explain[s], want)
		}
	}
	named := NewSystem(nil, nil, 0)
	if got := named.Describe(query, 1); got.Explain[collector.PoolWait] != "no query: name one with --signal pool_wait=PROMQL" || got.Trust != collector.Exact {
		t.Errorf("%+v", got)
	}
}
