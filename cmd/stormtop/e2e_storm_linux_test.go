package main

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// closedLoop follows a storm from the calm before it to the calm after it.
func closedLoop(t *testing.T, sim *follower, prom *server) {
	live := []string{"--prom=" + prom.URL, "--interval=1s"}
	watcher := followPlain(t, live...)
	screen := onConsole(t, 120, 40, false, nil, live...)

	plateau := plateauOf(t, sim)
	pending, _ := watcher.event(0, "pending")
	theStormIsMeasured(t, sim, watcher, screen, plateau, pending, live)

	firing, index := watcher.event(0, "firing")
	theStormFires(t, screen, live)
	aFreshStartKnowsTheIncident(t, watcher, firing, live)
	theFiringIsInTime(t, prom, watcher.seen(), pending, firing)

	watcher.wait(index, "calm after the storm", record.calm)
	theStormIsOver(t, watcher, screen, live)
}

// theStormIsMeasured compares everything that can be read at the plateau with
// the simulation's own numbers.
func theStormIsMeasured(t *testing.T, sim, watcher *follower, screen *console, plateau stretchOfTime, pending record, live []string) {
	t.Helper()
	const rate = 4 * time.Second
	watcher.after(plateau.from.Add(2 * rate)) // what the screen shows may be a reading older
	theScreenAgrees(t, screen, live)
	var taken []record
	for now := watcher.after(plateau.from.Add(rate)); len(taken) < 10 && plateau.covers(now, rate); now = watcher.after(now.At.Add(time.Second)) {
		r, status := once(t, live...)
		st := r.stormState()
		if status != 1 || r.Profile != "stormtop" || r.RateRange != rate.String() || st.State != "pending" {
			t.Fatalf("--once at the plateau: status %d, profile %q, rate range %s, %+v", status, r.Profile, r.RateRange, st)
		}
		together(t, "pending since, in a fresh start", *st.Since, pending.At, watcher.seen())
		if plateau.covers(r, rate) {
			taken = append(taken, r)
		}
	}
	sim.after(plateau.to)
	own := course(sim.seen())
	own.agree(t, "--once", taken)
	watcher.after(plateau.to)
	var watched []record
	for _, r := range watcher.seen() {
		if plateau.covers(r, rate) {
			watched = append(watched, r)
		}
	}
	own.agree(t, "--plain", watched)
}

// theScreenAgrees compares the screen with what --once reads right before and
// right after.
func theScreenAgrees(t *testing.T, screen *console, live []string) {
	t.Helper()
	before, _ := once(t, live...)
	text := screen.wait("picture", func(string) bool { return true })
	after, _ := once(t, live...)
	if !strings.Contains(text, " LIVE ") || strings.Contains(text, "SIMULATED") {
		t.Errorf("the screen does not say LIVE:\n%s", text)
	}
	for signal, pattern := range map[string]string{
		"amplification": stormTarget + ` .* ([0-9.,]+)x `,
		"ingress":       `(?m)INGRESS +([0-9.,]+)/s`,
		"downstream":    `(?m)ATTEMPTS +([0-9.,]+)/s`,
	} {
		between(t, signal+" on the screen", numberOn(t, text, pattern), before.storm(signal), after.storm(signal))
	}
}

// numberOn is the last number on a screen that a pattern finds.
func numberOn(t *testing.T, text, pattern string) float64 {
	t.Helper()
	all := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		t.Errorf("no %s on the screen:\n%s", pattern, text)
		return math.NaN()
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(all[len(all)-1][1], ",", ""), 64)
	if err != nil {
		t.Error(err)
	}
	return n
}

var firingLine = regexp.MustCompile(`● FIRING .*demo/payments [0-9.]+x > 1\.5`)

func theStormFires(t *testing.T, screen *console, live []string) {
	t.Helper()
	screen.wait("firing headline", firingLine.MatchString) // its numbers fall already: the outage lasts no longer than the rule's for
	o := execute(t, append([]string{"--once"}, live...)...)
	if o.status != 1 || !firingLine.MatchString(o.stdout) || o.stderr != "" {
		t.Errorf("--once while it fires: status %d, %q\n%s", o.status, o.stderr, o.stdout)
	}
}

// aFreshStartKnowsTheIncident starts anew in the middle of the incident.
func aFreshStartKnowsTheIncident(t *testing.T, watcher *follower, firing record, live []string) {
	t.Helper()
	r, status := once(t, live...)
	st := r.stormState()
	if status != 1 || st.State != "firing" || st.Held || st.Since == nil {
		t.Fatalf("a fresh start in the incident: status %d, %+v", status, st)
	}
	together(t, "firing since, in a fresh start", *st.Since, firing.At, watcher.seen())
	screen := onConsole(t, 120, 40, false, nil, live...)
	if first := screen.waitFor(stormTarget); !firingLine.MatchString(first) || !strings.Contains(first, "◔◔●") {
		t.Errorf("no firing band on the first picture:\n%s", first)
	}
	screen.keys("q")
	screen.end()
}

// theFiringIsInTime checks the transitions against the readings that caused
// them, and against what the Prometheus made of the same rule.
func theFiringIsInTime(t *testing.T, prom *server, seen []record, pending, firing record) {
	t.Helper()
	var above, ripe time.Time
	for _, r := range seen {
		switch {
		case !r.isReading():
		case above.IsZero() && r.storm("amplification") > 1.5:
			above = r.At
		case ripe.IsZero() && !above.IsZero() && r.At.Sub(above) >= time.Minute:
			ripe = r.At
		}
	}
	if !pending.At.Equal(above) {
		t.Errorf("pending at %s, the first reading above the threshold is of %s", pending.At, above)
	}
	if !firing.At.Equal(ripe) {
		t.Errorf("firing at %s, the first reading a minute after %s is of %s", firing.At, above, ripe)
	}
	at := prom.until(`min(min_over_time(timestamp(ALERTS{alertname="` + stormRule + `", service="` + stormTarget + `", alertstate="firing"})[2m:1s]))`)
	together(t, "firing, beside the Prometheus's own alert", firing.At, time.UnixMilli(int64(at*1000)), seen)
}

// together fails unless two watchers saw something within one interval: a
// second, or what the slower one made of it under load, and the second in
// which their instants may differ.
func together(t *testing.T, what string, got, want time.Time, seen []record) {
	t.Helper()
	var interval time.Duration
	var before time.Time
	for _, r := range seen {
		if r.isReading() {
			if !before.IsZero() {
				interval = max(interval, r.At.Sub(before))
			}
			before = r.At
		}
	}
	if d := got.Sub(want).Abs(); d > interval+time.Second {
		t.Errorf("%s: %s, want %s within %s", what, got, want, interval+time.Second)
	}
}

func theStormIsOver(t *testing.T, watcher *follower, screen *console, live []string) {
	t.Helper()
	r, status := once(t, live...)
	if status != 0 || !r.calm() || r.Judged.Rules != 3 || r.Judged.Of != 3 {
		t.Errorf("--once after the storm: status %d, judged %+v, rules %+v", status, r.Judged, r.Rules)
	}
	screen.wait("calm on the screen", func(s string) bool {
		return strings.Contains(s, " ok  clear ") && strings.Contains(s, stormTarget+" fired ")
	})
	if status := watcher.stop(); status != 0 {
		t.Errorf("--plain ended with %d", status)
	}
	screen.keys("q")
	if status := screen.end(); status != 0 {
		t.Errorf("the screen ended with %d", status)
	}
	screen.requireSane()
}
