package chain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"time"
	"unsafe"

	"stormtop/simfeed/chain/agenda"
	"stormtop/simfeed/chain/draw"
	"stormtop/simfeed/chain/prefetch"
)

// MaxLive is how many attempts and calls may be going on at once.
const MaxLive = 4_000_000

// MaxPending is how many events may be to come at once. Time-outs stay among
// them until their time has come, also of what was answered long before.
const MaxPending = 16_000_000

// ErrTooMany is that more was going on at once than MaxLive or MaxPending.
var ErrTooMany = errors.New("the simulated system holds too much at once")

// The kinds of events.
const (
	evArrival agenda.Kind = iota // of a user request; index: class
	evThought                    // a client of a closed loop asks again; index: client, gen: class
	evReached                    // the network led to a service; index: work
	evDone                       // own work is done; index: work
	evTired                      // waited too long for a slot; index: work
	evTimeout                    // of an attempt; index: call
	evWake                       // time for the next attempt; index: call
	evNoPool                     // waited too long for a connection; index: call
	evGrant                      // connections are to be given away; index: lane
	evChange                     // on the timeline; index: in e.plan
	evService                    // a restarted service is up, or warm; index: service
	evAnswer                     // the network led back; the outcome is added; index: call
)

// checkEvery is how many events pass between two looks at the context.
const checkEvery = 1 << 16

// Engine runs a scenario, window by window. It is not safe for use by several
// goroutines at once.
type Engine struct {
	scenario Scenario // as it is now
	seed     int64
	now      int64
	horizon  int64
	window   int   // the next one
	from     int64 // where it began
	handled  uint64
	hash     uint64
	full     bool // MaxLive was reached
	err      error

	agenda agenda.Agenda
	works  slab[work]
	calls  slab[call]
	roots  slab[root]
	tokens []uint32 // of the calls

	classes  []class
	nodes    []node
	lanes    []lane
	pools    []pool
	services []service
	plan     []planned
	begun    int // changes of a field so far
	changes  []Applied
	fresh    int // of changes, where those of the window begin
}

// New makes an engine at the start of a scenario. The error is Validate's.
func New(s Scenario, seed int64) (*Engine, error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("scenario %s cannot run: %w", s.Name, err)
	}
	e := &Engine{
		scenario: s.Clone(), seed: seed, horizon: int64(s.Length),
		works: newSlab[work](1024), calls: newSlab[call](1024), roots: newSlab[root](0),
	}
	e.build()
	e.compile()
	e.schedule()
	return e, nil
}

// Now is the time since the start of the run.
func (e *Engine) Now() time.Duration { return time.Duration(e.now) }

// Seed is what the run was made from, beside its scenario.
func (e *Engine) Seed() int64 { return e.seed }

// Events is how many events were handled.
func (e *Engine) Events() uint64 { return e.handled }

// Hash is the hash of the log of all events so far.
func (e *Engine) Hash() uint64 { return e.hash }

// Scenario is the scenario with the values that are in force now, without its
// timeline.
func (e *Engine) Scenario() Scenario { return e.scenario.Clone() }

// Changes are all changes made so far.
func (e *Engine) Changes() []Applied { return append([]Applied(nil), e.changes...) }

// Next runs to the end of the next window and returns what happened in it, and
// io.EOF when the run is over. When ctx is done first, the error is the
// context's and the run can be taken up again. ErrTooMany is final.
func (e *Engine) Next(ctx context.Context) (*Window, error) {
	if e.err != nil {
		return nil, e.err
	}
	if e.from >= e.horizon {
		return nil, io.EOF
	}
	until := min(e.from+int64(e.scenario.Every), e.horizon)
	if err := e.run(ctx, until); err != nil {
		return nil, err
	}
	w := e.collect(until)
	e.from = until
	e.window++
	return w, nil
}

// run handles all events before an instant.
func (e *Engine) run(ctx context.Context, until int64) error {
	var seen agenda.Event
	for budget := 0; ; budget-- {
		if budget <= 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if e.full {
				e.err = fmt.Errorf("%w: more than %d attempts and calls at %v; lower the rate, or bound queues, workers or attempts", ErrTooMany, MaxLive, e.Now())
				return e.err
			}
			if e.agenda.Len() > MaxPending {
				e.err = fmt.Errorf("%w: more than %d events to come at %v; lower the rate, or shorten the longest time-outs", ErrTooMany, MaxPending, e.Now())
				return e.err
			}
			budget = checkEvery
		}
		at, ok := e.agenda.Next()
		if !ok || at >= until {
			e.now = until
			return nil
		}
		ev := e.agenda.Pop()
		e.now = at
		if far, near := e.agenda.Ahead(); far != seen {
			seen = far
			e.fetch(far, near)
		}
		if e.handle(ev) {
			e.handled++
			e.hash = bits.RotateLeft64(e.hash, 23)*0x9E3779B97F4A7C15 +
				(uint64(at) ^ uint64(ev.Kind())<<56 ^ uint64(ev.Index)<<20 ^ uint64(ev.Gen))
		}
		if e.works.live+e.calls.live > MaxLive {
			e.full, budget = true, 0
		}
	}
}

// fetch asks for the record that a later event is about, and for what leads on
// from there when the event is near, so that its record has come.
func (e *Engine) fetch(far, near agenda.Event) {
	switch far.Kind() {
	case evDone:
		prefetch.Line(unsafe.Pointer(&e.works.all[far.Index]))
		w := &e.works.all[near.Index]
		if w.root != none {
			prefetch.Line(unsafe.Pointer(&e.roots.all[w.root]))
		}
	case evTimeout:
		prefetch.Line(unsafe.Pointer(&e.calls.all[far.Index]))
		c := &e.calls.all[near.Index]
		prefetch.Line(unsafe.Pointer(&e.works.all[c.parent]))
		if c.root != none {
			prefetch.Line(unsafe.Pointer(&e.roots.all[c.root]))
		}
	}
}

// handle handles an event, and is false when it was about something that is
// gone.
func (e *Engine) handle(ev agenda.Event) bool {
	i := int32(ev.Index)
	switch kind := ev.Kind(); kind {
	case evDone, evReached, evTired:
		w := &e.works.all[i]
		if w.gen != ev.Gen {
			return false
		}
		switch kind {
		case evDone:
			e.done(i)
		case evReached:
			e.reach(i)
		default:
			if w.state != workQueued {
				return false
			}
			e.tired(i)
		}
	case evTimeout, evWake, evNoPool:
		if e.tokens[i] != ev.Gen {
			return false
		}
		switch kind {
		case evTimeout:
			e.timeout(i)
		case evWake:
			e.wake(i)
		default:
			e.noPool(i)
		}
	case evArrival:
		return e.arrival(int(i), ev.Gen)
	case evThought:
		return e.thought(int(ev.Gen), i)
	case evGrant:
		e.grant(int(i))
	case evChange:
		e.advance(int(i))
	case evService:
		return e.serviceBack(int(i), ev.Gen)
	default:
		if e.tokens[i] != ev.Gen {
			return false
		}
		e.answered(i, outcomeOf(kind))
	}
	return true
}

func (e *Engine) stream(p draw.Purpose, entity int) draw.Stream {
	return draw.NewStream(e.seed, p, uint64(entity))
}
