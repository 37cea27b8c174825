package recording

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"stormtop/collector"
)

// lines remembers each Write.
type lines struct {
	writes []string
	full   int // Writes that are taken; 0: all
}

func (l *lines) Write(b []byte) (int, error) {
	if l.full > 0 && len(l.writes) >= l.full {
		return len(b) / 2, syscall.ENOSPC
	}
	l.writes = append(l.writes, string(b))
	return len(b), nil
}

func TestEveryLineIsOneWriteOfJSON(t *testing.T) {
	var out lines
	w := NewWriter(&out, nil)
	if err := errors.Join(w.Header(Header{Origin: testOrigin}), w.Reading(reading(0, row("a", 1, 2))), w.Mark(collector.Mark{Text: "x"})); err != nil {
		t.Fatal(err)
	}
	for _, line := range out.writes {
		if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") || !json.Valid([]byte(line)) {
			t.Errorf("not one line of JSON: %q", line)
		}
	}
	if len(out.writes) != 5 { // header, targets, shapes, reading, mark
		t.Errorf("%d writes", len(out.writes))
	}
}

func TestTargetsAndOriginsAreDeclaredWhenTheyChange(t *testing.T) {
	var out lines
	w := NewWriter(&out, nil)
	if err := w.Header(Header{Program: "p"}); err != nil || len(out.writes) != 0 {
		t.Fatalf("a header without an origin was not held back: %v, %q", err, out.writes)
	}
	other := *testOrigin // the same description, another pointer
	changed := *testOrigin
	changed.Note = "the interval is stretched"
	for i, origin := range []*collector.Origin{testOrigin, &other, &changed, &changed} {
		r := reading(float64(i), row("a", 1, 2), row("b", 1, 2))
		r.Origin = origin
		if err := w.Reading(r); err != nil {
			t.Fatal(err)
		}
	}
	var types []string
	for _, line := range out.writes {
		kind, err := typeOf([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, kind)
	}
	if got, want := strings.Join(types, " "), "header targets shapes reading reading origin reading reading"; got != want {
		t.Errorf("lines %s, want %s", got, want)
	}
	if !strings.Contains(out.writes[0], `"profile":"envoy"`) {
		t.Errorf("the header has no origin: %s", out.writes[0])
	}
}

func TestDerivedNumbersAreNotWrittenTwice(t *testing.T) {
	var out lines
	w := NewWriter(&out, nil)
	if err := w.Reading(reading(0, row("a", 3, 7))); err != nil {
		t.Fatal(err)
	}
	if got, want := out.writes[len(out.writes)-1], `"rows":[[1,0,1,3,7]]}`+"\n"; !strings.HasSuffix(got, want) {
		t.Errorf("the reading is %s, want it to end in %s", got, want)
	}
}

func TestAFullDiskEndsTheRecordingAndNotTheSource(t *testing.T) {
	out := &lines{full: 4}
	w := NewWriter(out, nil)
	var told []error
	n := 0
	src := Record(collector.SourceFunc(func(context.Context) (*collector.Reading, error) {
		if n++; n > 5 {
			return nil, io.EOF
		}
		return reading(float64(n), row("a", 1, 2)), nil
	}), w, func(err error) { told = append(told, err) })
	if err := w.Header(Header{}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if r, err := src.Next(t.Context()); err != nil || r == nil {
			t.Fatalf("reading %d: %v", i, err)
		}
	}
	if _, err := src.Next(t.Context()); err != io.EOF {
		t.Errorf("the end of the source: %v", err)
	}
	if len(told) != 1 || !errors.Is(told[0], syscall.ENOSPC) || src.Recording() {
		t.Errorf("told %v, recording: %v", told, src.Recording())
	}
	if err := w.Mark(collector.Mark{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a mark afterwards: %v", err)
	}
	if err := w.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("closed: %v", err)
	}
	if rec, err := Load(NewReader(strings.NewReader(strings.Join(out.writes, "")))); err != nil || rec.Len() != 1 {
		t.Errorf("what was written: %v", err)
	}
}

func TestRecordingCanBeTurnedOffAndOn(t *testing.T) {
	var first, second bytes.Buffer
	n := 0.0
	w := NewWriter(&first, nil)
	src := Record(collector.SourceFunc(func(context.Context) (*collector.Reading, error) {
		n++
		return reading(n, row("a", 1, 2)), nil
	}), w, func(err error) { t.Error(err) })
	next := func() {
		if _, err := src.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Header(Header{}); err != nil {
		t.Fatal(err)
	}
	next()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	next() // the writer is closed: this ends the recording without a word
	if src.Recording() {
		t.Error("still recording after Close")
	}
	again := NewWriter(&second, nil)
	if err := again.Header(Header{}); err != nil {
		t.Fatal(err)
	}
	src.To(again)
	next()
	for _, text := range []*bytes.Buffer{&first, &second} {
		if rec, err := Load(NewReader(text)); err != nil || rec.Len() != 1 {
			t.Errorf("%v", err)
		}
	}
}

func TestTheDiskIsToldAtMarksAndNowAndThen(t *testing.T) {
	calls := 0
	w := NewWriter(io.Discard, func() error { calls++; return nil })
	for i := range 61 {
		if err := w.Reading(reading(float64(i), row("a", 1, 2))); err != nil {
			t.Fatal(err)
		}
	}
	if calls != 3 {
		t.Errorf("%d calls in a minute, want 3", calls)
	}
	if err := errors.Join(w.Mark(collector.Mark{}), w.Close(), w.Close()); err != nil || calls != 5 {
		t.Errorf("%d calls, %v", calls, err)
	}
	if err := w.Event(collector.Event{}); !errors.Is(err, ErrClosed) {
		t.Errorf("behind Close: %v", err)
	}
	broken := errors.New("no medium")
	w = NewWriter(io.Discard, func() error { return broken })
	if err := w.Mark(collector.Mark{}); !errors.Is(err, broken) {
		t.Errorf("sync failed: %v", err)
	}
}

func TestThousandsOfTargetsThatComeAndGoAreDeclaredAnew(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, nil)
	if err := w.Header(Header{}); err != nil {
		t.Fatal(err)
	}
	w.packer.next = usualTargets - 1 // as after months of pods
	w.packer.targets, w.packer.shapes = map[string]*known[collector.Target]{}, map[shapeKey]*known[shape]{}
	for i := range 3 {
		if err := w.Reading(reading(float64(i), row("a", 1, 2), row("b", 1, 3))); err != nil {
			t.Fatal(err)
		}
	}
	rec, err := Load(NewReader(&out))
	if err != nil || rec.Len() != 3 || rec.Report.Bad != 0 {
		t.Fatal(err, rec.Report)
	}
	if row, ok := rec.Reading(2).Row(service("b").ID); !ok || row.Values[collector.Downstream].V != 3 {
		t.Errorf("b is %+v", row)
	}
}

// TestWhatHasNoDiskBehindItIsRecordedTo covers pipes and devices, which cannot be
// brought to a disk.
func TestWhatHasNoDiskBehindItIsRecordedTo(t *testing.T) {
	for _, none := range []error{syscall.EINVAL, errors.ErrUnsupported} {
		var out bytes.Buffer
		w := NewWriter(&out, func() error { return &os.PathError{Op: "sync", Path: "pipe", Err: none} })
		if err := w.Mark(collector.Mark{At: noon, Text: "before"}); err != nil {
			t.Error(err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	w := NewWriter(io.Discard, func() error { return syscall.EIO })
	if err := w.Mark(collector.Mark{At: noon}); !errors.Is(err, syscall.EIO) {
		t.Errorf("a disk that failed: %v", err)
	}
}
