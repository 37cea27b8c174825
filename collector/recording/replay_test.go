package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

// tape is a recording of one target at the given seconds: "p3" is a reading
// that was filled in, "b3" one that begins anew.
func tape(t *testing.T, moments string) *Recording {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, nil)
	err := w.Header(Header{Program: "test", Origin: testOrigin})
	for _, m := range strings.Fields(moments) {
		var second float64
		fmt.Sscan(strings.TrimLeft(m, "pb"), &second)
		r := reading(second, row("a", 1, 2))
		r.Past, r.Begins = strings.Contains(m, "p"), strings.Contains(m, "b")
		err = errors.Join(err, w.Reading(r))
	}
	rec, err2 := Load(NewReader(&out))
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return rec
}

// spell is a reading in the notation of tape.
func spell(r *collector.Reading) string {
	flags := ""
	if r.Begins {
		flags += "b"
	}
	if r.Past {
		flags += "p"
	}
	return flags + fmt.Sprint(r.At.Sub(noon).Seconds())
}

// take is the next n readings, or those up to the end.
func take(t *testing.T, src collector.Source, n int) string {
	t.Helper()
	var out []string
	for range n {
		r, err := src.Next(t.Context())
		if err == io.EOF {
			out = append(out, "end")
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, spell(r))
	}
	return strings.Join(out, " ")
}

func TestAReplayHandsOutWhatWasRecorded(t *testing.T) {
	for _, test := range []struct {
		name, tape string
		opt        Options
		n          int
		want       string
	}{
		{"all", "p1 p2 3 4", Options{}, 9, "p1 p2 3 4 end"},
		{"from an instant", "1 2 3 4 5", Options{From: noon.Add(3 * time.Second)}, 9, "p1 p2 3 4 5 end"},
		{"from between two", "1 2 3 4 5", Options{From: noon.Add(2500 * time.Millisecond)}, 9, "p1 p2 3 4 5 end"},
		{"with little behind", "1 2 3 4 5", Options{From: noon.Add(4 * time.Second), Behind: time.Second}, 9, "p3 4 5 end"},
		{"from before the start", "1 2", Options{From: noon}, 9, "1 2 end"},
		{"from behind the end", "1 2", Options{From: noon.Add(time.Hour)}, 9, "p1 2 end"},
		{"from after a beginning", "1 2 3 b2 3 4", Options{From: noon.Add(3 * time.Second)}, 9, "p2 3 4 end"},
		{"from before a beginning", "1 2 b5 6", Options{From: noon.Add(2 * time.Second)}, 9, "p1 2 b5 6 end"},
		{"empty ones before the past", "10 11 p3 p4 12 13", Options{From: noon.Add(12500 * time.Millisecond)}, 9, "p3 p4 p12 13 end"},
		{"a loop", "1 2 3", Options{Loop: true}, 7, "1 2 3 b4 5 6 b7"},
		{"a loop of the past", "p1 p2 3", Options{Loop: true}, 5, "p1 p2 3 bp4 p5"},
		{"nothing", "", Options{Loop: true}, 1, "end"},
	} {
		if got := take(t, NewReplay(tape(t, test.tape), test.opt), test.n); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestAReplayThatIsPlayedOnceGivesItsReadingsBack(t *testing.T) {
	rec := tape(t, "1 2 3")
	src := NewReplay(rec, Options{Once: true, Loop: true})
	for i := range 3 {
		r, err := src.Next(t.Context())
		if err != nil || len(r.Targets) != 1 || rec.frames[i].numbers != nil {
			t.Errorf("reading %d: %v, %+v, of which %v is left", i, err, r, rec.frames[i].numbers)
		}
		src.Seek(noon)
	}
	if got := take(t, src, 1); got != "end" {
		t.Errorf("then %s", got)
	}
}

func TestALoopMovesAllTimesOfAReading(t *testing.T) {
	rec := tape(t, "1 2")
	rec.frames[0].particulars = &particulars{failures: []collector.Failure{{Retry: noon}, {}}}
	src := NewReplay(rec, Options{Loop: true})
	var last *collector.Reading
	for range 3 {
		last, _ = src.Next(t.Context())
	}
	if !last.Newest.Equal(last.At) || !last.Failures[0].Retry.Equal(noon.Add(2*time.Second)) || !last.Failures[1].Retry.IsZero() {
		t.Errorf("%+v", last)
	}
	if again := rec.Reading(0); !again.Failures[0].Retry.Equal(noon) {
		t.Error("the recording itself was changed")
	}
}

// clock is a clock that is moved by hand: whoever waits is told of at waits.
type clock struct {
	now   chan time.Time
	waits chan time.Duration
	fire  chan time.Time
}

func newClock() *clock {
	c := &clock{make(chan time.Time, 1), make(chan time.Duration), make(chan time.Time)}
	c.now <- noon
	return c
}

func (c *clock) Now() time.Time { t := <-c.now; c.now <- t; return t }

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.waits <- d
	return c.fire
}

// pass lets the clock go on and wakes who waits.
func (c *clock) pass(d time.Duration) {
	t := (<-c.now).Add(d)
	c.now <- t
	c.fire <- t
}

// play reads a source in the background.
func play(t *testing.T, src collector.Source) <-chan string {
	ctx, cancel := context.WithCancel(t.Context())
	out, done := make(chan string), make(chan bool)
	go func() {
		defer close(done)
		for {
			text := "end"
			r, err := src.Next(ctx)
			if err == nil {
				text = spell(r)
			}
			select {
			case out <- text:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return out
}

func expect(t *testing.T, out <-chan string, want ...string) {
	t.Helper()
	for _, w := range want {
		if got := <-out; got != w {
			t.Fatalf("%s came, want %s", got, w)
		}
	}
}

func waits(t *testing.T, c *clock, want time.Duration) {
	t.Helper()
	if got := <-c.waits; got != want {
		t.Fatalf("waits for %v, want %v", got, want)
	}
}

func TestAReplayKeepsThePaceOfTheRecording(t *testing.T) {
	c := newClock()
	out := play(t, NewReplay(tape(t, "p1 p2 3 4 10 b110 111"), Options{Speed: 2, Clock: c}))
	expect(t, out, "p1", "p2", "3")
	waits(t, c, 500*time.Millisecond)
	c.pass(500 * time.Millisecond)
	expect(t, out, "4")
	waits(t, c, 3*time.Second)
	c.pass(3100 * time.Millisecond) // late, which does not add up
	expect(t, out, "10", "b110")    // another day is not waited for
	waits(t, c, 500*time.Millisecond)
	c.pass(500 * time.Millisecond)
	expect(t, out, "111", "end")
}

func TestALongTimeWithoutReadingsIsNotWaitedFor(t *testing.T) {
	c := newClock()
	out := play(t, NewReplay(tape(t, "1 2 302 10000 10001"), Options{Speed: 1, Clock: c}))
	expect(t, out, "1")
	waits(t, c, time.Second)
	c.pass(time.Second)
	expect(t, out, "2")
	waits(t, c, 5*time.Minute)
	c.pass(5 * time.Minute)
	expect(t, out, "302", "10000")
	waits(t, c, time.Second)
	c.pass(time.Second)
	expect(t, out, "10001", "end")
}

func TestAPauseHoldsAReplayAndASeekShowsOneReading(t *testing.T) {
	c := newClock()
	ends := make(chan bool)
	reached := func(want bool) {
		t.Helper()
		if got := <-ends; got != want {
			t.Fatalf("told of the end: %v, want %v", got, want)
		}
	}
	src := NewReplay(tape(t, "1 2 3 4 5"), Options{Speed: 1, Clock: c})
	src.Hold(func(on bool) { ends <- on })
	out := play(t, src)
	expect(t, out, "1")
	waits(t, c, time.Second)
	src.Pause()
	src.Seek(noon.Add(4 * time.Second))
	expect(t, out, "bp1", "p2", "p3", "4")
	src.Seek(noon.Add(2 * time.Second))
	expect(t, out, "bp1", "2")
	src.Resume()
	expect(t, out, "3") // due at once
	waits(t, c, time.Second)
	src.SetSpeed(10)
	expect(t, out, "4")
	waits(t, c, 100*time.Millisecond)
	c.pass(100 * time.Millisecond)
	expect(t, out, "5")
	reached(true)
	src.Seek(noon.Add(5 * time.Second))
	reached(false)
	expect(t, out, "bp1", "p2", "p3", "p4", "5")
	reached(true)
	src.Seek(noon.Add(time.Hour)) // the end is the nearest that there is
	reached(false)
	expect(t, out, "bp1", "p2", "p3", "p4", "5")
	reached(true)
	src.Seek(time.Time{})
	reached(false)
	expect(t, out, "b1")
	waits(t, c, 100*time.Millisecond)
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	for name, atEnd := range map[string]bool{"at the end": true, "in a pause": false} {
		ctx, cancel := context.WithCancel(t.Context())
		src := NewReplay(tape(t, "1"), Options{})
		if atEnd {
			src.Hold(func(bool) {})
			take(t, src, 1)
		} else {
			src.Pause()
		}
		cancel()
		if _, err := src.Next(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAReplayKeepsTheOriginAndTheEvents(t *testing.T) {
	rec := tape(t, "1 2")
	rec.events = []collector.Event{{At: noon.Add(time.Second), Kind: collector.EventMark, Text: "off"}, {At: noon.Add(3 * time.Second), Kind: collector.EventFiring}}
	rec.marks = []collector.Mark{{At: noon.Add(time.Second), Text: "off"}, {At: noon.Add(2 * time.Second), Text: "on"}}
	src := NewReplay(rec, Options{Speed: 10})
	a, _ := src.Next(t.Context())
	b, _ := src.Next(t.Context())
	if a.Origin != b.Origin || a.Origin.Speed != 10 || a.Origin.Source != "test" || testOrigin.Speed != 0 {
		t.Errorf("origins %+v, %+v", a.Origin, b.Origin)
	}
	var got []string
	for _, e := range src.Events() {
		got = append(got, e.Kind.String()+" "+e.Text)
	}
	if want := []string{"mark off", "mark on", "firing "}; !slices.Equal(got, want) {
		t.Errorf("events %q, want %q", got, want)
	}
	if src.Header().Program != "test" {
		t.Errorf("header %+v", src.Header())
	}
}
