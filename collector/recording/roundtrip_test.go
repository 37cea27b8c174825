package recording

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormtop/collector"
)

// same compares regular expressions by their text, and lists that are empty as
// equal: a source may have either.
var same = cmp.Options{
	cmp.Comparer(func(a, b *regexp.Regexp) bool { return a.String() == b.String() }),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() != ".By" }, cmp.Options{
		cmp.FilterValues(func(a, b []collector.Row) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
		cmp.FilterValues(func(a, b []string) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
		cmp.FilterValues(func(a, b []collector.Failure) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
		cmp.FilterValues(func(a, b []collector.Reporters) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
		cmp.FilterValues(func(a, b []collector.Asked) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
		cmp.FilterValues(func(a, b []collector.System) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
		cmp.FilterValues(func(a, b []collector.Grouping) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
		cmp.FilterValues(func(a, b []collector.RuleSpec) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
		cmp.FilterValues(func(a, b map[string]float64) bool { return len(a)+len(b) == 0 }, cmp.Ignore()),
	}),
}

// entries reads all of a recording.
func entries(t interface{ Fatal(...any) }, text []byte) ([]Entry, Report) {
	r := NewReader(bytes.NewReader(text))
	var out []Entry
	for {
		e, err := r.Next()
		if err == io.EOF {
			return out, r.Report()
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		origins := rapid.SliceOfN(anyOrigin, 1, 3).Draw(t, "origins")
		header := Header{
			Program: cleanText.Draw(t, "program"), Picture: rapid.Bool().Draw(t, "picture"), Start: maybeTime.Draw(t, "start"), Origin: origins[0],
			Rules: rapid.SliceOfN(anyRule, 0, 2).Draw(t, "rules"),
		}
		var out bytes.Buffer
		w := NewWriter(&out, nil)
		if err := w.Header(header); err != nil {
			t.Fatal(err)
		}
		want := []Entry{{Header: &header}}
		for range rapid.IntRange(0, 5).Draw(t, "entries") {
			var e Entry
			var err error
			switch rapid.IntRange(0, 4).Draw(t, "type") {
			default:
				e.Reading = anyReading.Draw(t, "reading")
				e.Reading.Origin = rapid.SampledFrom(origins).Draw(t, "origin")
				err = w.Reading(e.Reading)
			case 3:
				event := anyEvent.Draw(t, "event")
				e.Event, err = &event, w.Event(event)
			case 4:
				mark := collector.Mark{At: anyTime.Draw(t, "at"), Text: cleanText.Draw(t, "text")}
				e.Mark, err = &mark, w.Mark(mark)
			}
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, e)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, report := entries(t, out.Bytes())
		for i := range got {
			got[i].Line = 0
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Fatalf("was written (-) and read (+):\n%s\n%s", diff, out.Bytes())
		}
		if diff := cmp.Diff(Report{}, report); diff != "" {
			t.Fatalf("problems: %s", diff)
		}
		for line := range bytes.Lines(out.Bytes()) {
			for _, c := range line[:len(line)-1] {
				if c < 0x20 || c == 0x7f {
					t.Fatalf("a control character stands in %q", line)
				}
			}
		}
		loaded, err := Load(NewReader(bytes.NewReader(out.Bytes())))
		if err != nil {
			t.Fatal(err)
		}
		var readings []*collector.Reading
		for _, e := range want {
			if e.Reading != nil {
				readings = append(readings, e.Reading)
			}
		}
		if diff := cmp.Diff(readings, slices.Collect(loaded.Readings()), same); diff != "" {
			t.Fatalf("was written (-) and loaded (+):\n%s", diff)
		}
	})
}
