package play

import (
	"strings"
	"testing"

	"stormtop/simfeed/chain"
	"stormtop/simfeed/scenario"
)

// atEnd plays a scenario to its end and says what became of it; before a second
// it does what is to be done then.
func atEnd(t *testing.T, f *Feed, do map[int]func() error) string {
	t.Helper()
	for s := 1; s <= int(f.scenario.Length.Seconds()); s++ {
		if rig := f.Rig(); rig != nil && rig.Outcome != "" {
			t.Fatalf("second %d of a run that goes on says %q", s, rig.Outcome)
		}
		if what := do[s]; what != nil {
			if err := what(); err != nil {
				t.Fatal(err)
			}
		}
		take(t, f, 1)
	}
	rig := f.Rig()
	if !rig.Over {
		t.Fatalf("not over at %v", rig.At)
	}
	return rig.Outcome
}

func TestTheEndOfARunSaysWhatSimulateSays(t *testing.T) {
	for _, name := range []string{"six-seconds", "metastable-9s", "metastable-10s", "hung-threads", "backoff-waves", "timeouts-upside-down"} {
		s, err := scenario.Named(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := chain.Run(t.Context(), s.Scenario, 1, chain.RunOptions{NoControl: true})
		if err != nil {
			t.Fatal(err)
		}
		f := feed(t, Config{Scenario: s, Seed: 1})
		want := Outcome(&r)
		if got := atEnd(t, f, nil); got != want {
			t.Errorf("%s ends with %q, want %q", name, got, want)
		}
		f.Restart(1)
		if got := atEnd(t, f, nil); got != want {
			t.Errorf("%s ends a second time with %q, want %q", name, got, want)
		}
	}
}

func TestTheOutcomeKnowsWhatWasSteered(t *testing.T) {
	named := func(name string) *Feed {
		s, err := scenario.Named(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		return feed(t, Config{Scenario: s, Seed: 1})
	}
	f := named("metastable-10s")
	turn := func(value string) func() error {
		return func() error { return f.Turn("edges.sdk>primary.attempts", value) }
	}
	if got := atEnd(t, f, map[int]func() error{60: turn("1"), 150: turn("5")}); !strings.HasPrefix(got, "recovered ") {
		t.Errorf("retries off for 90 s: %q", got)
	}
	f = named("metastable-10s")
	if got := atEnd(t, f, map[int]func() error{175: turn("4")}); !strings.HasPrefix(got, "metastable") {
		t.Errorf("an attempt less, long after it was metastable: %q", got)
	}
	f = named("growth")
	f.scenario.Loop = false
	down := func(value string) func() error {
		return func() error { return f.Turn("services.orders.down", value) }
	}
	if got := atEnd(t, f, map[int]func() error{60: down("on"), 90: down("off")}); got != "" {
		t.Errorf("an outage by hand in a scenario without a trigger: %q", got)
	}
}
