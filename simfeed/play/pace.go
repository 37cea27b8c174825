package play

import (
	"context"
	"sync"
	"time"

	"stormtop/simfeed"
)

// lag is how far the simulation may be behind its clock before it gives up to
// catch up: an engine that is slower than the speed asked for would otherwise
// race for a long time after the speed was lowered.
const lag = time.Second

// pace says when virtual time is due, at a speed that may change meanwhile.
type pace struct {
	sleep simfeed.Sleep // nil: everything is due at once
	now   func() time.Time

	mu    sync.Mutex
	speed float64
	base  time.Time // of the clock,
	at    time.Time // when this virtual time was due
	wake  context.CancelFunc
}

// wait waits until an instant of virtual time is due.
func (p *pace) wait(ctx context.Context, at time.Time) error {
	for p.sleep != nil {
		p.mu.Lock()
		if p.speed <= 0 {
			p.mu.Unlock()
			break
		}
		due := p.base.Add(time.Duration(float64(at.Sub(p.at)) / p.speed))
		asleep, cancel := context.WithCancel(ctx)
		p.wake = cancel
		p.mu.Unlock()
		err := p.sleep(asleep, due)
		woken := asleep.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case woken:
			continue // the speed is another one
		case err != nil:
			return err
		}
		p.mu.Lock()
		p.base, p.at = due, at
		if late := p.now().Sub(due); late > lag {
			p.base = due.Add(late)
		}
		p.mu.Unlock()
		return nil
	}
	return ctx.Err()
}

// setSpeed goes on at another speed from the last reading on.
func (p *pace) setSpeed(speed float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.speed > 0 && speed > 0 {
		p.speed = speed
	}
	if p.wake != nil {
		p.wake()
	}
}

func (p *pace) current() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.speed
}

// resume makes an instant of virtual time due now.
func (p *pace) resume(at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.base, p.at = p.now(), at
}
