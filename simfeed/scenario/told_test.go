package scenario

import (
	"testing"
	"time"
)

func TestTheMomentThatASingleReadingIsOf(t *testing.T) {
	for name, want := range map[string]time.Duration{
		"payment-1945": 3 * time.Minute, // it goes on for minutes
		"six-seconds":  26 * time.Second,
		"slow-burn":    2 * time.Minute, // overload from the start on, no fault
		"jitter-300ms": time.Minute,     // slow for good: its end comes first
		"fan-out":      0,               // loops
		"blind":        0,
	} {
		s, err := Named(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if at, words := s.Told(); at != want || (words == "") != (want == 0) {
			t.Errorf("%s: %v, %q, want %v", name, at, words, want)
		}
	}
	for _, name := range Names() { // never before there was any trouble, never after the run
		s, err := Named(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := s.Told()
		if from, _, ok := s.Trigger(); at > s.Length || at > 0 && ok && at <= from {
			t.Errorf("%s: %v of %v, the trouble from %v on", name, at, s.Length, from)
		}
	}
}
