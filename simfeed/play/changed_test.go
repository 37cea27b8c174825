package play

import (
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

func TestWhatTheTimelineChangesIsTold(t *testing.T) {
	text := strings.Replace(outage, "set: {services.data.down: on}, note", `set: {services.data.down: on, services.gateway.time: 2ms}, note`, 1)
	text += "loop: on\n"
	text = strings.Replace(text, "actions:", "  - {at: 30s, set: {classes.users.rate: 60/s}}\nactions:", 1)
	for _, span := range []time.Duration{0, 30 * time.Second} {
		f := feed(t, Config{Scenario: parse(t, text), Seed: 1, Span: span})
		var source collector.Changing = f
		got := map[int][]string{}
		second := 10 // the first live reading is 10 s before the outage
		for second < 70 {
			r := take(t, f, 1)[0]
			told := source.Changed()
			if r.Past {
				if len(told) > 0 {
					t.Errorf("the past tells %q", told)
				}
				continue
			}
			second++
			if len(told) > 0 {
				got[second] = told
			}
			if second == 12 { // somebody's own change is told by who made it, also in the next lap
				if err := f.Turn("edges.gateway>data.attempts", "2"); err != nil {
					t.Fatal(err)
				}
			}
		}
		begins, ends := []string{"outage"}, []string{"the end of: outage"}
		want := map[int][]string{21: begins, 26: ends, 31: {"rate at users: 50/s → 60/s"}, 41: {"the scenario begins again: lap 2"}, 61: begins, 66: ends}
		for s := range 80 {
			if !slices.Equal(got[s], want[s]) {
				t.Errorf("with a past of %v, second %d tells %q, want %q", span, s, got[s], want[s])
			}
		}
	}
}
