package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"stormtop/collector/promtest"
)

// stormRecording records a simulated storm and returns its file.
func stormRecording(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "storm.rec")
	recordsOf(t, "--sim=demo", "--speed=1000x", "--for=3m", "--record="+file)
	return file
}

func TestARecordingPlaysOnTheScreenAndTheCursorReadsIt(t *testing.T) {
	file, again := stormRecording(t), filepath.Join(t.TempDir(), "again.rec")
	c := onConsole(t, 120, 40, false, nil, "--replay="+file, "--speed=200x", "--record="+again)
	c.wait("the replay", func(s string) bool { return strings.Contains(s, "REPLAY") && strings.Contains(s, stormTarget) })
	c.waitFor("ENDED")
	c.keys("\x1b[D\x1b[D")
	past := c.wait("the cursor", func(s string) bool { return cursorAt.MatchString(s) })
	c.keys("0")
	c.wait("the end again", func(s string) bool { return !cursorAt.MatchString(s) && strings.Contains(s, "ENDED") })

	c.keys("<<<<<<<<<R")
	c.wait("the beginning again", func(s string) bool { return strings.Contains(s, " REPLAY ") && !strings.Contains(s, "ENDED") })
	c.keys(" ")
	c.waitFor("REPLAY PAUSED")
	c.keys(" >")
	c.waitFor("REPLAY 2x ")
	c.keys("]")
	c.waitFor("REPLAY ENDED")

	at := cursorAt.FindStringSubmatch(past)[1]
	o := execute(t, "--replay="+file, "--plain")
	if !strings.Contains(o.stdout, "\n"+at+"  ") {
		t.Errorf("the cursor is at %s, where the recording has no reading", at)
	}
	c.keys("z")
	c.keys("m")
	c.waitFor("enter set  esc cancel")
	c.keys("the end of it\r")
	c.waitFor(`since "the end of it"`)
	c.keys("6")
	c.wait("the events", func(s string) bool {
		return strings.Contains(s, "the end of it") && strings.Contains(s, "fired") || strings.Contains(s, "firing")
	})
	c.keys("q")
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	c.requireSane()
	if said := afterTheScreen(c); !strings.Contains(said, stormTarget) || !strings.Contains(said, "the end of it") {
		t.Errorf("no summary of the storm and the mark: %q", said)
	}
	text, err := os.ReadFile(again)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), `"type":"mark"`); n != 1 || !strings.Contains(string(text), `"text":"the end of it"`) {
		t.Errorf("%d marks in the recording that ran beside", n)
	}
}

// cursorAt is what the header says while the time cursor is on.
var cursorAt = regexp.MustCompile(` AT ([0-9:]+Z), (live is|now|at its end) `)

// afterTheScreen is what was written once the terminal was itself again.
func afterTheScreen(c *console) string {
	raw := c.written()
	return raw[strings.LastIndex(raw, "\x1b[?1049l")+1:]
}

// TestAFixInTheClosedLoopShowsBeforeAndAfter marks the end of a simulated outage
// and reads whether it helped.
func TestAFixInTheClosedLoopShowsBeforeAndAfter(t *testing.T) {
	for _, binary := range promtest.Servers(t) {
		t.Run(strings.Trim(filepath.ToSlash(binary), "/"), func(t *testing.T) {
			t.Parallel()
			theFixIsSeen(t, binary)
		})
	}
}

// simulationSpeed is that of the outage: its minute takes twenty seconds.
const simulationSpeed = 3

func theFixIsSeen(t *testing.T, binary string) {
	at := promtest.FreeAddress(t)
	prom := serve(t, binary, at)
	prom.Ready()
	sim := followPlain(t, "--sim=demo", "--speed=3x", "--listen="+at)
	prom.until("min(count_over_time(stormtop_requests_total[1m])) >= bool 3")
	file := filepath.Join(t.TempDir(), "fix.rec")
	screen := onConsole(t, 120, 40, false, nil, "--prom="+prom.URL, "--interval=1s", "--record="+file)
	screen.waitFor(stormTarget)

	first, _ := sim.wait(0, "the outage", func(r record) bool { return r.isReading() && r.storm("amplification") > 1.5 })
	sim.after(first.At.Add(time.Minute))
	screen.keys("m")
	screen.waitFor("enter set  esc cancel")
	screen.keys("service restarted\r")
	older := screen.wait("how much of the rate range is old", func(s string) bool { return olderThanMark.MatchString(s) })
	if n := olderThanMark.FindStringSubmatch(older)[1]; n < "1" || n > "4" {
		t.Errorf("%ss of a rate range of 4s are old", n)
	}
	after := screen.wait("the calm afterwards", func(s string) bool {
		return strings.Contains(s, "→ 1.00x") && !olderThanMark.MatchString(s)
	})
	if !strings.Contains(after, `since "service restarted"`) {
		t.Errorf("whose before and after is this?\n%s", after)
	}
	screen.keys("q")
	screen.end()
	near(t, "ratio before the mark", numberOn(t, after, `: ([0-9.]+)x → 1\.00x`), meanBefore(t, file, "amplification"))
	near(t, "attempts before the mark", numberOn(t, after, `attempts ([0-9,]+) → `), meanBefore(t, file, "downstream"))
	near(t, "attempts now", numberOn(t, after, `attempts [0-9,]+ → ([0-9,]+)/s`), 200*simulationSpeed)
	if said := afterTheScreen(screen); !strings.Contains(said, "service restarted") {
		t.Errorf("the mark is not in the summary: %q", said)
	}
}

var olderThanMark = regexp.MustCompile(`([0-9])(?:\.[0-9]+)?s of the rate range are still from before the mark`)

// meanBefore is the mean of a signal of the storm in the two minutes before the
// mark of a recording, added up from its numbers.
func meanBefore(t *testing.T, file, signal string) float64 {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := markOf.FindSubmatch(text)
	if m == nil {
		t.Fatal("the mark is not in the recording")
	}
	mark, err := time.Parse(time.RFC3339Nano, string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(execute(t, "--replay="+file, "--format=csv").stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	sum, n := 0.0, 0.0
	for _, l := range lines[1:] {
		at, err := time.Parse(time.RFC3339Nano, l[0])
		if err != nil {
			t.Fatal(err)
		}
		if l[1] == stormTarget && l[3] == signal && !at.After(mark) && !at.Before(mark.Add(-2*time.Minute)) {
			v, err := strconv.ParseFloat(l[4], 64)
			if err != nil {
				t.Fatal(err)
			}
			sum, n = sum+v, n+1
		}
	}
	if n < 10 {
		t.Fatalf("only %v readings before the mark", n)
	}
	t.Logf("%s before the mark: %.3f, of %v readings", signal, sum/n, n)
	return sum / n
}

var markOf = regexp.MustCompile(`"type":"mark","at":"([^"]+)"`)
