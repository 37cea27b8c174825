package recording

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"stormtop/collector"
)

// Generators of everything that a recording holds. Names that are shown are
// clean, as their contract says; IDs and labels hold any bytes.

var (
	anyText   = rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b/c", "a\xff\x1b", "\x00\x01", "π\u202e", `"\`}), rapid.String())
	cleanText = rapid.Map(anyText, collector.Clean)
	anyTime   = rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64Range(-1e9, 4e9).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC()
	})
	maybeTime = rapid.OneOf(rapid.Just(time.Time{}), anyTime)
	anyWait   = rapid.Map(rapid.Int64(), func(n int64) time.Duration { return time.Duration(n) })
	anyUnit   = rapid.Map(rapid.Uint8Range(0, uint8(collector.Count)), func(n uint8) collector.Unit { return collector.Unit(n) })
	anyTrust  = rapid.Map(rapid.Uint8Range(0, uint8(collector.Heuristic)), func(n uint8) collector.Trust { return collector.Trust(n) })
	anySignal = rapid.Map(rapid.Uint8Range(0, uint8(collector.NumSignals)-1), func(n uint8) collector.Signal { return collector.Signal(n) })
	anyKind   = rapid.Map(rapid.Uint8Range(0, uint8(collector.Edge)), func(n uint8) collector.RatioKind { return collector.RatioKind(n) })
	anyGroup  = rapid.Map(rapid.Uint8Range(0, uint8(collector.ByInstance)), func(n uint8) collector.Grouping { return collector.Grouping(n) })
	aNumber   = rapid.Float64()
	aCount    = rapid.IntRange(0, math.MaxInt32)
	anyLabel  = rapid.Custom(func(t *rapid.T) collector.Label {
		return collector.Label{Name: anyText.Draw(t, "label"), Value: anyText.Draw(t, "value")}
	})
)

var anyValue = rapid.Custom(func(t *rapid.T) collector.Value {
	v := collector.Value{
		State: collector.State(rapid.Uint8Range(0, uint8(collector.Failed)).Draw(t, "state")),
		Unit:  anyUnit.Draw(t, "unit"), Trust: anyTrust.Draw(t, "trust"),
	}
	if v.State.HasNumber() {
		v.V = aNumber.Draw(t, "v")
	}
	return v
})

var anyTarget = rapid.Custom(func(t *rapid.T) collector.Target {
	out := collector.NewTarget(anyKind.Draw(t, "kind"), rapid.SliceOfN(anyLabel, 0, 3).Draw(t, "labels")...)
	if rapid.Bool().Draw(t, "in a system") {
		out = out.In(cleanText.Draw(t, "system"))
	}
	if rapid.Bool().Draw(t, "odd") {
		out.ID, out.Name = anyText.Draw(t, "id"), cleanText.Draw(t, "name")
	}
	return out
})

var anyRow = rapid.Custom(func(t *rapid.T) collector.Row {
	row := collector.Row{Target: anyTarget.Draw(t, "target"), Baseline: rapid.SampledFrom([]float64{0, 1, 2.48, 1e-9, 3e300}).Draw(t, "baseline")}
	for s := collector.Ingress; s < collector.NumSignals; s++ {
		if rapid.Bool().Draw(t, "has it") && (!s.Derived() || rapid.Bool().Draw(t, "given")) {
			row.Values[s] = anyValue.Draw(t, s.String())
		}
	}
	if rapid.Bool().Draw(t, "derived") {
		row.Values.Derive(rapid.SampledFrom([]float64{row.Baseline, 1}).Draw(t, "by"))
	}
	return row
})

var anyCost = rapid.Custom(func(t *rapid.T) collector.Cost {
	return collector.Cost{Queries: aCount.Draw(t, "queries"), Bytes: rapid.Int64().Draw(t, "bytes"), Took: anyWait.Draw(t, "took")}
})

var anyReading = rapid.Custom(func(t *rapid.T) *collector.Reading {
	r := &collector.Reading{
		At: anyTime.Draw(t, "at"), Newest: maybeTime.Draw(t, "newest"),
		Begins: rapid.Bool().Draw(t, "begins"), Past: rapid.Bool().Draw(t, "past"), Overload: collector.Overload(rapid.Uint8Range(0, uint8(collector.Overloaded)).Draw(t, "overload")),
		Missed: aCount.Draw(t, "missed"), Cost: anyCost.Draw(t, "cost"),
		Targets: rapid.SliceOfN(anyRow, 0, 4).Draw(t, "rows"), Warnings: rapid.SliceOfN(cleanText, 0, 2).Draw(t, "warnings"),
		Failures: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) collector.Failure {
			return collector.Failure{
				Signal: anySignal.Draw(t, "signal"), System: cleanText.Draw(t, "system"), Text: cleanText.Draw(t, "text"), Retry: maybeTime.Draw(t, "retry"),
				Kind: collector.FailureKind(rapid.Uint8Range(0, uint8(collector.NothingFound)).Draw(t, "kind")),
			}
		}), 0, 2).Draw(t, "failures"),
		Reporters: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) collector.Reporters {
			return collector.Reporters{
				System: cleanText.Draw(t, "system"), Target: anyText.Draw(t, "target"), Side: anySignal.Draw(t, "side"),
				Now: aCount.Draw(t, "now"), Usual: aCount.Draw(t, "usual"),
			}
		}), 0, 2).Draw(t, "reporters"),
		Asked: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) collector.Asked {
			return collector.Asked{
				System: cleanText.Draw(t, "system"), Signal: anySignal.Draw(t, "signal"), Series: aCount.Draw(t, "series"), Cost: anyCost.Draw(t, "cost"),
			}
		}), 0, 2).Draw(t, "asked"),
	}
	if rapid.Bool().Draw(t, "total") {
		r.Total = anyRow.Draw(t, "of all")
	}
	return r
})

var anyOrigin = rapid.Custom(func(t *rapid.T) *collector.Origin {
	numbers := rapid.MapOfN(anyText, rapid.Float64Range(0.1, 100), 0, 2)
	return &collector.Origin{
		Source: cleanText.Draw(t, "source"), Profile: cleanText.Draw(t, "profile"), Simulated: rapid.Bool().Draw(t, "simulated"), Replay: rapid.Bool().Draw(t, "replay"),
		Speed: rapid.Float64Range(0, 1000).Draw(t, "speed"), Interval: anyWait.Draw(t, "interval"), RateRange: anyWait.Draw(t, "rate"),
		Scrape: anyWait.Draw(t, "scrape"), Drift: anyWait.Draw(t, "drift"), Offered: rapid.SliceOfN(cleanText, 0, 2).Draw(t, "offered"),
		Baselines: collector.Baselines{
			Number: rapid.Float64Range(0, 9).Draw(t, "number"), Of: numbers.Draw(t, "of"), Learned: numbers.Draw(t, "learned"), From: cleanText.Draw(t, "from"),
		},
		Systems: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) collector.System {
			s := collector.System{
				Profile: cleanText.Draw(t, "profile"), Title: cleanText.Draw(t, "title"), Kind: anyKind.Draw(t, "kind"), Trust: anyTrust.Draw(t, "trust"),
				Unproven: rapid.Bool().Draw(t, "unproven"), By: rapid.SampledFrom([][]string{nil, {}, {"a", "b\xff"}}).Draw(t, "by"),
				CannotSee: cleanText.Draw(t, "blind"), Notes: cleanText.Draw(t, "notes"),
			}
			s.Asked[collector.Ingress] = rapid.Bool().Draw(t, "asked")
			s.Explain[collector.Ingress] = "sum(rate(x[5s]))\n> 1"
			s.Explain[collector.Delivered] = cleanText.Draw(t, "explain")
			return s
		}), 0, 2).Draw(t, "systems"),
		Grouping: anyGroup.Draw(t, "grouping"), Groupings: rapid.SliceOfN(anyGroup, 0, 3).Draw(t, "groupings"), Note: cleanText.Draw(t, "note"),
	}
})

var anyRule = rapid.Custom(func(t *rapid.T) collector.RuleSpec {
	r := collector.RuleSpec{
		Name: cleanText.Draw(t, "name"), Signal: anySignal.Draw(t, "signal"), Compare: collector.Comparison(rapid.Uint8Range(0, 3).Draw(t, "compare")),
		Threshold: aNumber.Draw(t, "threshold"), For: anyWait.Draw(t, "for"), KeepFiring: anyWait.Draw(t, "keep"),
		Scope: collector.Scope(rapid.Uint8Range(0, 2).Draw(t, "scope")), MinTraffic: aNumber.Draw(t, "floor"),
		Severity: collector.Severity(rapid.Uint8Range(0, 3).Draw(t, "severity")), Off: rapid.Bool().Draw(t, "off"),
	}
	if rapid.Bool().Draw(t, "selects") {
		r.Select = map[string]*regexp.Regexp{"service": regexp.MustCompile("^(?:pay.*)$")}
	}
	if rapid.Bool().Draw(t, "both") {
		r.Both = [2]string{cleanText.Draw(t, "one"), cleanText.Draw(t, "two")}
	}
	return r
})

var anyEvent = rapid.Custom(func(t *rapid.T) collector.Event {
	return collector.Event{
		At: anyTime.Draw(t, "at"), Kind: collector.EventKind(rapid.Uint8Range(0, uint8(collector.EventChange)).Draw(t, "kind")),
		Rule: cleanText.Draw(t, "rule"), Target: anyText.Draw(t, "target"), Name: cleanText.Draw(t, "name"),
		Value: anyValue.Draw(t, "value"), Text: cleanText.Draw(t, "text"),
	}
})

// service is a target as sources make them.
func service(name string) collector.Target {
	return collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: name})
}

// row is a row with some inputs and what follows from them.
func row(name string, ingress, downstream float64) collector.Row {
	out := collector.Row{Target: service(name), Baseline: 1}
	out.Values[collector.Ingress] = collector.Num(ingress, collector.PerSecond, collector.Exact)
	out.Values[collector.Downstream] = collector.Num(downstream, collector.PerSecond, collector.Exact)
	out.Values.Derive(1)
	return out
}

var noon = time.Date(2031, 5, 6, 12, 0, 0, 0, time.UTC)

// reading is one at a second after noon.
func reading(second float64, rows ...collector.Row) *collector.Reading {
	slices.SortFunc(rows, func(a, b collector.Row) int {
		return cmp.Or(strings.Compare(a.Target.Name, b.Target.Name), strings.Compare(a.Target.ID, b.Target.ID))
	})
	at := noon.Add(time.Duration(second * float64(time.Second)))
	return &collector.Reading{At: at, Newest: at, Origin: testOrigin, Total: collector.Total(rows), Targets: rows}
}

var testOrigin = &collector.Origin{Source: "test", Profile: "envoy", Interval: time.Second, RateRange: 4 * time.Second}
