package alertstest

import (
	"fmt"
	"strings"
	"testing"

	"stormtop/collector"
)

func TestSeriesReadsEveryKindOfSample(t *testing.T) {
	got, err := Series(collector.Amplification, "1.2x2 _ ! inf nan s2 p2.5 0")
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, v := range got {
		words = append(words, fmt.Sprintf("%s:%g", v.State, v.V))
	}
	want := "ok:1.2 ok:1.2 missing:0 failed:0 infinite:0 idle:0 stale:2 partial:2.5 ok:0"
	if s := strings.Join(words, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

func TestSeriesNamesTheTokenThatIsWrong(t *testing.T) {
	for _, text := range []string{"1 2 q", "1x", "1x0", "1x-3", "p", "1e999", "snan"} {
		if _, err := Series(collector.Ingress, text); err == nil {
			t.Errorf("%q was accepted", text)
		} else if !strings.Contains(err.Error(), strings.Fields(text)[len(strings.Fields(text))-1]) {
			t.Errorf("%q: %v does not name the token", text, err)
		}
	}
}

func TestReadingsLeaveOutTargetsWithoutSamples(t *testing.T) {
	rs, err := Input{}.Readings("b ingress 1 _ 3\na ingress 4x3\na downstream 8x2 !\nreading . ! .")
	if err != nil {
		t.Fatal(err)
	}
	if len(rs) != 3 || len(rs[0].Targets) != 2 || rs[0].Targets[0].Target.Name != "a" {
		t.Fatalf("%d readings, first %+v", len(rs), rs[0].Targets)
	}
	if v := rs[0].Targets[0].Values[collector.Amplification]; v.V != 2 {
		t.Errorf("amplification of a is %v", v)
	}
	if v := rs[0].Total.Values[collector.Ingress]; v.V != 5 {
		t.Errorf("total ingress is %v", v)
	}
	if !rs[1].Blind() || len(rs[1].Targets) != 0 {
		t.Errorf("the second reading should have failed: %+v", rs[1])
	}
	if f := rs[2].Failures; len(f) != 1 || f[0].Signal != collector.Downstream {
		t.Errorf("failures of the third reading: %+v", f)
	}
}

func FuzzSeries(f *testing.F) {
	f.Add("1.2x4 2.0x10 _ ! inf nan p2 s3")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 || strings.Count(text, "x") > 2 {
			return // keeps the expansion small
		}
		values, err := Series(collector.Ingress, text)
		if err == nil && len(values) < len(strings.Fields(text)) {
			t.Errorf("%q gave %d values", text, len(values))
		}
	})
}

func TestReadingsOfSeveralSystems(t *testing.T) {
	rs, err := Input{}.Readings("pay@lib ingress 1 !\npay@proxy ingress 2x2\nedge:pay@proxy ingress 3x2\nreporters@lib ingress 4/4 1/4")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range rs[0].Origin.Systems {
		names = append(names, s.Profile+" "+s.Kind.String())
	}
	if got := strings.Join(names, ", "); got != "lib HOP, proxy HOP, proxy EDGE" && got != "lib HOP, proxy EDGE, proxy HOP" || rs[0].Origin.Profile != "lib+proxy" {
		t.Errorf("systems %s, profile %q", got, rs[0].Origin.Profile)
	}
	if len(rs[0].Targets) != 3 || rs[0].Targets[0].Target.ID == rs[0].Targets[1].Target.ID {
		t.Errorf("targets %+v", rs[0].Targets)
	}
	if f := rs[1].Failures; len(f) != 1 || f[0].System != "lib" || f[0].Signal != collector.Ingress {
		t.Errorf("failures %+v", f)
	}
	if r := rs[1].Reporters; len(r) != 1 || !r[0].Short() || r[0].System != "lib" || r[0].Side != collector.Ingress {
		t.Errorf("reporters %+v", r)
	}
}

func TestASideThatIsShortOfReportersIsPartial(t *testing.T) {
	rs, err := Input{}.Readings("a@x ingress 5x2 inf\na@y ingress 5x3\nreporters@x ingress 4/4 1/4x2")
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	for _, r := range rs {
		for _, row := range r.Targets {
			states = append(states, row.Target.System+" "+row.Values[collector.Ingress].State.String())
		}
	}
	if got := strings.Join(states, ", "); got != "x ok, y ok, x partial, y ok, x infinite, y ok" {
		t.Errorf("states: %s", got)
	}
}

func TestReportersThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"reporters ingress 4", "reporters ingress 4/x", "reporters nothing 4/4", "reporters ingress 4/4x0", "reporters ingress -1/4"} {
		if _, err := (Input{}).Readings(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
