// Package agenda orders the events of a simulation by time, and events of the
// same time by the order in which they were made. It holds small structs by
// value: nothing is allocated for an event once the memory has grown.
package agenda

import (
	"math"
	"math/bits"
)

// Kind is what an event is; the meaning is its owner's. It is below Kinds.
type Kind uint8

// Kinds is the number of kinds there may be.
const Kinds = 128

const (
	kindBits = 8
	headBit  = 0x80 // the event stands for the first one of a lane
)

// Event is something that will happen.
type Event struct {
	At    int64  // nanoseconds
	key   uint64 // the sequence number above the kind
	Index uint32 // what it is about
	Gen   uint32 // of which generation; whether it still lives, the owner knows
}

// Kind is what the event is.
func (e Event) Kind() Kind { return Kind(e.key & (headBit - 1)) }

// before is 1 when e comes before f, else 0: a subtraction of 128 bits, since
// the processor would guess a branch wrong every other time.
func (e *Event) before(f *Event) uint64 {
	_, borrow := bits.Sub64(e.key, f.key, 0)
	_, borrow = bits.Sub64(uint64(e.At), uint64(f.At), borrow)
	return borrow
}

// last comes after every event; the heap is padded with it, so that every event
// has four children.
var last = Event{At: math.MaxInt64, key: math.MaxUint64}

// Lane is a queue of events that mostly come in the order of time, because
// they are all made the same delay ahead. Only its first event is in the heap.
type Lane uint32

type ring struct {
	kind   Kind
	buf    []Event // a power of two
	head   uint32
	count  uint32
	last   int64     // time of the newest
	tokens *[]uint32 // by Index: an event of another Gen is dead; nil: none is
}

// Agenda is all events to come.
type Agenda struct {
	heap  []Event // 4-ary: the first n, and then padding
	n     int
	hole  bool // the first one was taken, and its place not filled yet
	rings []ring
	seq   uint64
	ahead Event
	soon  Event
}

// lookAhead is how many events of a lane lie between the one that is taken and
// the one that Ahead tells of: far enough that memory can be fetched meanwhile.
const lookAhead = 8

// NewLane makes a lane for events of a kind.
func (a *Agenda) NewLane(k Kind) Lane {
	a.rings = append(a.rings, ring{kind: k, buf: make([]Event, 16)})
	return Lane(len(a.rings) - 1)
}

// NewTokenLane makes a lane for events that are dead as soon as the token at
// their Index is another than their Gen, and from then on for ever. Dead ones are
// mostly thrown away when they come to the front, without a way through the
// heap: time-outs, of which few are ever waited for to the end.
func (a *Agenda) NewTokenLane(k Kind, tokens *[]uint32) Lane {
	l := a.NewLane(k)
	a.rings[l].tokens = tokens
	return l
}

// Len is the number of events to come.
func (a *Agenda) Len() int {
	n := a.n
	if a.hole {
		n--
	}
	for i := range a.rings {
		if c := a.rings[i].count; c > 0 {
			n += int(c) - 1
		}
	}
	return n
}

// Add adds an event.
func (a *Agenda) Add(at int64, k Kind, index, gen uint32) {
	a.seq++
	a.push(Event{at, a.seq<<kindBits | uint64(k), index, gen})
}

// AddTo adds an event of the lane's kind. One that is earlier than the newest
// of the lane, because the delay shrank, goes to the heap, so that order holds.
func (a *Agenda) AddTo(l Lane, at int64, index, gen uint32) {
	a.seq++
	r := &a.rings[l]
	e := Event{at, a.seq<<kindBits | uint64(r.kind), index, gen}
	if r.count == 0 {
		r.buf[r.head], r.count, r.last = e, 1, at
		a.push(Event{at, e.key | headBit, uint32(l), 0})
		return
	}
	if at < r.last {
		a.push(e)
		return
	}
	if int(r.count) == len(r.buf) {
		r.grow()
	}
	r.buf[(r.head+r.count)&uint32(len(r.buf)-1)] = e
	r.count++
	r.last = at
}

func (r *ring) grow() {
	buf := make([]Event, 2*len(r.buf))
	n := copy(buf, r.buf[r.head:])
	copy(buf[n:], r.buf[:r.head])
	r.buf, r.head = buf, 0
}

// Next is the time of the first event, and false when there is none.
func (a *Agenda) Next() (at int64, ok bool) {
	a.fill()
	if a.n == 0 {
		return 0, false
	}
	return a.heap[0].At, true
}

// Pop takes the first event; there must be one.
func (a *Agenda) Pop() Event {
	a.fill()
	top := a.heap[0]
	if top.key&headBit == 0 {
		a.hole = true
		return top
	}
	r := &a.rings[top.Index]
	mask := uint32(len(r.buf) - 1)
	e := r.buf[r.head&mask]
	if r.count > lookAhead {
		a.ahead = r.buf[(r.head+lookAhead)&mask]
		a.soon = r.buf[(r.head+lookAhead/2)&mask]
	}
	r.head = (r.head + 1) & mask
	r.count--
	if r.tokens != nil {
		r.bury()
	}
	if r.count > 0 {
		f := &r.buf[r.head&mask]
		a.sink(Event{f.At, f.key | headBit, top.Index, 0})
		return e
	}
	a.hole = true
	return e
}

// bury throws the dead events at the front away.
func (r *ring) bury() {
	mask, tokens := uint32(len(r.buf)-1), *r.tokens
	for r.count > 0 {
		if f := &r.buf[r.head&mask]; tokens[f.Index] == f.Gen {
			return
		}
		r.head = (r.head + 1) & mask
		r.count--
	}
}

// Ahead is an event that will be taken soon, and then one that will be taken
// sooner, so that what they are about can be fetched from memory: those of the
// lane from which an event was taken last. They may have been told before, or
// be of the past.
func (a *Agenda) Ahead() (far, near Event) { return a.ahead, a.soon }

// fill fills the place of an event that was taken with the last one. Most often
// a new event has come by then and taken it: that is half the work.
func (a *Agenda) fill() {
	if !a.hole {
		return
	}
	a.hole = false
	a.n--
	moved := a.heap[a.n]
	a.heap[a.n] = last
	if a.n > 0 {
		a.sink(moved)
	}
}

func (a *Agenda) push(e Event) {
	if a.hole {
		a.hole = false
		a.sink(e)
		return
	}
	for len(a.heap) < a.n+5 {
		a.heap = append(a.heap, last)
	}
	h := a.heap
	i := a.n
	a.n++
	for i > 0 {
		up := (i - 1) / 4
		if e.before(&h[up]) == 0 {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

// sink puts an event in the place of the first one, and down to where it
// belongs.
func (a *Agenda) sink(e Event) {
	h := a.heap
	i := 0
	for {
		first := 4*i + 1
		if first >= a.n {
			break
		}
		four := h[first : first+4 : first+4]
		low := four[1].before(&four[0])
		high := 2 + four[3].before(&four[2])
		least := &four[low&3]
		at := low
		if four[high&3].before(least) != 0 {
			at = high
		}
		least = &four[at&3]
		if least.before(&e) == 0 {
			break
		}
		h[i] = *least
		i = first + int(at)
	}
	h[i] = e
}
