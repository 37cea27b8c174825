package recording

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormtop/collector"
)

// storm is a recording of n seconds with an event and a mark.
func storm(t testing.TB, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, nil)
	rules := []collector.RuleSpec{{Name: "RetryAmplificationHigh", Signal: collector.Amplification, Threshold: 1.5}}
	err := w.Header(Header{Program: "stormtop test", Start: noon, Origin: testOrigin, Rules: rules})
	for i := range n {
		err = errors.Join(err, w.Reading(reading(float64(i), row("orders", 100, float64(100+i)), row("payments", 100, 248))))
		switch i {
		case n / 3:
			err = errors.Join(err, w.Event(collector.Event{At: noon, Kind: collector.EventFiring, Rule: rules[0].Name, Name: "payments"}))
		case n / 2:
			err = errors.Join(err, w.Mark(collector.Mark{At: noon, Text: "retries off"}))
		}
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestARecordingCutAnywhereNearItsEndOpens(t *testing.T) {
	text := storm(t, 120)
	whole, err := Load(NewReader(bytes.NewReader(text)))
	if err != nil || whole.Len() != 120 {
		t.Fatalf("%d readings, %v", whole.Len(), err)
	}
	for cut := range 2001 {
		kept := text[:len(text)-cut]
		lines := bytes.Count(kept, []byte("\n"))
		rec, err := Load(NewReader(bytes.NewReader(kept)))
		if err != nil {
			t.Fatalf("%d bytes before the end: %v", cut, err)
		}
		lost := whole.Len() - bytes.Count(kept, []byte("\n{\"type\":\"reading\""))
		if rest := kept[bytes.LastIndexByte(kept, '\n')+1:]; len(rest) > 0 && !bytes.HasSuffix(rest, []byte("]}")) {
			if bytes.HasPrefix(rest, []byte(`{"type":"reading"`)) {
				lost++
			}
			if rec.Report.Cut != lines+1 || rec.Report.Bad != 0 {
				t.Fatalf("%d bytes before the end: %+v", cut, rec.Report)
			}
		} else if rec.Report.Cut != 0 {
			t.Fatalf("%d bytes before the end, behind a whole line: %+v", cut, rec.Report)
		}
		if rec.Len() != whole.Len()-lost {
			t.Fatalf("%d bytes before the end: %d readings, want %d", cut, rec.Len(), whole.Len()-lost)
		}
	}
}

func TestABadLineIsNamedAndSkipped(t *testing.T) {
	lines := strings.SplitAfter(string(storm(t, 3)), "\n")
	reading, declared := lines[len(lines)-2], strings.Join(lines[1:3], "")
	for _, test := range []struct{ line, want string }{
		{"garbage", `"{" was expected`},
		{`{"type":"reading"}`, "a reading has no time"},
		{`{"type":"reading","at":"yesterday"}`, "RFC 3339"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z","rows":[[99,0,1]]}`, "target 99 was not declared"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z","rows":[[1,77,1]]}`, "shape 77 was not declared"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z","rows":[[1,0,1,5]]}`, "was expected"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z","rows":[[1,0,1,5,null]]}`, "no state says why"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z","rows":[[1,0,1,5,6,"..."]]}`, "one letter for each value"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z","rows":[[1,0,1,5,6,".?"]]}`, "a letter names no state"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z","rows":[[1,0,1,5,null,".s"]]}`, "its state says that it is a number"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z","rows":[[1,0,1,5,1e999]]}`, "a number was expected"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z"} x`, "behind the object"},
		{`{"type":"reading","at":"2031-05-06T12:00:00Z","odd":` + strings.Repeat("[", 100), "nested too deeply"},
		{`{"type":"targets","targets":[{"index":-1,"name":"a"}]}`, "the index -1"},
		{`{"type":"shapes","shapes":[{"index":0,"values":[{"signal":"speed"}]}]}`, `unknown signal`},
		{`{"type":"shapes","shapes":[{"index":0,"values":[{"signal":"ingress"},{"signal":"ingress"}]}]}`, "twice"},
		{`{"type":"origin"}`, "says nothing"},
		{`{"type":"event","kind":"sabotage"}`, "is no kind of event"},
		{`{"at":"2031-05-06T12:00:00Z"}`, "a line has no type"},
		{`{"schema":"stormtop/recording/v2","type":"header"}`, "a header of another format"},
		{"{\"type\":\"mark\",\"text\":\"\x1b[2J\"}", "control character"},
		{strings.Repeat("\x00", 300), "was expected"},
		{strings.Repeat(" ", 5<<20) + `{"type":"mark","text":"` + strings.Repeat("x", 5<<20) + `"}`, "longer than 4 MiB"},
		{strings.Repeat("x", maxLine+2), "longer than 16 MiB"},
	} {
		text := lines[0] + declared + reading + test.line + "\n" + reading
		got, report := entries(t, []byte(text))
		line := strings.Count(lines[0]+declared+reading, "\n") + 1
		if len(got) != 3 || report.Bad != 1 || report.Problems[0].Line != line || !strings.Contains(report.Problems[0].Text, test.want) {
			t.Errorf("%.60q: %d entries, %+v; want line %d, %q", test.line, len(got), report, line, test.want)
		}
		for _, n := range report.Notes() {
			if collector.Clean(n) != n {
				t.Errorf("the note %q is not clean", n)
			}
		}
	}
}

func TestOnlyTheFirstBadLinesAreKept(t *testing.T) {
	text := string(storm(t, 2)) + strings.Repeat("bad\n", 50)
	_, report := entries(t, []byte(text))
	if len(report.Problems) != 20 || report.Bad != 50 {
		t.Errorf("%d kept of %d, want 20 of 50", len(report.Problems), report.Bad)
	}
	if notes := report.Notes(); len(notes) != 21 || !strings.Contains(notes[20], "30 more") {
		t.Errorf("notes %q", notes)
	}
}

func TestWhatIsNewerIsSkippedOrRefused(t *testing.T) {
	text := string(storm(t, 2)) + `{"type":"hologram","at":7}` + "\n"
	got, report := entries(t, []byte(strings.ReplaceAll(text, `{"type":"reading",`, `{"flavour":{"a":[1,true,null]},"type":"reading",`)))
	if len(got) != 5 || report.Unknown != 1 || report.Bad != 0 {
		t.Errorf("%d entries, %+v", len(got), report)
	}
	for text, want := range map[string]string{
		"":                                      "is empty",
		"\n\n":                                  "is empty",
		"time,target\n":                         "no recording of stormtop",
		"{}\n":                                  "no recording of stormtop",
		"\x1f\x8b\x08":                          "no recording of stormtop",
		`{"schema":"stormtop/reading/v1"}`:      "no recording of stormtop",
		`{"schema":"stormtop/recording/v2"}`:    "use a newer stormtop",
		`{"schema":"stormtop/recording/v1","ty`: "ends within its first line",
		`{"schema":"stormtop/recording/v1","rules":[{"name":"R","compare":"~"}]}`: `rule "R"`,
		strings.Repeat("x", maxLine+2):                                            "no recording of stormtop",
	} {
		_, err := Load(NewReader(strings.NewReader(text)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.50q: %v, want %q", text, err, want)
		}
	}
}

func TestWindowsLineEndsAndAByteOrderMarkDoNoHarm(t *testing.T) {
	text := "\ufeff" + strings.ReplaceAll(string(storm(t, 4)), "\n", "\r\n\r\n")
	got, report := entries(t, []byte(text))
	if len(got) != 7 || report.Bad+report.Cut+report.Unknown != 0 {
		t.Errorf("%d entries, %+v", len(got), report)
	}
}

func TestAnAppendedRecordingBeginsAnew(t *testing.T) {
	text := string(storm(t, 3))
	rec, err := Load(NewReader(strings.NewReader(text + text)))
	if err != nil || rec.Len() != 6 || rec.Report.Bad != 0 {
		t.Fatalf("%d readings, %v, %+v", rec.Len(), err, rec.Report)
	}
	for i := range 6 {
		if begins := rec.Reading(i).Begins; begins != (i == 3) {
			t.Errorf("reading %d begins: %v", i, begins)
		}
	}
}

func TestAnInputThatFailsIsReported(t *testing.T) {
	broken := errors.New("the disk is gone")
	r := NewReader(io.MultiReader(bytes.NewReader(storm(t, 2)), failing{broken}))
	n := 0
	for {
		_, err := r.Next()
		if err == nil {
			n++
			continue
		}
		if !errors.Is(err, broken) || n != 5 {
			t.Errorf("after %d entries: %v", n, err)
		}
		return
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

// FuzzReader reads anything: no panic, every line accounted for, and what was
// read is written and read again as the same.
func FuzzReader(f *testing.F) {
	text := storm(f, 3)
	f.Add(text)
	f.Add(text[:len(text)-5])
	f.Add(append(append([]byte{}, text...), text...))
	f.Add([]byte(`{"schema":"stormtop/recording/v1"}` + "\n" + `{"type":"targets","targets":[{"index":0,"id":{"base64":"/w=="},"name":"a","labels":[["b","c"]]}]}` +
		"\n" + `{"type":"shapes","shapes":[{"index":0,"values":[{"signal":"ingress"}],"missing":[{"signal":"overflow","unit":"ratio"}],"derived":true}]}` +
		"\n" + `{"type":"reading","at":"2031-05-06T12:00:00Z","total":[0,0,1,null,"i"],"rows":[[0,0,1,2,"p"]],"failures":[{"kind":"timed_out"}],"asked":[{"signal":"ingress","took":"1s"}],"reporters":[{"side":"ingress"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := NewReader(bytes.NewReader(text))
		var out bytes.Buffer
		w := NewWriter(&out, nil)
		n := 0
		for {
			e, err := r.Next()
			if err != nil {
				break
			}
			switch {
			case e.Header != nil:
				err = w.Header(*e.Header)
			case e.Reading != nil:
				err = w.Reading(e.Reading)
			case e.Event != nil:
				err = w.Event(*e.Event)
			case e.Mark != nil:
				err = w.Mark(*e.Mark)
			}
			if err != nil {
				return // a year that RFC 3339 does not have
			}
			if n++; e.Line < n && n > 1 {
				t.Fatalf("entry %d stands in line %d", n, e.Line)
			}
		}
		switch rec, err := Load(NewReader(bytes.NewReader(text))); {
		case (err == nil) != (r.ended == io.EOF):
			t.Fatalf("read one by one: %v, loaded: %v", r.ended, err)
		case err == nil && cmp.Diff(r.Report(), rec.Report) != "":
			t.Fatalf("read one by one (-), loaded (+): %s", cmp.Diff(r.Report(), rec.Report))
		}
		if err := w.Close(); err != nil || n == 0 {
			return
		}
		first := bytes.Clone(out.Bytes())
		got, report := entries(t, first)
		if len(got) != n || report.Bad+report.Cut+report.Unknown != 0 {
			t.Fatalf("%d entries were written, %d read: %+v\n%s", n, len(got), report, first)
		}
	})
}
