package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/collector/promtest"
)

// TestAnIncidentIsJudgedTheSameFromThePastOfAPrometheus takes a simulated storm,
// recorded, through OpenMetrics into every Prometheus that is named, and reads it
// from there.
func TestAnIncidentIsJudgedTheSameFromThePastOfAPrometheus(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "storm.rec")
	live := recordsOf(t, "--sim=demo", "--speed=1000x", "--for=5m", "--record="+file)
	if n := len(episodes(live)); n < 12 {
		t.Fatalf("%d transitions prove too little", n)
	}
	text := execute(t, "--replay="+file, "--format=openmetrics")
	if text.status != 0 || text.stderr != "" {
		t.Fatalf("--format=openmetrics: status %d, %s", text.status, text.stderr)
	}
	for _, c := range promtest.Toolchains(t) {
		t.Run(strings.Trim(filepath.ToSlash(c.Prometheus), "/"), func(t *testing.T) {
			s := load(t, c, func(w io.Writer) error {
				_, err := io.WriteString(w, text.stdout)
				return err
			})
			args := pastArgs(s, live)
			for _, step := range []time.Duration{time.Second, 2 * time.Second} {
				again := recordsOf(t, append(args, "--interval="+step.String())...)
				sameEpisodes(t, step, episodes(live), episodes(again))
				sameNumbers(t, live, again)
			}
			thePastStandsStill(t, args, live)
		})
	}
}

// pastArgs read the span of a run back, as docs/recording.md says.
func pastArgs(s *server, live []record) []string {
	first := slices.IndexFunc(live, record.isReading)
	last := len(live) - 1
	for !live[last].isReading() {
		last--
	}
	args := []string{"--prom=" + s.URL, "--by=target", "--from=" + live[first].At.Format(time.RFC3339), "--to=" + live[last].At.Format(time.RFC3339)}
	for _, signal := range []string{"ingress", "downstream", "retries", "successes", "at_limit"} {
		args = append(args, fmt.Sprintf(`--signal=%s=sum by (target) (last_over_time(stormtop_signal{signal=%q,target!=""}[900ms]))`, signal, signal))
	}
	return args
}

// recordsOf are the lines that --plain writes.
func recordsOf(t *testing.T, args ...string) []record {
	t.Helper()
	o := execute(t, append([]string{"--plain", "--format=json"}, args...)...)
	if o.status > 1 || o.stderr != "" {
		t.Fatalf("stormtop %s: status %d, %s", strings.Join(args, " "), o.status, o.stderr)
	}
	var out []record
	for line := range strings.Lines(o.stdout) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		out = append(out, r)
	}
	return out
}

// episodes are the transitions of rules among records, those of one rule and
// target together, by time.
func episodes(all []record) []record {
	out := slices.DeleteFunc(slices.Clone(all), func(r record) bool { return r.isReading() || r.Rule == "" })
	slices.SortStableFunc(out, func(a, b record) int { return strings.Compare(a.Rule+a.Target, b.Rule+b.Target) })
	return out
}

// sameEpisodes compares transitions. One that lasts no longer than a step may be
// missed, or be joined with its neighbour, where the step is wider than the
// recording's.
func sameEpisodes(t *testing.T, step time.Duration, live, again []record) {
	t.Helper()
	if step > time.Second {
		of := func(r record) bool { return !r.aboutTheStorm() }
		live, again = slices.DeleteFunc(slices.Clone(live), of), slices.DeleteFunc(slices.Clone(again), of)
	}
	if len(live) != len(again) || len(live) < 3 {
		t.Fatalf("at a step of %s: %d transitions, want %d", step, len(again), len(live))
	}
	for i, want := range live {
		got := again[i]
		if got.Rule != want.Rule || got.Target != want.Target || got.Kind != want.Kind || got.At.Sub(want.At).Abs() > step {
			t.Errorf("at a step of %s: %s %s on %s at %s, want %s %s on %s at %s", step,
				got.Rule, got.Kind, got.Target, got.At, want.Rule, want.Kind, want.Target, want.At)
		}
	}
}

// sameNumbers compares the storm at every instant that both know.
func sameNumbers(t *testing.T, live, again []record) {
	t.Helper()
	at, compared := map[time.Time]record{}, 0
	for _, r := range live {
		if r.isReading() {
			at[r.At] = r
		}
	}
	for _, got := range again {
		want, ok := at[got.At]
		if !got.isReading() || !ok {
			continue
		}
		for _, signal := range []string{"ingress", "downstream", "amplification", "retry_rate", "delivered"} {
			if a, b := got.storm(signal), want.storm(signal); a != b && a == a {
				t.Fatalf("%s at %s is %v, want %v", signal, got.At, a, b)
			}
		}
		compared++
	}
	if compared < 140 {
		t.Errorf("only %d readings could be compared", compared)
	}
}

// thePastStandsStill opens the past on a screen: it is at its end at once, and
// the time cursor goes through it.
func thePastStandsStill(t *testing.T, args []string, live []record) {
	t.Helper()
	c := onConsole(t, 120, 40, false, nil, append(args, "--interval=1s")...)
	c.wait("the end of the past", func(s string) bool { return strings.Contains(s, "ENDED") && strings.Contains(s, stormTarget) })
	var last record
	for _, r := range live {
		if r.isReading() {
			last = r
		}
	}
	c.keys("\x1b[D")
	c.wait("the reading before the last one", func(s string) bool {
		return strings.Contains(s, "AT "+last.At.Add(-time.Second).Format("15:04:05Z")+", at its end ")
	})
	c.keys("6")
	c.wait("the events", func(s string) bool {
		return strings.Contains(s, "EVENTS") && strings.Contains(s, stormTarget) && strings.Contains(s, "● firing")
	})
	c.keys("q")
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	c.requireSane()
}
