package main

import (
	"bytes"
	"encoding/json"
	"testing"
)

// judgedBy are the figures of a rule on histories that a recommendation was not
// made of, as docs/formats.md has them.
type judgedBy struct {
	Found, Incidents int
	Median           *float64 `json:"median_lead_seconds"`
	FalseAlarm       float64  `json:"false_alarm_seconds"`
}

// TestARecommendationIsNoWorseOnSeedsItDidNotSee: no more misses, no more false
// alarm, and no later a median warning than the documented rules, on the
// scenarios of docs/rules.md; there with fifty seeds each.
func TestARecommendationIsNoWorseOnSeedsItDidNotSee(t *testing.T) {
	for _, name := range []string{"six-seconds", "slow-burn", "metastable-10s", "growth", "fan-out"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			args := []string{"tune", "--sim=" + name, "--seeds=1..2", "--judge-seeds=51..52", "--format=json"}
			if status := run(t.Context(), args, environ{"HOME=" + t.TempDir()}, nil, &out, &errs); status > 1 {
				t.Fatalf("status %d: %s", status, errs.String())
			}
			var got struct {
				Schema string
				Rules  []struct {
					Name        string
					Recommended *struct {
						Unseen struct{ Now, Recommended judgedBy }
					}
				}
			}
			if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Schema != "stormtop/tuning/v1" {
				t.Fatalf("%v, schema %q", err, got.Schema)
			}
			checked := 0
			for _, r := range got.Rules {
				if r.Recommended == nil {
					continue // made of two others
				}
				checked++
				now, best := r.Recommended.Unseen.Now, r.Recommended.Unseen.Recommended
				if best.Found < now.Found || best.FalseAlarm > now.FalseAlarm {
					t.Errorf("%s: found %d and %vs of false alarm, before %d and %vs", r.Name, best.Found, best.FalseAlarm, now.Found, now.FalseAlarm)
				}
				if now.Median != nil && (best.Median == nil || *best.Median > *now.Median) {
					t.Errorf("%s warns later: %v, before %v", r.Name, best.Median, *now.Median)
				}
				if quiet := name == "growth" || name == "fan-out"; quiet != (now.Incidents == 0) || quiet && best.FalseAlarm > 0 {
					t.Errorf("%s: %d incidents, %vs of false alarm", r.Name, now.Incidents, best.FalseAlarm)
				}
			}
			if checked != 3 {
				t.Errorf("%d rules were recommended numbers for, want 3", checked)
			}
		})
	}
}
