package recording

import (
	"bytes"
	"errors"
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

func TestOtherRulesFurtherOnAreTold(t *testing.T) {
	write := func(rules ...[]collector.RuleSpec) *Recording {
		var out bytes.Buffer
		var err error
		for i, r := range rules {
			w := NewWriter(&out, nil)
			err = errors.Join(err, w.Header(Header{Program: "test", Origin: testOrigin, Rules: r}), w.Reading(reading(float64(i+1), row("a", 1, 2))))
		}
		rec, err2 := Load(NewReader(&out))
		if err = errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return rec
	}
	ours := []collector.RuleSpec{{Name: "High", Signal: collector.Amplification, Threshold: 1.5}}
	others := []collector.RuleSpec{{Name: "High", Signal: collector.Amplification, Threshold: 9}}
	if notes := write(ours, ours).Report.Notes(); len(notes) > 0 {
		t.Errorf("the same rules: %q", notes)
	}
	if notes := write(ours, others, ours).Report.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "with other rules: those of its first line are used") {
		t.Errorf("other rules: %q", notes)
	}
}
