package lab

import (
	"fmt"
	"math"
)

// Engine runs one Config second by second.
type Engine struct {
	config   Config
	now      int // the next second to process
	cells    []cell
	attempts []int64 // by second and attempt number
	success  []int64 // likewise
	waiting  int64   // at the end of the second before now

	backoff []int64   // before retry i+1, in ms
	spread  []float64 // the same, scaled for the 53 random bits
	random  Rand
	waits   latencies
	refill  int64 // budget tokens at the start of a second

	openUntil int   // the breaker refuses attempts in seconds before it
	failures  int64 // in a row
	trips     []int
	wrongly   int64 // refused although they could have been served
	failed    int64
}

// cell is what all requests share of one second.
type cell struct {
	arrivals int64 // attempts charged to it
	room     int64 // arrivals that can succeed: the capacity, or 0 in the outage
	last     int64 // of the arrivals, those that were the last one of their request
}

// NewEngine makes an engine at second 0. The error is Config.Validate's.
func NewEngine(c Config) (*Engine, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("the lab cannot run so: %w", err)
	}
	e := &Engine{
		config: c, random: NewRand(c.Seed), waits: newLatencies(c),
		cells:    make([]cell, c.Seconds),
		attempts: make([]int64, c.Seconds*c.Attempts()),
		success:  make([]int64, c.Seconds*c.Attempts()),
		refill:   int64(math.Floor(float64(c.Capacity) * c.BudgetPct / 100)),
	}
	for i := range e.cells {
		if i < c.OutageFrom || i >= c.OutageTo {
			e.cells[i].room = int64(c.Capacity)
		}
	}
	for a := range c.Attempts() {
		ms := c.Base.Milliseconds() << a
		e.backoff = append(e.backoff, ms)
		e.spread = append(e.spread, float64(ms)*(1.0/(1<<53)))
	}
	return e, nil
}

// Config is what the engine runs.
func (e *Engine) Config() Config { return e.config }

// Step processes the next second and returns it, final; ok is false when the
// run is over.
func (e *Engine) Step() (s Second, ok bool) {
	if e.now >= e.config.Seconds {
		return Second{}, false
	}
	e.process(e.now)
	n := e.config.Attempts()
	s = Second{
		Index: e.now, Requests: int64(e.config.Clients), Capacity: int64(e.config.Capacity),
		Attempts:  e.attempts[e.now*n : (e.now+1)*n : (e.now+1)*n],
		Successes: e.success[e.now*n : (e.now+1)*n : (e.now+1)*n],
		Outage:    e.cells[e.now].room == 0,
	}
	// Whoever made a first attempt waits until the last one was made.
	e.waiting += s.Attempts[0] - e.cells[e.now].last
	s.Waiting = e.waiting
	e.now++
	return s, true
}

// process runs all requests that begin in a second to their end.
func (e *Engine) process(now int) {
	var (
		cells     = e.cells
		attempts  = e.attempts
		success   = e.success
		end       = len(cells) - 1
		stride    = e.config.Attempts()
		deadline  = e.config.Deadline.Milliseconds()
		breaker   = e.config.Breaker
		threshold = int64(e.config.BreakerThreshold)
		budget    = e.config.BudgetPct < 100
		jitter    = e.config.Jitter == FullJitter
		tokens    = e.refill
		random    = e.random.state
		openUntil = e.openUntil
		failures  = e.failures
		counts    = e.waits.counts
		failed    int64
	)
	for range e.config.Clients {
		wait, last, delivered := int64(0), -1, false
		for a := 0; ; a++ {
			sec := min(now+int(uint64(wait+999)/1000), end)
			c := &cells[sec]
			if breaker && sec < openUntil {
				if c.arrivals < c.room {
					e.wrongly++
				}
				break
			}
			if budget && a > 0 {
				if tokens == 0 {
					break
				}
				tokens--
			}
			if a >= stride {
				break
			}
			c.arrivals++
			attempts[sec*stride+a]++
			last = sec
			if wait > deadline {
				break
			}
			if c.arrivals <= c.room {
				success[sec*stride+a]++
				counts[wait]++
				e.waits.sum += wait
				failures = 0
				delivered = true
				break
			}
			failures++
			if breaker && failures > threshold && sec >= openUntil {
				openUntil = sec + BreakerOpen
				e.trips = append(e.trips, sec)
			}
			if !jitter {
				wait += e.backoff[a]
				continue
			}
			var bits uint64
			bits, random = draw53(random)
			wait += int64(float64(int64(bits)) * e.spread[a])
		}
		if last >= 0 {
			cells[last].last++
		}
		if !delivered {
			failed++
		}
	}
	e.random.state, e.openUntil, e.failures = random, openUntil, failures
	e.failed += failed
	e.waits.n += int64(e.config.Clients) - failed
}
