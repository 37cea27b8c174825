package play

import (
	"context"
	"math"
	"testing"

	"stormtop/collector"
	"stormtop/simfeed/scenario"
)

func TestOtherPoliciesMeetTheSameStorm(t *testing.T) {
	for name, want := range map[string][]string{
		"six-seconds":          {"S1", "S2", "S3", "S4", "S5", "S6"},
		"metastable-9s":        peerPolicies,
		"backoff-waves":        peerPolicies,
		"hung-threads":         nil, // nothing retries
		"six-seconds:S4":       {"S1", "S2", "S3", "S4", "S5", "S6"},
		"timeouts-upside-down": {"cancel", "fit"},
	} {
		s, err := scenario.Named(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := feed(t, Config{Scenario: s, Seed: 1})
		take(t, f, 1)
		if err := f.Compete(t.Context()); err != nil {
			t.Fatal(err)
		}
		take(t, f, 1)
		if want != nil {
			want = append([]string{unchanged}, want...)
		}
		var names []string
		for _, c := range f.Rig().Peers {
			names = append(names, c.Name)
			if len(c.Points) != coursePoints || !(c.Peak > 0) || math.IsNaN(c.Points[1]) {
				t.Errorf("%s under %s: %+v", name, c.Name, c)
			}
		}
		if len(names) != len(want) {
			t.Errorf("%s meets %q, want %q", name, names, want)
			continue
		}
		for i := range names {
			if names[i] != want[i] {
				t.Errorf("%s meets %q, want %q", name, names, want)
			}
		}
		if name == "six-seconds" || name == "six-seconds:S4" {
			peers := f.Rig().Peers[1:]
			if peers[1].Peak < 3 || peers[2].Peak < 3 || peers[3].Peak > 1.5 || peers[5].Peak > 1.5 {
				t.Errorf("peaks %v %v %v %v", peers[1].Peak, peers[2].Peak, peers[3].Peak, peers[5].Peak)
			}
		}
	}
}

func TestAComparisonEndsWithItsContext(t *testing.T) {
	s, err := scenario.Named("six-seconds", nil)
	if err != nil {
		t.Fatal(err)
	}
	f := feed(t, Config{Scenario: s, Seed: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Compete(ctx); err != nil {
		t.Error(err)
	}
	take(t, f, 1)
	if n := len(f.Rig().Peers); n > 0 {
		t.Errorf("%d courses", n)
	}
}

func TestTheFirstCourseIsThatOfTheRunItself(t *testing.T) {
	s, err := scenario.Named("six-seconds:S4", nil)
	if err != nil {
		t.Fatal(err)
	}
	f := feed(t, Config{Scenario: s, Seed: 1})
	take(t, f, 1)
	if err := f.Turn("edges.*.attempts", "1"); err != nil {
		t.Fatal(err)
	}
	if err := f.Compete(t.Context()); err != nil {
		t.Fatal(err)
	}
	take(t, f, 1)
	f.Restart(5)
	take(t, f, 1)
	if rig := f.Rig(); rig.Seed != 5 || rig.PeerSeed != 1 {
		t.Errorf("after a restart with seed 5 the courses are of seed %d, the run of %d", rig.PeerSeed, rig.Seed)
	}
	peers := f.Rig().Peers
	if peers[0].Name != "as it is" || peers[4].Name != "S4" {
		t.Fatalf("%s and %s", peers[0].Name, peers[4].Name)
	}
	for i, p := range peers[0].Points {
		if q := peers[4].Points[i]; p != q && !(math.IsNaN(p) && math.IsNaN(q)) {
			t.Errorf("point %d is %v without any change, and %v", i, p, q)
		}
	}
}

// TestACourseTellsNothingFromInfinite: nobody comes for two thirds of a run, and
// meanwhile retries of those before go on.
func TestACourseTellsNothingFromInfinite(t *testing.T) {
	read := func(rate string) scenario.Scenario {
		s, err := scenario.Parse("quiet", []byte(`name: quiet
length: 60s
classes:
  users: {path: web > db, even: on, rate: "`+rate+`"}
services:
  web: {time: 1ms}
  db: {time: 1h}
edges:
  web>db: {attempts: 4, timeout: 5s}
`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	course := func(rate string) collector.Course {
		f := feed(t, Config{Scenario: read(rate), Seed: 1})
		take(t, f, 1)
		if err := f.Compete(t.Context()); err != nil {
			t.Fatal(err)
		}
		take(t, f, 1)
		return f.Rig().Peers[0]
	}
	c := course("0/s, 20s 10/s, 39980ms 0/s")
	for i, want := range map[int]float64{10: math.NaN(), 22: 1, 30: 3, 38: 4, 45: math.Inf(1), 58: math.NaN()} {
		// An attempt is sent a millisecond after its request, so one of ten may be
		// in the next second.
		got := c.Points[i]
		if math.IsNaN(got) != math.IsNaN(want) || got != want && math.Abs(got-want) > 0.15 {
			t.Errorf("point %d is %v, want %v", i, got, want)
		}
	}
	if !math.IsInf(c.Peak, 1) {
		t.Errorf("the peak is %v, want an infinite one", c.Peak)
	}
	if c := course("0/s"); !math.IsNaN(c.Peak) {
		t.Errorf("the peak of nothing is %v", c.Peak)
	}
}
