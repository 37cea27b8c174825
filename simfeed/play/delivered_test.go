package play

import (
	"math"
	"strings"
	"testing"

	"stormtop/collector"
)

// TestDeliveredIsOneNumberEverywhere compares Lab and Chain with what the other
// screens show, second by second: also while nothing that was asked has ended,
// which is none delivered and not idle, and while a backlog is answered.
func TestDeliveredIsOneNumberEverywhere(t *testing.T) {
	text := strings.Replace(outage, "services:\n", "  browse: {path: sdk > gateway, rate: 20/s, even: on}\nservices:\n", 1)
	text = strings.Replace(text, "set: {services.data.down: on}", "set: {services.data.time: 3s}", 1)
	text = strings.Replace(text, "attempts: 2, timeout: 1s", "attempts: 1, timeout: 4s", 1)
	f := feed(t, Config{Scenario: parse(t, text), Seed: 1})
	targets := map[string]string{"users": "data", "browse": "browse gateway"}
	asked, got := map[string][]float64{}, map[string][]float64{}
	none, backlog := 0, 0
	for range 40 {
		r := take(t, f, 1)[0]
		rig := f.Rig()
		for class, target := range targets {
			in, out := number(t, r, target, collector.Ingress), number(t, r, target, collector.Successes)
			asked[class], got[class] = append(asked[class], in), append(got[class], out)
			for _, c := range rig.Classes {
				if want := sum(got[class]) / sum(asked[class]); c.Name == class && math.Abs(c.Delivered-want) > 1e-9 {
					t.Errorf("at %v the Chain says %v of %s are delivered, want %v", r.At, c.Delivered, class, want)
				}
			}
			if rig.Effect == nil {
				continue
			}
			found := false
			for _, fig := range rig.Effect.Figures {
				if fig.Name != "delivered" || fig.Of != class {
					continue
				}
				found = true
				if now, ok := fig.Now.Number(); !ok || math.Abs(now-out/in) > 1e-9 {
					t.Errorf("at %v the Lab says %v of %s are delivered, want %v", r.At, fig.Now, class, out/in)
				}
			}
			if !found {
				t.Errorf("at %v the Lab says nothing of %s: %+v", r.At, class, rig.Effect.Figures)
			}
			if out == 0 {
				none++
			}
			if out > in {
				backlog++
			}
		}
	}
	if none < 2 || backlog < 1 {
		t.Errorf("%d seconds without an answer and %d of a backlog: the scenario tests nothing", none, backlog)
	}
}

// sum is that of the newest seconds that a picture is the mean of.
func sum(seconds []float64) float64 {
	out := 0.0
	for _, n := range seconds[max(0, len(seconds)-averaged):] {
		out += n
	}
	return out
}
