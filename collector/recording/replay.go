package recording

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
)

// Options say how a recording is played.
type Options struct {
	Speed  float64       // data seconds for a second of the clock; 0: as fast as it is read
	Clock  pace.Clock    // nil: every reading is due at once
	From   time.Time     // where it begins; what is before comes as Past. Zero: at its start
	Behind time.Duration // how much of what is before From, or before a Seek, comes as Past; 0: all
	Loop   bool          // begin again at the end, for ever
	// Once gives the memory of each reading back when it was handed out: the
	// recording is used up, and there is no Loop and no Seek.
	Once bool
}

// Replay is a collector.Source that plays a recording. Its readings are those
// that were recorded, at the times of the recording; what was filled in then
// comes as Past again. Each further round of a loop is later than the one
// before, and Begins. It implements collector.Played.
type Replay struct {
	rec *Recording
	opt Options

	mu     sync.Mutex
	speed  float64
	paused bool
	seek   *time.Time    // where to go next
	anew   bool          // the pace begins anew
	wake   chan struct{} // has one when any of these changed

	// What follows belongs to Next.
	next    int           // the reading that comes next
	until   int           // those before it come as Past
	begins  bool          // the next one begins anew
	given   bool          // one was handed out
	show    bool          // the next one that is not Past is due at once, also in a pause
	shift   time.Duration // what the present round is later than the recording
	hold    func(bool)    // told whether the end is reached, where the replay waits there; nil: it ends
	held    bool          // and was told so
	anchor  anchor
	origins map[*collector.Origin]*collector.Origin // at the present speed
}

// anchor is an instant of the data and of the clock that belong together.
type anchor struct {
	data, clock time.Time
	set         bool
}

// NewReplay makes a source of a recording.
func NewReplay(rec *Recording, opt Options) *Replay {
	r := &Replay{rec: rec, opt: opt, speed: opt.Speed, wake: make(chan struct{}, 1)}
	if !opt.From.IsZero() {
		r.goTo(opt.From)
	}
	return r
}

// Hold makes the replay wait at its end for a Seek, rather than end with io.EOF.
// atEnd is told, by Next, when the end is reached and when it is left again. It
// must be called before the first Next.
func (r *Replay) Hold(atEnd func(bool)) { r.hold = atEnd }

// Header is that of the recording.
func (r *Replay) Header() Header { return r.rec.Header }

// Events are what happened while it was recorded, marks included, by time. The
// times are those of the first round.
func (r *Replay) Events() []collector.Event {
	out := slices.Clone(r.rec.events)
	for _, m := range r.rec.marks {
		e := collector.Event{At: m.At, Kind: collector.EventMark, Text: m.Text}
		if !slices.ContainsFunc(out, func(o collector.Event) bool {
			return o.Kind == e.Kind && o.Text == e.Text && o.At.Equal(e.At)
		}) {
			out = append(out, e)
		}
	}
	byTime(out, func(e collector.Event) time.Time { return e.At })
	return out
}

// Seek goes to an instant: the readings before it come as Past at once, the
// first of them Begins, then the first one at or after it, or the last, also in
// a pause.
func (r *Replay) Seek(to time.Time) { r.change(func() { r.seek, r.anew = &to, true }) }

// Pause holds the replay; Resume goes on from there.
func (r *Replay) Pause() { r.change(func() { r.paused = true }) }

// Resume ends a pause.
func (r *Replay) Resume() { r.change(func() { r.paused, r.anew = false, true }) }

// SetSpeed plays on at another speed (Options.Speed).
func (r *Replay) SetSpeed(speed float64) { r.change(func() { r.speed, r.anew = speed, true }) }

func (r *Replay) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Next waits until the next reading is due and returns it.
func (r *Replay) Next(ctx context.Context) (*collector.Reading, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		paused := r.obey()
		if r.next >= len(r.rec.frames) {
			switch {
			case r.opt.Loop && !r.opt.Once && len(r.rec.frames) > 0:
				r.again()
			case r.hold != nil:
				r.tell(true)
				if err := r.wait(ctx, nil); err != nil {
					return nil, err
				}
				continue
			default:
				return nil, io.EOF
			}
		}
		f := &r.rec.frames[r.next]
		if f.begins || r.next > 0 && f.at.Sub(r.rec.frames[r.next-1].at) > longestGap {
			r.anchor.set = false // it tells of another day from here on, or nothing for long
		}
		if !f.past && r.next >= r.until {
			switch left := r.left(f); {
			case r.show:
			case paused:
				if err := r.wait(ctx, nil); err != nil {
					return nil, err
				}
				continue
			case left > 0:
				if err := r.wait(ctx, r.opt.Clock.After(left)); err != nil {
					return nil, err
				}
				continue
			}
			r.show = false
		}
		r.tell(false)
		return r.take(), nil
	}
}

// longestGap is the longest time without readings that is waited for.
const longestGap = 5 * time.Minute

// tell says whether the end is reached, where that has changed.
func (r *Replay) tell(reached bool) {
	if r.hold != nil && r.held != reached {
		r.hold(reached)
	}
	r.held = reached
}

// obey does what was asked for since, and reports whether there is a pause.
func (r *Replay) obey() (paused bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-r.wake: // all that it was sent for is seen here
	default:
	}
	if r.anew {
		r.anew, r.anchor, r.origins = false, anchor{}, nil
		r.opt.Speed = r.speed
	}
	if r.seek != nil && !r.opt.Once {
		r.goTo(r.seek.Add(-r.shift))
		r.begins, r.show = r.given, true
	}
	r.seek = nil
	return r.paused
}

// left is how long the clock has to go until a reading is due.
func (r *Replay) left(f *frame) time.Duration {
	if r.opt.Clock == nil || !(r.opt.Speed > 0) {
		return 0
	}
	now, at := r.opt.Clock.Now(), f.at.Add(r.shift)
	if !r.anchor.set {
		r.anchor = anchor{data: at, clock: now, set: true}
	}
	due := time.Duration(float64(at.Sub(r.anchor.data)) / r.opt.Speed)
	return due - now.Sub(r.anchor.clock)
}

// wait waits for a timer, which may be nil, or for a change.
func (r *Replay) wait(ctx context.Context, timer <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer:
	case <-r.wake:
	}
	return nil
}

// take hands out the next reading.
func (r *Replay) take() *collector.Reading {
	out := r.rec.Reading(r.next)
	out.Past = out.Past || r.next < r.until
	out.Begins = out.Begins && r.given || r.begins
	out.InForce = r.rec.RulesAt(r.next)
	out.Origin = r.origin(out.Origin)
	if r.shift != 0 {
		out.At = out.At.Add(r.shift)
		if !out.Newest.IsZero() {
			out.Newest = out.Newest.Add(r.shift)
		}
		out.Failures = slices.Clone(out.Failures)
		for i := range out.Failures {
			if f := &out.Failures[i]; !f.Retry.IsZero() {
				f.Retry = f.Retry.Add(r.shift)
			}
		}
	}
	if r.opt.Once {
		r.rec.forget(r.next)
	}
	r.next++
	r.begins, r.given = false, true
	return out
}

// origin describes the replay of a source.
func (r *Replay) origin(o *collector.Origin) *collector.Origin {
	if out := r.origins[o]; out != nil {
		return out
	}
	out := *o
	out.Speed, out.Replay = r.opt.Speed, true
	if r.origins == nil {
		r.origins = map[*collector.Origin]*collector.Origin{}
	}
	r.origins[o] = &out
	return &out
}

// again begins another round, later than everything in the one before.
func (r *Replay) again() {
	from, to := r.rec.Span()
	last := r.rec.frames[len(r.rec.frames)-1].origin.Interval
	r.shift += to.Sub(from) + max(last, time.Second)
	r.next, r.until, r.begins = 0, 0, true
}

// goTo makes the first reading at or after an instant of the recording, or the
// last one, the next, behind those before it that come as Past: of the stretch in
// which that instant lies, as far back as Behind says.
func (r *Replay) goTo(to time.Time) {
	frames, start := r.rec.frames, 0
	for i := range frames {
		if frames[i].begins && !frames[i].at.After(to) {
			start = i
		}
	}
	r.until = start
	for r.until < len(frames) && frames[r.until].at.Before(to) && (r.until == start || !frames[r.until].begins) {
		r.until++
	}
	if r.until == len(frames) && r.until > start {
		r.until-- // behind the end: the last one
	}
	r.next = start
	for i := start + 1; i < r.until; i++ {
		if frames[i].past && !frames[i-1].past {
			r.next = i // empty readings before what was filled in
		}
	}
	for r.opt.Behind > 0 && r.next < r.until && frames[r.next].at.Before(to.Add(-r.opt.Behind)) {
		r.next++
	}
}
