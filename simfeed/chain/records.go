package chain

import "math"

// Records live in slabs and are addressed by index; a generation tells a new
// one from an old one in the same place, so that events about what is gone are
// recognised when they come (lazy deletion).

const (
	none  = int32(-1)
	never = int64(math.MaxInt64)
)

// workState is where the work for an attempt is.
type workState uint8

const (
	workFree       workState = iota
	workTravelling           // on the network to the service
	workQueued               // waits for a slot
	workRunning              // does its own work
	workCalling              // waits for its own calls
)

// work is an attempt as the callee sees it, or a user request at the first
// service. 64 bytes: one line of the cache.
type work struct {
	arrived  int64  // at the service
	started  int64  // got a slot
	deadline int64  // after which nobody waits, where the caller says so
	gen      uint32 // of what is in this place
	token    uint32 // of the call when it was sent; of a user request its client
	call     int32  // that waits for it; none for a user request
	root     int32  // the user request, where its side effects are counted
	next     int32  // in the queue, towards younger ones; or of the free list
	prev     int32
	child    int32 // first of its own calls
	node     uint16
	left     uint16 // calls to begin
	open     uint16 // calls begun and not ended
	pool     uint16 // of the service
	state    workState
	slot     bool // holds one
	original bool // first attempt of a first attempt: not made by a retry
}

// callState is where a call is.
type callState uint8

const (
	callFree    callState = iota
	callPooling           // waits for a connection
	callSent              // waits for an answer
	callAsleep            // waits for its next attempt
)

// What a call holds.
const (
	holdsConnection = 1 << iota // of the pool
	holdsBulkhead
	holdsRetry    // a slot of a concurrent-retry budget
	probesOutside // it is a probe of the breaker outside the retry loop
	probesInside  // its attempt is a probe of the breaker inside
	holdsPlace    // below the limit of the callee, in the second of its next attempt
)

// call is a call as the caller sees it, with all its attempts. Its token, which
// changes with each attempt and when the call ends, is kept apart, in
// Engine.tokens: most events ask for the token alone, and there it is one of
// many in a line of the cache. 64 bytes.
type call struct {
	since    int64 // sent, or began to wait for a connection
	deadline int64 // of all attempts
	memory   int64 // of the back-off
	work     int32 // of the attempt that is waited for
	workGen  uint32
	parent   int32 // the work it belongs to
	next     int32 // of the same work; or of the free list
	prev     int32
	root     int32   // of its work
	cost     float32 // of the attempt, that its success gives back
	node     uint16  // of the callee
	lane     uint16  // where it holds what it holds
	state    callState
	attempt  uint8 // number of the last one tried
	holds    uint8
	granted  uint8 // further retries that the budget permitted with its first
	original bool  // its work is
}

// root is a user request whose side effects are counted: it lives as long as
// any work for it.
type root struct {
	refs     int32
	next     int32           // of the free list
	executed [MaxHops]uint16 // by hop
	wanted   [MaxHops]uint16 // executions that would be no duplicates
}

// slab is records of one type with a list of free ones.
type slab[T any] struct {
	all  []T
	free int32
	live int
}

func newSlab[T any](size int) slab[T] { return slab[T]{all: make([]T, 0, size), free: none} }

func (e *Engine) newWork() int32 {
	s := &e.works
	s.live++
	if i := s.free; i != none {
		s.free = s.all[i].next
		return i
	}
	s.all = append(s.all, work{})
	return int32(len(s.all) - 1)
}

func (e *Engine) freeWork(i int32) {
	w := &e.works.all[i]
	if w.root != none {
		e.dropRoot(w.root)
	}
	w.gen++
	w.state = workFree
	w.next, e.works.free = e.works.free, i
	e.works.live--
}

func (e *Engine) newCall() int32 {
	s := &e.calls
	s.live++
	if i := s.free; i != none {
		s.free = s.all[i].next
		return i
	}
	s.all = append(s.all, call{})
	e.tokens = append(e.tokens, 0)
	return int32(len(s.all) - 1)
}

func (e *Engine) freeCall(i int32) {
	c := &e.calls.all[i]
	e.tokens[i]++
	c.state = callFree
	c.next, e.calls.free = e.calls.free, i
	e.calls.live--
}

func (e *Engine) newRoot() int32 {
	s := &e.roots
	s.live++
	i := s.free
	if i != none {
		s.free = s.all[i].next
	} else {
		s.all = append(s.all, root{})
		i = int32(len(s.all) - 1)
	}
	s.all[i] = root{refs: 1, next: none}
	return i
}

func (e *Engine) dropRoot(i int32) {
	r := &e.roots.all[i]
	if r.refs--; r.refs == 0 {
		r.next, e.roots.free = e.roots.free, i
		e.roots.live--
	}
}
