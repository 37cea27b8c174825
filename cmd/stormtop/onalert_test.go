//go:build unix

package main

import (
	"context"
	"encoding/json"
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
	if !strings.Contains(all, "was not told of") || !strings.Contains(all, "took longer than 50ms and was ended") {
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
