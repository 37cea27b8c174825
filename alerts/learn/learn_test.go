package learn_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/learn"
	"stormtop/collector"
)

func readings(t testing.TB, in alertstest.Input, text string) []*collector.Reading {
	t.Helper()
	rs, err := in.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

func whys(list []learn.Refusal) []string {
	var out []string
	for _, r := range list {
		out = append(out, r.Why)
	}
	return out
}

func learnedOf(b collector.Baselines, name string) float64 {
	return math.Round(b.Learned[alertstest.Target(name).ID]*1e6) / 1e6
}

func TestTheMedianOfACalmTimeIsLearned(t *testing.T) {
	tests := []struct {
		name, text string
		base       float64
		want       float64
		refused    []string
	}{
		{"a steady fan-out", "t ingress 100x20\nt downstream 363x20", 1, 3.63, nil},
		{"half of it noise", "t ingress 100x12\nt downstream 200x5 210 220 230x5", 1, 2.15, nil},
		{"idle, partial, failed and missing readings are left out",
			"t ingress 100x12 0x3 p1 ! _\nt downstream 200x12 0x3 200x3", 1, 2, nil},
		{"of the raw ratio, not of what a baseline made of it", "t ingress 100x12\nt downstream 400x12", 2, 4, nil},
		{"too few points", "t ingress 100x9 0x11\nt downstream 200x9 0x11", 1, 0,
			[]string{"t: only 9 of the readings in this span have traffic, at least 10 are needed; choose a longer one"}},
		{"too little traffic", "t ingress 0.1x20\nt downstream 0.2x20", 1, 0, []string{"t: there is too little traffic in this span"}},
		{"no ingress", "t downstream 200x20", 1, 0, []string{"t: ingress and attempts are not both there in this span"}},
		{"no attempts", "t ingress 200x20\nt downstream 0x20", 1, 0, []string{"t: no attempt follows its requests in this span"}},
		{"a storm in the span", "t ingress 100x40\nt downstream 120x20 300x12 120x8", 1, 0,
			[]string{"t: RetryRateHigh fires 12:05:00Z to 12:08:00Z in this span; choose a calm one"}},
		{"a storm to its end", "t ingress 100x40\nt downstream 120x30 300x10\nt retries 0x40", 1, 0,
			[]string{"t: RetryAmplificationHigh fires from 12:08:30Z to its end in this span; choose a calm one"}},
		{"retries all the time are no fan-out", "t ingress 100x40\nt downstream 300x40\nt retries 200x40", 1, 0,
			[]string{"t: RetryRateHigh fires from 12:00:00Z to its end in this span; choose a calm one"}},
		{"a storm that fills most of the span", "t ingress 100x40\nt downstream 200x10 900x30\nt retries 0x40", 1, 0,
			[]string{"t: its ratio moves from 2.00x to 9.00x in this span; choose a calm one"}},
		{"a short breach is none", "t ingress 100x40\nt downstream 120x20 300x2 120x18\nt retries 0x40", 1, 1.2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rs := readings(t, alertstest.Input{Baseline: tt.base}, tt.text)
			b, refused, err := learn.Learn(rs, alerts.Documented(), "median of 1h")
			if got := learnedOf(b, "t"); got != tt.want {
				t.Errorf("learned %v, want %v", got, tt.want)
			}
			if diff := cmp.Diff(tt.refused, whys(refused)); diff != "" {
				t.Error(diff)
			}
			if (err != nil) != (tt.want == 0) || err != nil && !strings.Contains(err.Error(), tt.refused[0]) {
				t.Errorf("error %v", err)
			}
			if tt.want > 0 && b.From != "median of 1h" {
				t.Errorf("learned from %q", b.From)
			}
		})
	}
}

// TestATargetThatIsRefusedKeepsWhatItHad, and leaves the others alone.
func TestATargetThatIsRefusedKeepsWhatItHad(t *testing.T) {
	text := "calm ingress 100x20\ncalm downstream 200x20\nstorm ingress 100x20\nstorm downstream 200x14 900x6\nstorm retries 0x20"
	rs := readings(t, alertstest.Input{}, text)
	had := collector.Baselines{
		Number: 1.5, Of: map[string]float64{"other": 7},
		Learned: map[string]float64{alertstest.Target("storm").ID: 2, alertstest.Target("gone").ID: 5},
	}
	before := maps.Clone(had.Learned)
	for _, r := range rs {
		o := *r.Origin
		o.Baselines = had
		r.Origin = &o
	}
	b, refused, err := learn.Learn(rs, alerts.Documented(), "the calm")
	if err != nil || len(refused) != 1 || refused[0].Target.Name != "storm" {
		t.Fatalf("refused %v, error %v", whys(refused), err)
	}
	for name, want := range map[string]float64{"calm": 2, "storm": 2, "gone": 5, "other": 7, "new": 1.5} {
		if got := b.For(alertstest.Target(name)); got != want {
			t.Errorf("baseline of %s is %v, want %v", name, got, want)
		}
	}
	if !maps.Equal(before, had.Learned) {
		t.Error("the baselines in use were changed")
	}
}

func TestNothingToLearnFromIsAnError(t *testing.T) {
	for _, rs := range [][]*collector.Reading{nil, readings(t, alertstest.Input{}, "reading !x3 ! !")} {
		if _, _, err := learn.Learn(rs, alerts.Documented(), "yesterday"); err == nil || !strings.Contains(err.Error(), "yesterday") {
			t.Errorf("error %v", err)
		}
	}
}

// TestFromViewLearnsWhatLearnDoes: the key b and the range give the same.
func TestFromViewLearnsWhatLearnDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var text strings.Builder
		n := rapid.IntRange(5, 40).Draw(rt, "readings")
		names := []string{"a", "b"}
		for _, name := range names {
			for _, sig := range []string{"ingress", "downstream"} {
				fmt.Fprintf(&text, "%s %s", name, sig)
				for range n {
					text.WriteString(" " + rapid.SampledFrom([]string{"100", "100", "120", "150", "0", "_", "!", "p50", "s100", "0.2"}).Draw(rt, sig))
				}
				text.WriteByte('\n')
			}
		}
		rs, err := alertstest.Input{}.Readings(text.String())
		if err != nil {
			rt.Fatal(err)
		}
		h := collector.NewHistory(time.Hour, 8)
		var targets []collector.Target
		for _, r := range rs {
			h.Add(r)
		}
		for _, name := range names {
			targets = append(targets, alertstest.Target(name))
		}
		a, ra, errA := learn.Learn(rs, alerts.Documented(), "x")
		b, rb, errB := learn.FromView(h.View(), targets, &collector.Origin{Baselines: collector.Baselines{Number: 1}}, alerts.Documented(), "x")
		if (errA == nil) != (errB == nil) || !maps.Equal(a.Learned, b.Learned) {
			rt.Fatalf("%v %v\n%v %v", a.Learned, errA, b.Learned, errB)
		}
		for _, r := range ra {
			if !slices.Contains(whys(rb), r.Why) {
				rt.Fatalf("refused %v, from the view %v", whys(ra), whys(rb))
			}
		}
		for id, m := range a.Learned {
			if !(m > 0) || math.IsInf(m, 0) {
				rt.Fatalf("the baseline of %q is %v", id, m)
			}
		}
	})
}

func TestFromViewRefusesWhatIsNotKept(t *testing.T) {
	h := collector.NewHistory(time.Hour, 1)
	for _, r := range readings(t, alertstest.Input{}, "a ingress 100x12\na downstream 300x12\nb ingress 100x12\nb downstream 100x12") {
		h.Add(r)
	}
	b, refused, err := learn.FromView(h.View(), []collector.Target{alertstest.Target("a"), alertstest.Target("b")},
		&collector.Origin{}, alerts.Documented(), "the last 3m")
	if err != nil || learnedOf(b, "a") != 3 || len(refused) != 1 || !strings.HasPrefix(refused[0].Why, "b: its past is not kept") {
		t.Errorf("learned %v, refused %v, error %v", b.Learned, whys(refused), err)
	}
}

// TestAStormIsNoBaselineOfASystemThatCountsRetries: its attempts beyond one a
// request are retries, so that a plateau is a storm that lasts.
func TestAStormIsNoBaselineOfASystemThatCountsRetries(t *testing.T) {
	for name, c := range map[string]struct {
		trust   collector.Trust
		refused bool
	}{
		"exact":     {collector.Exact, true},
		"approx":    {collector.Approx, true},
		"heuristic": {collector.Heuristic, false},
	} {
		t.Run(name, func(t *testing.T) {
			rs := readings(t, alertstest.Input{}, "edge@proxy ingress 100x20\nedge@proxy downstream 123x20\ncalm@proxy ingress 100x20\ncalm@proxy downstream 101x20")
			for _, r := range rs {
				o := *r.Origin
				o.Systems = []collector.System{{Profile: "proxy", Kind: collector.Hop, Trust: c.trust}}
				r.Origin = &o
			}
			b, refused, err := learn.Learn(rs, alerts.Documented(), "the last 5m")
			if err != nil || len(b.Learned) != 2-len(refused) || (len(refused) == 1) != c.refused {
				t.Fatalf("learned %v, refused %v, error %v", b.Learned, whys(refused), err)
			}
			if c.refused && !strings.Contains(refused[0].Why, "edge: RetryRateHigh fires") {
				t.Errorf("%v", whys(refused))
			}
		})
	}
}
