package main

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// killedAndRestarted takes the Prometheus away in the middle of an incident and
// brings it back, first without anything to scrape, as a server is that starts.
func killedAndRestarted(t *testing.T, sim *follower, prom *server, scraped string) {
	gate := front(t, prom, nil)
	early := []string{"--interval=1s", "--amplification-for=5s"}
	prom.until("min(count_over_time(stormtop_requests_total[1m])) >= bool 3")
	watcher := followPlain(t, append(early, "--prom="+gate.url)...)
	screen := onConsole(t, 120, 40, false, nil, append(early, "--prom="+prom.URL)...)

	firing, index := watcher.event(0, "firing")
	screen.wait("firing headline", firingLine.MatchString)
	steady := watcher.after(firing.At.Add(6 * time.Second))
	aPoll := gate.count(stretchOfTime{firing.At, steady.At})/polls(watcher.seen(), firing.At, steady.At) + 1

	prom.Kill()
	killed := time.Now()
	theVerdictIsKept(t, watcher, screen, index)
	if o := execute(t, "--once", "--prom="+prom.URL); o.status != 3 || !strings.Contains(o.stdout, "connection refused") {
		t.Errorf("--once without a server: status %d\n%s%s", o.status, o.stdout, o.stderr)
	}
	down := stretchOfTime{killed, time.Now()}
	requests := gate.count(down)
	t.Logf("%d requests a poll; %d in the %s without a server", aPoll, requests, down.to.Sub(down.from).Round(time.Second))
	// The poll that meets the failure, and a try each 1, 2, 4, 8 s or a little less.
	if down.to.Sub(down.from) < 16*time.Second || requests > aPoll+8 {
		t.Errorf("%d requests in %s without a server, %d of them the first poll", requests, down.to.Sub(down.from), aPoll)
	}

	prom.Configure(scraping(t))
	prom.Again()
	held := nothingIsResolvedByEmptiness(t, watcher, index)
	prom.Configure(scraping(t, scraped))
	prom.Reload()
	pollingGoesOn(t, watcher, gate, held, aPoll)
	screen.wait("live picture again", func(s string) bool {
		return !strings.Contains(s, "blind") && !strings.Contains(s, "held") && firingLine.MatchString(s)
	})
	nothingWasResolved(t, sim, watcher.seen()[index:])
}

var blindLine = regexp.MustCompile(`× blind since \d\d:\d\d:\d\dZ \((\d+)s\)`)
var ageOfData = regexp.MustCompile(`(?:data|polled) (\d+)s `)

// theVerdictIsKept watches the first 16 s without a server, in which a try is
// due after 1, 3, 7 and 15 s.
func theVerdictIsKept(t *testing.T, watcher *follower, screen *console, from int) {
	t.Helper()
	dark, _ := watcher.wait(from, "reading without a server", record.blind)
	if st := dark.stormState(); st.State != "firing" || !st.Held || st.Evaluated != "firing" || st.Reason != "query failed" {
		t.Errorf("without a server: %+v", st)
	}
	if f := dark.Failures[0]; f.Kind != "server_error" || !strings.Contains(f.Text, "502") {
		t.Errorf("failure %+v", f)
	}
	first := screen.wait("blind screen", blindLine.MatchString)
	age := numberOn(t, first, ageOfData.String())
	later := screen.wait("16 s of blindness", func(s string) bool {
		m := blindLine.FindStringSubmatch(s)
		return m != nil && len(m[1]) == 2 && m[1] >= "17"
	})
	if grown := numberOn(t, later, ageOfData.String()) - age; grown < 11 {
		t.Errorf("the age of the data has grown by %v s only:\n%s", grown, later)
	}
	for _, want := range []string{"connection refused", "kept: FIRING (held) demo/payments ", "ATTEMPTS AND INGRESS"} {
		if !strings.Contains(wordsOf(later), want) {
			t.Errorf("no %q on the screen without a server:\n%s", want, later)
		}
	}
	for _, signal := range []string{"INGRESS", "ATTEMPTS"} {
		if was, is := numberOn(t, first, signal+" +([0-9.,]+)/s"), numberOn(t, later, signal+" +([0-9.,]+)/s"); was != is || is < 100 {
			t.Errorf("the picture has not stayed: %s was %v, is %v", signal, was, is)
		}
	}
}

// nothingIsResolvedByEmptiness waits until the server answers, with success and
// without series.
func nothingIsResolvedByEmptiness(t *testing.T, watcher *follower, from int) (index int) {
	t.Helper()
	_, dark := watcher.wait(from, "reading without a server", record.blind)
	empty, index := watcher.wait(dark, "answer without series", func(r record) bool { return r.isReading() && !r.blind() })
	if st := empty.stormState(); st.State != "firing" || !st.Held || st.Evaluated != "inactive" || st.Reason != "no data" {
		t.Errorf("a server without series: %+v", st)
	}
	return index
}

// pollingGoesOn waits until the rule is judged again, and counts the requests
// since the server is back.
func pollingGoesOn(t *testing.T, watcher *follower, gate *gateway, from, aPoll int) {
	t.Helper()
	back := watcher.seen()[from]
	_, again := watcher.wait(from, "new judgement", func(r record) bool { return r.stormState().Evaluated == "pending" })
	judged, _ := watcher.wait(again, "released verdict", func(r record) bool {
		st := r.stormState()
		return st.State == "firing" && !st.Held && st.Evaluated == "firing"
	})
	n := polls(watcher.seen(), back.At, judged.At)
	requests := gate.count(stretchOfTime{back.At, judged.At})
	t.Logf("%d requests for %d polls in the %s since the server is back", requests, n, judged.At.Sub(back.At))
	if requests > (n+1)*aPoll || n > int(judged.At.Sub(back.At)/time.Second) {
		t.Errorf("%d requests for %d polls in %s, want at most %d a poll and a poll a second", requests, n, judged.At.Sub(back.At), aPoll)
	}
}

// polls is the number of readings of a stretch of time without its end.
func polls(seen []record, from, to time.Time) int {
	n := 0
	for _, r := range seen {
		if r.isReading() && !r.At.Before(from) && r.At.Before(to) {
			n++
		}
	}
	return n
}

// nothingWasResolved looks for an end of the verdict while the simulation is
// above the threshold.
func nothingWasResolved(t *testing.T, sim *follower, seen []record) {
	t.Helper()
	now := sim.seen()
	for _, r := range seen {
		if r.Kind == "inactive" && r.aboutTheStorm() && course(now).over(t, r.At, 4*time.Second, "amplification") > 1.5 {
			t.Errorf("resolved in the storm: %s %s", r.At, r.Text)
		}
	}
}
