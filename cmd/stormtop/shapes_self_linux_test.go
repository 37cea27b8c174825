package main

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/collector/profile"
)

func TestEveryProvenProfileHasAShape(t *testing.T) {
	shown := map[string]bool{"stormtop": true, "grpc_otel_utf8": true} // the end-to-end runs have the real ones
	for _, name := range shapeNames(t) {
		for _, one := range readShape(t, name).truths {
			shown[one.profile] = true
		}
	}
	for _, p := range profile.Builtin() {
		if !p.Unproven && !shown[p.Name] {
			t.Errorf("profile %s is called proven, and no shape in testdata/shapes finds it", p.Name)
		}
	}
}

func TestAShapeNamesProfilesThatExist(t *testing.T) {
	for _, name := range shapeNames(t) {
		s := readShape(t, name)
		for _, words := range slices.Concat(s.never, s.finds, s.offers) {
			p, _, _ := strings.Cut(words, " ")
			if _, err := profile.Find(p); err != nil {
				t.Errorf("shape %s: %v", name, err)
			}
		}
	}
}

func TestASeriesIsAStraightLineOfSamplesAroundNow(t *testing.T) {
	r := newShapeReader("tiny")
	err := r.parse("tiny", `
with job="a b"
each replica x y
counter requests_total{rt="GET |"} rate=2 start=10
  from=-30s until=-15s
with
each
gauge waiting value=0.5 from=0s until=0s
`)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := writeOpenMetrics(&out, r.series, time.Unix(100_000_007, 0)); err != nil {
		t.Fatal(err)
	}
	want := `requests_total{rt="GET |",job="a b",replica="x"} 3550 99999975
requests_total{rt="GET |",job="a b",replica="x"} 3580 99999990
requests_total{rt="GET |",job="a b",replica="y"} 3550 99999975
requests_total{rt="GET |",job="a b",replica="y"} 3580 99999990
waiting{} 0.5 100000005
# EOF
`
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestAMistakeInAShapeNamesItsLine(t *testing.T) {
	for line, want := range map[string]string{
		`series x rate=1`:               `there is no "series"`,
		`counter x_total`:               `want metric{labels} and options`,
		`counter x_total value=1`:       `a counter has no "value"`,
		`gauge x value=a`:               `parsing "a"`,
		`target alone ingress=1`:        `belongs to a profile`,
		`total ingress=a lot`:           `signal=number`,
		`total ingress=1/idle`:          `never idle`,
		`total ingress`:                 `signal=number`,
		`finds p`:                       `want profile, kind and trust`,
		`use nothing`:                   `nothing.shape`,
		`counter x_total rate=1 from=5`: `missing unit`,
	} {
		err := newShapeReader("wrong").parse("wrong.shape", "# a comment\nwith\n\n"+line+"\n")
		if err == nil || !strings.Contains(err.Error(), "wrong.shape:4: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in line 4", line, err, want)
		}
	}
}

// TestADifferenceIsSeen spoils a reading that is right, one thing at a time.
func TestADifferenceIsSeen(t *testing.T) {
	r := newShapeReader("small")
	err := r.parse("small", `
finds p hop exact
offers o
never q
warns replica
leads a
fires High a
target a ingress=100 amplification=2~1% delivered=idle
target b ingress=0
total ingress=100
`)
	if err != nil {
		t.Fatal(err)
	}
	number := func(v float64) measured { return measured{&v, "ok"} }
	right := func() *shapeReading {
		return &shapeReading{
			Systems: []shapeSystem{{"p", "hop", "exact"}},
			Offered: []string{"o"},
			Total:   map[string]measured{"ingress": number(100), "downstream": number(7)},
			Targets: []shapeTarget{
				{"a", "p", map[string]measured{
					"ingress": number(100.09), "amplification": number(1.981), "delivered": {State: "idle"}, "at_limit": {State: "missing"},
				}},
				{"b", "p", map[string]measured{"ingress": number(0)}},
			},
			Rules:    []ruleState{{Name: "High", Target: "a", State: "firing"}, {Name: "High", Target: "b", State: "inactive"}},
			Warnings: []string{"a label replica"},
			status:   1,
		}
	}
	if got := r.differences(*right()); len(got) > 0 {
		t.Errorf("right, but %q", got)
	}
	spoilt := map[string]func(*shapeReading){
		"a number":           func(r *shapeReading) { r.Targets[0].Signals["ingress"] = number(100.11) },
		"a rough number":     func(r *shapeReading) { r.Targets[0].Signals["amplification"] = number(2.021) },
		"a zero":             func(r *shapeReading) { r.Targets[1].Signals["ingress"] = number(1e-6) },
		"a state":            func(r *shapeReading) { r.Targets[0].Signals["delivered"] = measured{State: "missing"} },
		"a number too many":  func(r *shapeReading) { r.Targets[0].Signals["at_limit"] = number(0) },
		"a signal too few":   func(r *shapeReading) { delete(r.Targets[0].Signals, "delivered") },
		"a stale number":     func(r *shapeReading) { v := 100.0; r.Total["ingress"] = measured{&v, "stale"} },
		"the total":          func(r *shapeReading) { r.Total["ingress"] = number(90) },
		"a target too few":   func(r *shapeReading) { r.Targets = r.Targets[:1] },
		"a target too many":  func(r *shapeReading) { r.Targets = append(r.Targets, shapeTarget{Name: "c", Profile: "p"}) },
		"a target's profile": func(r *shapeReading) { r.Targets[0].Profile = "q" },
		"the order":          func(r *shapeReading) { slices.Reverse(r.Targets) },
		"a system too many":  func(r *shapeReading) { r.Systems = append(r.Systems, shapeSystem{"q", "hop", "exact"}) },
		"a system's trust":   func(r *shapeReading) { r.Systems[0].Trust = "approx" },
		"an offer too few":   func(r *shapeReading) { r.Offered = nil },
		"no system":          func(r *shapeReading) { r.Systems = nil },
		"a rule too many":    func(r *shapeReading) { r.Rules[1].State = "firing" },
		"a rule too few":     func(r *shapeReading) { r.Rules[0].State = "pending" },
		"the exit status":    func(r *shapeReading) { r.status = 0 },
		"a failure":          func(r *shapeReading) { r.Failures = append(r.Failures, struct{ Kind, Text string }{"rejected", ""}) },
		"a warning too few":  func(r *shapeReading) { r.Warnings = nil },
		"a warning too many": func(r *shapeReading) { r.Warnings = append(r.Warnings, "other") },
	}
	for _, what := range slices.Sorted(maps.Keys(spoilt)) {
		reading := right()
		spoilt[what](reading)
		if len(r.differences(*reading)) == 0 {
			t.Errorf("%s is wrong, and nobody sees it", what)
		}
	}
}
