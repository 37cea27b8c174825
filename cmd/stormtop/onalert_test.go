//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"stormtop/collector"
)

// complaints gathers what a caller says went wrong.
type complaints struct {
	mu   sync.Mutex
	said []string
}

func (c *complaints) tell(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said = append(c.said, err.Error())
}

func alertEvent(kind collector.EventKind, rule string) collector.Event {
	return collector.Event{At: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC), Kind: kind, Rule: rule, Target: "t", Name: "payments", Text: "2.31x > 1.5x"}
}

// TestTheCommandIsToldOfFiringsAndTheirEnds, one after the other, and of nothing else.
func TestTheCommandIsToldOfFiringsAndTheirEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events")
	var c complaints
	call := newCaller(t.Context(), "cat >> "+file, time.Minute, c.tell)
	live, past := &collector.Reading{}, &collector.Reading{Past: true}
	call.events(past, []collector.Event{alertEvent(collector.EventFiring, "Old")})
	call.events(live, []collector.Event{alertEvent(collector.EventPending, "A"), alertEvent(collector.EventInactive, "A")})
	call.events(live, []collector.Event{alertEvent(collector.EventFiring, "A"), alertEvent(collector.EventHeld, "A")})
	call.events(live, []collector.Event{alertEvent(collector.EventInactive, "A"), alertEvent(collector.EventInactive, "Old")})
	call.close()
	text, err := os.ReadFile(file)
	if err != nil || len(c.said) > 0 {
		t.Fatal(err, c.said)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		var e struct{ Schema, Kind, Rule, Target string }
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Schema != "stormtop/event/v1" || e.Target != "payments" {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, e.Kind+" "+e.Rule)
	}
	if want := "firing A, inactive A, inactive Old"; strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// TestASlowCommandHoldsNobodyUp: telling returns at once, the command is ended
// with all that it started, and what there was no room for is said.
func TestASlowCommandHoldsNobodyUp(t *testing.T) {
	var c complaints
	call := newCaller(t.Context(), "sleep 1000 & sleep 1000", 50*time.Millisecond, c.tell)
	live := &collector.Reading{}
	for range 3 * alertQueue {
		call.events(live, []collector.Event{alertEvent(collector.EventFiring, "A")})
	}
	call.close()
	all := strings.Join(c.said, "\n")
	untold := 0
	for _, s := range c.said {
		n := 0
		if _, err := fmt.Sscanf(s, "--on-alert: the command is too slow: events that it was not told of: %d", &n); err == nil {
			untold += n
		}
	}
	// Whatever was not tried is said, how fast this machine may be.
	if tried := strings.Count(all, "took longer than"); untold+tried != 3*alertQueue {
		t.Errorf("%d events were tried and %d said to be left out, want %d together", tried, untold, 3*alertQueue)
	}
	if !strings.Contains(all, "took longer than 50ms and was ended") {
		t.Errorf("%s", all)
	}
}

func TestWhatGoesWrongWithTheCommandIsSaid(t *testing.T) {
	var c complaints
	call := newCaller(context.Background(), "echo 'no such pager\n\x1b[31m' >&2; exit 3", time.Minute, c.tell)
	call.events(&collector.Reading{}, []collector.Event{alertEvent(collector.EventFiring, "A")})
	call.close()
	if len(c.said) != 1 || !strings.Contains(c.said[0], "exit status 3: no such pager") || strings.Contains(c.said[0], "\x1b") {
		t.Errorf("%q", c.said)
	}
}

func TestWithoutACommandNothingIsStarted(t *testing.T) {
	call := newCaller(t.Context(), " ", time.Minute, nil)
	call.events(&collector.Reading{}, []collector.Event{alertEvent(collector.EventFiring, "A")})
	call.close()
	if call != nil {
		t.Error("a caller was made")
	}
}

// TestWhateverTheCommandDoesItIsEndedAndTheNextIsTold: each of these is told
// twice, and neither the telling nor the end waits longer than it is given.
func TestWhateverTheCommandDoesItIsEndedAndTheNextIsTold(t *testing.T) {
	const slow = "took longer than 300ms and was ended"
	for name, tt := range map[string]struct{ command, want string }{
		"hangs":                         {"sleep 1000", slow},
		"ignores SIGTERM":               {"trap '' TERM HUP INT; while :; do sleep 1000; done", slow},
		"prints without end":            {"yes", slow},
		"prints much":                   {"head -c 3000000 /dev/zero | tr '\\0' x; echo; echo the end; exit 4", "exit status 4: xxx"},
		"leaves a child":                {"sleep 1000 & exit 0", slow},
		"leaves a child that is silent": {"sleep 3 >/dev/null 2>&1 & exit 0", ""},
		"leaves many":                   {"for i in 1 2 3 4 5 6 7 8 9; do (sleep 1000 & sleep 1000) & done", slow},
		"does not read":                 {"exec <&-; exit 0", ""},
		"does not read and goes on":     {"exec <&-; sleep 1000", slow},
		"does not exist":                {"/nowhere/pager --now", "exit status 127"},
		"is no command":                 {"'", "exit status 2"},
		"ends itself":                   {"kill -9 $$", "signal: killed"},
		"closes what it could speak to": {"exec >&- 2>&-; exit 0", ""},
		"closes and hangs":              {"exec <&- >&- 2>&-; sleep 1000", slow},
		"speaks and all is well":        {"echo fine; echo well >&2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var c complaints
			call := newCaller(t.Context(), tt.command, 300*time.Millisecond, c.tell)
			live := &collector.Reading{}
			call.events(live, []collector.Event{alertEvent(collector.EventFiring, "A"), alertEvent(collector.EventFiring, "B")})
			call.close()
			var got []string
			for _, s := range c.said {
				if !strings.HasPrefix(s, "waiting for") {
					got = append(got, s)
				}
				if len(s) > 2*tailBytes {
					t.Errorf("%d bytes are said", len(s))
				}
			}
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("%q", got)
			case tt.want != "" && (len(got) == 0 || !strings.Contains(got[0], "the command for A") || !strings.Contains(got[0], tt.want)):
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
