package recording

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

func TestAPartOfARecordingHasBothOfItsEnds(t *testing.T) {
	rec := tape(t, "1 2 3 4 5")
	rec.events = []collector.Event{{At: noon.Add(time.Second)}, {At: noon.Add(4 * time.Second)}}
	rec.marks = []collector.Mark{{At: noon.Add(2 * time.Second)}, {At: noon.Add(5 * time.Second)}}
	part := rec.Between(noon.Add(2*time.Second), noon.Add(4*time.Second))
	if from, to := part.Span(); part.Len() != 3 || from != noon.Add(2*time.Second) || to != noon.Add(4*time.Second) {
		t.Errorf("%d readings from %s to %s", part.Len(), from, to)
	}
	if len(part.Events()) != 1 || len(part.Marks()) != 1 || part.Header.Program != "test" {
		t.Errorf("%d events, %d marks, header %+v", len(part.Events()), len(part.Marks()), part.Header)
	}
	if whole := rec.Between(noon, noon.Add(time.Hour)); whole != rec {
		t.Error("all of it is another one")
	}
}

// highAt are rules with a threshold of their own.
func highAt(threshold float64) []collector.RuleSpec {
	return []collector.RuleSpec{{Name: "High", Signal: collector.Amplification, Threshold: threshold}}
}

// eras spells the thresholds by which the readings of a recording were judged.
func erasOf(rec *Recording) string {
	var out []string
	for i := range rec.Len() {
		out = append(out, fmt.Sprint(rec.RulesAt(i)[0].Threshold))
	}
	return strings.Join(out, " ")
}

// TestRulesAreThoseThatWereInForce: whether they were changed while it was
// recorded, or another recording was appended.
func TestRulesAreThoseThatWereInForce(t *testing.T) {
	rule := func(second, threshold float64) func(*Writer) error {
		return func(w *Writer) error {
			return w.Rules(Ruling{At: noon.Add(time.Duration(second * float64(time.Second))), Rules: highAt(threshold)})
		}
	}
	at := func(second float64) func(*Writer) error {
		return func(w *Writer) error { return w.Reading(reading(second, row("a", 1, 2))) }
	}
	again := func(threshold float64) func(*Writer) error {
		return func(w *Writer) error {
			return w.Header(Header{Program: "test", Origin: testOrigin, Rules: highAt(threshold)})
		}
	}
	for name, tt := range map[string]struct {
		lines []func(*Writer) error
		want  string
	}{
		"never changed":               {[]func(*Writer) error{at(1), at(2)}, "1.5 1.5"},
		"changed":                     {[]func(*Writer) error{at(1), at(2), rule(2, 9), at(3), at(4)}, "1.5 1.5 9 9"},
		"changed before anything":     {[]func(*Writer) error{rule(0, 9), at(1)}, "9"},
		"read before it was changed":  {[]func(*Writer) error{at(1), at(2), at(3), rule(1, 9), at(4)}, "1.5 9 9 9"},
		"to and fro":                  {[]func(*Writer) error{at(1), rule(1, 9), at(2), rule(2, 1.5), at(3)}, "1.5 9 1.5"},
		"twice between two":           {[]func(*Writer) error{at(1), rule(1, 9), rule(1, 3), at(2)}, "1.5 3"},
		"said again":                  {[]func(*Writer) error{at(1), rule(1, 1.5), at(2)}, "1.5 1.5"},
		"appended with others":        {[]func(*Writer) error{at(1), again(9), at(5), again(1.5), at(6)}, "1.5 9 1.5"},
		"appended with the same":      {[]func(*Writer) error{at(1), again(1.5), at(5)}, "1.5 1.5"},
		"appended of an earlier time": {[]func(*Writer) error{at(5), again(9), at(1), rule(0, 3), at(2)}, "1.5 3 3"},
	} {
		var out bytes.Buffer
		w := NewWriter(&out, nil)
		err := w.Header(Header{Program: "test", Origin: testOrigin, Rules: highAt(1.5)})
		for _, line := range tt.lines {
			err = errors.Join(err, line(w))
		}
		rec, err2 := Load(NewReader(&out))
		if err = errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if got := erasOf(rec); got != tt.want || len(rec.Report.Notes()) > 0 {
			t.Errorf("%s: judged by %s, want %s; %q", name, got, tt.want, rec.Report.Notes())
		}
		play := NewReplay(rec, Options{})
		for i := range rec.Len() {
			r, err := play.Next(t.Context())
			if err != nil || fmt.Sprint(r.InForce) != fmt.Sprint(rec.RulesAt(i)) {
				t.Errorf("%s: reading %d is played with %v: %v", name, i, r.InForce, err)
			}
		}
	}
}

func TestAPartOfARecordingKnowsTheRulesInForce(t *testing.T) {
	rec := tape(t, "1 2 3 4 5")
	rec.Header.Rules = highAt(1)
	rec.eras = []era{{1, highAt(2)}, {3, highAt(3)}}
	if got := erasOf(rec.Between(noon.Add(3*time.Second), noon.Add(4*time.Second))); got != "2 3" {
		t.Errorf("judged by %s", got)
	}
	if n := len(rec.Rulings()); n != 3 {
		t.Errorf("%d rulings", n)
	}
}
