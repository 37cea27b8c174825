package collector

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// rowsOf makes rows that hold nothing but one signal each.
func rowsOf(s Signal, values ...Value) []Row {
	rows := make([]Row, len(values))
	for i, v := range values {
		rows[i].Values[s] = v
	}
	return rows
}

func TestATotalAddsUpAndTakesTheRatiosFromTheSums(t *testing.T) {
	row := func(name string, in, down, wait float64) Row {
		r := Row{Target: NewTarget(Hop, Label{"service", name})}
		r.Values[Ingress] = Num(in, PerSecond, Exact)
		r.Values[Downstream] = Num(down, PerSecond, Approx)
		r.Values[PoolWait] = Num(wait, Seconds, Exact)
		r.Baseline = 2
		r.Values.Derive(2)
		return r
	}
	total := Total([]Row{row("a", 100, 300, 0.2), row("b", 300, 300, 0.1)})
	want := map[Signal]Value{
		Ingress: Num(400, PerSecond, Exact), Downstream: Num(600, PerSecond, Approx), PoolWait: Num(0.2, Seconds, Exact),
		Amplification: Num(0.75, Ratio, Approx), QueueDepth: {}, Successes: {},
	}
	for s, v := range want {
		if got := total.Values[s]; got != v {
			t.Errorf("%s: %+v, want %+v", s, got, v)
		}
	}
	if tg := total.Target; tg.ID != TotalID || tg.Name != "total" || tg.Kind != Hop {
		t.Errorf("target %+v", tg)
	}
	mixed := Total([]Row{{Target: Target{ID: "a", Kind: Hop}}, {Target: Target{ID: "b", Kind: Edge}}})
	if mixed.Target.Kind != NoRatioKind {
		t.Errorf("a sum of hops and edges is %v", mixed.Target.Kind)
	}
}

func TestATotalIsAsSureAsItsParts(t *testing.T) {
	num := func(v float64, s State) Value { return Value{V: v, State: s, Unit: PerSecond, Trust: Exact} }
	none := func(s State) Value { return Value{State: s, Unit: PerSecond, Trust: Exact} }
	for name, c := range map[string]struct {
		parts []Value
		want  Value
	}{
		"no rows":              {nil, Value{}},
		"nobody has it":        {[]Value{{}, {}}, Value{}},
		"one has it":           {[]Value{{}, num(3, Ok), {}}, num(3, Ok)},
		"a partial part":       {[]Value{num(3, Ok), num(4, Partial)}, num(7, Partial)},
		"a stale part":         {[]Value{num(3, Stale), num(4, Ok)}, num(7, Stale)},
		"stale and partial":    {[]Value{num(3, Stale), num(4, Partial), num(1, Ok)}, num(8, Partial)},
		"idle adds nothing":    {[]Value{none(Idle), num(4, Ok), none(Idle)}, num(4, Ok)},
		"idle beside partial":  {[]Value{none(Idle), num(4, Partial)}, num(4, Partial)},
		"all idle":             {[]Value{none(Idle), none(Idle)}, none(Idle)},
		"an infinite part":     {[]Value{num(4, Ok), none(Infinite)}, none(Infinite)},
		"a failed part":        {[]Value{num(4, Ok), none(Failed), num(1, Ok)}, none(Failed)},
		"failed and infinite":  {[]Value{none(Infinite), none(Failed)}, none(Failed)},
		"failed, rest missing": {[]Value{{}, none(Failed)}, none(Failed)},
	} {
		if got := Total(rowsOf(Downstream, c.parts...)).Values[Downstream]; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	if got := Total(rowsOf(Ingress, none(Failed))).Values[Amplification].State; got != Failed {
		t.Errorf("the ratio of a failed sum is %v", got)
	}
	worst := Total(rowsOf(PoolWait, num(3, Ok), none(Idle), num(7, Stale), num(5, Ok))).Values[PoolWait]
	if worst != num(7, Stale) {
		t.Errorf("pool wait %+v", worst)
	}
}

// TestTheOrderOfTheTargetsMakesNoTotal: whatever the rows hold.
func TestTheOrderOfTheTargetsMakesNoTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Value {
			v := Value{State: State(rapid.IntRange(0, int(Failed)).Draw(t, "state")), Unit: PerSecond, Trust: Exact}
			if v.State == Missing {
				return Value{}
			}
			if v.State.HasNumber() {
				v.V = float64(rapid.IntRange(0, 1000).Draw(t, "v"))
			}
			return v
		}), 0, 6).Draw(t, "values")
		s := rapid.SampledFrom(Inputs()).Draw(t, "signal")
		turned := rapid.Permutation(values).Draw(t, "turned")
		a, b := Total(rowsOf(s, values...)).Values[s], Total(rowsOf(s, turned...)).Values[s]
		if a != b || math.IsNaN(a.V) || !a.State.HasNumber() && a.V != 0 {
			t.Fatalf("%+v, other way round %+v", a, b)
		}
	})
}
