package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/collector/promtest"
)

// tuned is what the tests look at of stormtop/tuning/v1.
type tuned struct {
	Schema    string
	From, To  time.Time
	Evidence  string
	Incidents []struct {
		From, To time.Time
		Text     string
	}
	Rules []tunedRule
	Notes []string
}

type tunedRule struct {
	Name, Expression, From string
	Judged                 bool
	Threshold              float64
	Firings, Found         int
	FiringSeconds          float64  `json:"firing_seconds"`
	Lead                   *float64 `json:"lead_seconds"`
	False                  float64  `json:"false_alarm_seconds"`
	Episodes               []struct{ Pending, Firing, Ended time.Time }
	Recommended            *struct {
		Threshold float64
		Lead      *float64 `json:"lead_seconds"`
	}
}

func (u tuned) rule(t *testing.T, name string) tunedRule {
	t.Helper()
	i := slices.IndexFunc(u.Rules, func(r tunedRule) bool { return r.Name == name })
	if i < 0 {
		t.Fatalf("no rule %s among %+v", name, u.Rules)
	}
	return u.Rules[i]
}

func tunes(t *testing.T, args ...string) tuned {
	t.Helper()
	o := execute(t, append([]string{"tune", "--format=json"}, args...)...)
	var out tuned
	if err := json.Unmarshal([]byte(o.stdout), &out); err != nil || o.status > 1 || out.Schema != "stormtop/tuning/v1" {
		t.Fatalf("stormtop tune %s: status %d, %v, %s", strings.Join(args, " "), o.status, err, o.stderr)
	}
	return out
}

// ownRules are people's own, over what a recording became: one that can be tuned
// and is the documented rule without a floor, and one of which only for can.
const ownRules = `groups:
- name: ours
  rules:
  - alert: OursHigh
    expr: sum by (target) (last_over_time(stormtop_signal{signal="downstream",target!=""}[900ms])) / sum by (target) (last_over_time(stormtop_signal{signal="ingress",target!=""}[900ms])) > 1.5
    for: 1m
    labels: {severity: critical}
  - alert: OursFixed
    expr: sum by (target) (last_over_time(stormtop_signal{signal="downstream",target!=""}[900ms])) > 300 and on (target) stormtop_signal{signal="ingress"} > 0
`

// TestTuningAPastIsTheSameFromEverywhere: a storm is judged alike from its
// recording and from every Prometheus that holds it; people's own rules run
// there unchanged, and an alert of the server is the truth.
func TestTuningAPastIsTheSameFromEverywhere(t *testing.T) {
	dir := t.TempDir()
	file, own := filepath.Join(dir, "storm.rec"), filepath.Join(dir, "own.yml")
	live := recordsOf(t, "--sim=demo", "--speed=1000x", "--for=5m", "--record="+file)
	text := execute(t, "--replay="+file, "--format=openmetrics").stdout
	if err := os.WriteFile(own, []byte(ownRules), 0o600); err != nil {
		t.Fatal(err)
	}
	fromFile := tunes(t, "--replay="+file, "--rate=1s")
	high := fromFile.rule(t, "RetryAmplificationHigh")
	if high.Firings == 0 {
		t.Fatal("nothing fired: this proves nothing")
	}
	// The last storm: what is backfilled has no staleness markers, and would go on
	// for five minutes.
	last := high.Episodes[len(high.Episodes)-1]
	down := "# TYPE ALERTS gauge\n" + siteDown(last.Pending.Add(-10*time.Second), last.Ended)
	for _, c := range promtest.Toolchains(t) {
		t.Run(strings.Trim(filepath.ToSlash(c.Prometheus), "/"), func(t *testing.T) {
			s := load(t, c, func(w io.Writer) error {
				_, err := io.WriteString(w, strings.Replace(text, "# EOF", down+"# EOF", 1))
				return err
			})
			s.Kill()
			s.Configure("rule_files: [" + own + "]\n")
			s.Again()
			s.Ready()
			args := append(pastArgs(s, live), "--from="+fromFile.From.Format(time.RFC3339), "--to="+fromFile.To.Format(time.RFC3339))
			args = append(args, "--interval=1s", "--rules="+own, "--server-rules", "--incident-alert=SiteDown")
			got := tunes(t, args...)
			if diff := cmp.Diff(high.Episodes, got.rule(t, "RetryAmplificationHigh").Episodes); diff != "" {
				t.Errorf("the documented rule (-recording +server):\n%s", diff)
			}
			// It may still go on at the end: see above.
			evidence := strings.Replace(got.Evidence, ", which goes on", "", 1)
			if n := len(got.Incidents); n != 1 || got.Incidents[0].Text != "ALERTS SiteDown" || evidence != "1 incident: weak evidence" {
				t.Fatalf("incidents %+v, evidence %q", got.Incidents, got.Evidence)
			}
			if off := got.Incidents[0].From.Sub(last.Pending); off < -15*time.Second || off > 0 {
				t.Errorf("incident %+v, the rule was pending from %s on", got.Incidents[0], last.Pending)
			}
			ours := got.rule(t, "OursHigh")
			if diff := cmp.Diff(high.Episodes, ours.Episodes); diff != "" || !ours.Judged || ours.From != own+":4" {
				t.Errorf("our own rule from %s (-documented +own):\n%s", ours.From, diff)
			}
			if ours.Recommended == nil || ours.Recommended.Lead == nil || ours.Lead == nil || ours.Found != 1 {
				t.Errorf("recommended %+v", ours.Recommended)
			}
			fixed := got.rule(t, "OursFixed")
			if fixed.Firings == 0 || fixed.Recommended == nil || fixed.Recommended.Threshold != fixed.Threshold {
				t.Errorf("%+v", fixed)
			}
			if i := slices.IndexFunc(got.Rules, func(r tunedRule) bool { return r.From == "server" }); i < 0 || got.Rules[i].Name != "OursHigh" {
				t.Errorf("the server's own rules are not there: %+v", got.Rules)
			}
		})
	}
}

// siteDown is an alert that fired, as a server would have it in its past.
func siteDown(from, to time.Time) string {
	var b strings.Builder
	for at := from; !at.After(to); at = at.Add(time.Second) {
		fmt.Fprintf(&b, "ALERTS{alertname=\"SiteDown\",alertstate=\"firing\"} 1 %d\n", at.Unix())
	}
	return b.String()
}
