package prom

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
)

// patientClock jumps over short waits only; a long one goes on until somebody
// asks for another try.
type patientClock struct {
	*fakeClock
	waits chan time.Duration // the long ones
}

func (c patientClock) After(d time.Duration) <-chan time.Time {
	if d <= 10*time.Second {
		return c.fakeClock.After(d)
	}
	c.waits <- d
	return nil
}

func TestRetryEndsAWaitThatIsUnderWay(t *testing.T) {
	for name, answer := range map[string]canned{
		"in seconds": {code: 429, header: map[string]string{"Retry-After": "600"}},
		"as a date": {code: 503, header: map[string]string{
			"Date": "Mon, 04 May 2026 10:00:00 GMT", "Retry-After": "Mon, 04 May 2026 10:10:00 GMT"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			clock := patientClock{f.clock, make(chan time.Duration, 1)}
			s := f.open(t, func(c *Config) { c.Clock = clock })
			good := next(t, s)
			f.on(func(request) *canned { return &answer })
			fail := blindFailure(t, next(t, s))
			if d := fail.Retry.Sub(f.clock.Now()); d < 10*time.Minute || d > 10*time.Minute+10*time.Second {
				t.Fatalf("the next try is in %v", d)
			}
			f.asked()
			f.on(nil)
			got := make(chan *collector.Reading)
			go func() {
				r, _ := s.Next(context.Background())
				got <- r
			}()
			if d := <-clock.waits; d < 9*time.Minute {
				t.Errorf("it waits %v", d)
			}
			if n := len(f.asked()); n != 0 {
				t.Errorf("%d requests while it waits", n)
			}
			s.Retry()
			s.Retry() // asking twice is asking once
			r := <-got
			if r.Blind() || r.At.Sub(good.At) > 15*time.Second || len(r.Targets) != 2 {
				t.Errorf("%+v at %v", r.Failures, r.At)
			}
		})
	}
}

// TestAskingOftenIsNoBurst: a person who keeps the key pressed.
func TestAskingOftenIsNoBurst(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	next(t, s)
	f.on(func(request) *canned { return &canned{code: 429, header: map[string]string{"Retry-After": "600"}} })
	f.asked()
	start := f.clock.Now()
	for range 20 {
		s.Retry()
		next(t, s)
	}
	if n, d := len(f.asked()), f.clock.Now().Sub(start); float64(n) > 4+d.Seconds()/5 {
		t.Errorf("%d requests in %v", n, d)
	}
}

// TestA403OfOneQueryStopsThatQueryAlone: the others are read on, and the
// refused one is not sent again before somebody asks.
func TestA403OfOneQueryStopsThatQueryAlone(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	next(t, s)
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "down_total[20s]") {
			return &canned{code: 403, body: "not yours"}
		}
		return nil
	})
	r := next(t, s)
	if r.Blind() || len(r.Failures) != 1 || r.Failures[0].Kind != collector.Forbidden || !r.Failures[0].Retry.IsZero() {
		t.Fatalf("%+v", r.Failures)
	}
	f.asked()
	next(t, s)
	for _, q := range f.asked() {
		if strings.Contains(q.query, "down_total[20s]") {
			t.Error("the refused query was sent again")
		}
	}
}

// TestAClockThatJumpsIsNoBurstAndNoHole: a laptop that slept for an hour, and a
// clock that was set, with a server that can say what time it is and without.
func TestAClockThatJumpsIsNoBurstAndNoHole(t *testing.T) {
	const hour = time.Hour
	for name, c := range map[string]struct {
		machine, server time.Duration // how far their clocks pace.Jump
		down            bool
		later           time.Duration // the next reading after the one before
		missed          int
	}{
		"asleep":                  {hour, hour, false, hour, 719},
		"asleep, server down":     {hour, hour, true, hour, 719},
		"set back":                {-hour, 0, false, 5 * time.Second, 0},
		"set back, down":          {-hour, 0, true, 5 * time.Second, 0},
		"set forward":             {hour, 0, false, 5 * time.Second, 0},
		"set back a little":       {-20 * time.Second, 0, false, 5 * time.Second, 0},
		"asleep for a moment":     {22 * time.Second, 22 * time.Second, false, 20 * time.Second, 3},
		"set forward two minutes": {2 * time.Minute, 0, false, 5 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			clock := patientClock{f.clock, make(chan time.Duration, 1)}
			s := f.open(t, func(cfg *Config) { cfg.Clock = clock })
			next(t, s)
			before := next(t, s)
			f.asked()
			f.clock.advance(c.machine)
			f.ahead += c.server - c.machine
			if c.down {
				f.on(func(request) *canned { return &canned{code: 503} })
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			got := make(chan *collector.Reading)
			var asked atomic.Int64
			go func() {
				for range 3 {
					r, _ := s.Next(ctx)
					asked.Store(int64(len(f.asked()))) // before the next one begins
					got <- r
				}
			}()
			wait := func() (r *collector.Reading) {
				select {
				case r = <-got:
				case d := <-clock.waits:
					if c.machine > -pace.Jump && c.machine < 0 && d < pace.Jump { // not worth a look: the slot comes when it comes
						f.clock.advance(d)
						s.Retry()
						return <-got
					}
					t.Fatalf("it waits for %v", d)
				}
				return r
			}
			first := wait()
			requests := asked.Load()
			if first.Missed != c.missed || first.At.Sub(before.At) != c.later || first.Blind() != c.down {
				t.Errorf("%v later, %d missed, %+v", first.At.Sub(before.At), first.Missed, first.Failures)
			}
			if n := requests; n > 10 {
				t.Errorf("%d requests", n)
			}
			if c.down {
				return
			}
			for at := first.At; ; {
				r := wait()
				if r.At.Sub(at) != 5*time.Second || r.Missed != 0 || r.Blind() {
					t.Errorf("then %v later, %d missed", r.At.Sub(at), r.Missed)
				}
				if at = r.At; at.Sub(first.At) >= 10*time.Second {
					return
				}
			}
		})
	}
}

// TestAServerThatHangsIsNotAskedForTheRest: of eight signals and two ages four
// are sent, and then one at a time until one is answered.
func TestAServerThatHangsIsNotAskedForTheRest(t *testing.T) {
	f := newFake(t)
	s := f.open(t, func(c *Config) {
		for _, sig := range collector.Inputs() {
			c.Signals[sig] = "sum by ($by) (rate(down_total[$window]))"
		}
	})
	next(t, s)
	f.asked()
	f.on(func(q request) *canned {
		return &canned{code: 503, body: `{"status":"error","errorType":"timeout","error":"query timed out"}`}
	})
	if fail := blindFailure(t, next(t, s)); fail.Kind != collector.TimedOut {
		t.Errorf("%+v", fail)
	}
	if n := len(f.asked()); n < maxParallel || n >= 2*maxParallel {
		t.Errorf("%d requests", n)
	}
	f.on(nil)
	if r := next(t, s); r.Blind() || len(r.Failures) != 0 {
		t.Errorf("%+v", r.Failures)
	}
}

// TestOneQueryThatHangsHoldsNoOtherBack: a quick server is asked one by one, and
// a query that is not answered does not stand before the others for long.
func TestOneQueryThatHangsHoldsNoOtherBack(t *testing.T) {
	f := newFake(t)
	src := f.open(t, func(c *Config) {
		c.Timeout = 50 * time.Millisecond
		for _, sig := range collector.Inputs()[2:8] {
			c.Signals[sig] = "sum by ($by) (rate(down_total[$window]))"
		}
	})
	for range 5 {
		f.on(func(request) *canned { f.clock.advance(time.Millisecond); return nil })
		next(t, src)
	}
	if src.parallel() != 1 {
		t.Fatal("a server that answers at once is asked for several at a time")
	}
	hung := make(chan struct{})
	t.Cleanup(func() { close(hung) })
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "in_total") && strings.HasPrefix(q.query, "sum by") {
			<-hung
		}
		return nil
	})
	r := next(t, src)
	if r.Blind() || len(r.Failures) != 1 || r.Failures[0].Signal != collector.Ingress || value(t, r, "payments", collector.Downstream).State != collector.Ok {
		t.Errorf("%+v", r.Failures)
	}
}
