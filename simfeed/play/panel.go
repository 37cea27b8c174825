package play

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/scenario"
)

// panel is what somebody asks of a running simulation, from any goroutine, and
// what is shown of it. The engine belongs to the goroutine that reads the feed,
// so it is not touched here: orders are checked against the scenario as it was
// at the last reading, with the orders since then, and given at the next one.
type panel struct {
	rig atomic.Pointer[collector.Rig]

	mu      sync.Mutex
	now     chain.Scenario // as it is after the orders
	asked   []order        // since the last second
	kept    []order        // given so far in this run, which the next lap repeats
	acted   map[string]bool
	seed    int64 // of lap 0
	restart bool
	wake    chan struct{}
	peers   []collector.Course // never changed, only replaced

	seen chan struct{} // closed when there is a picture

	effects effects // of the goroutine that reads the feed
}

func (p *panel) start(s *scenario.Scenario, seed int64) {
	p.now, p.seed, p.acted, p.wake = s.Clone(), seed, map[string]bool{}, make(chan struct{}, 1)
	p.seen = make(chan struct{})
}

// Rig is the newest picture of the simulation.
func (f *Feed) Rig() *collector.Rig { return f.panel.rig.Load() }

// Turn sets a field to a value from the next second on.
func (f *Feed) Turn(field, value string) error {
	p := &f.panel
	p.mu.Lock()
	defer p.mu.Unlock()
	o := order{changes: turned(&p.now, field, value)}
	for _, c := range o.changes {
		if err := p.now.Check(c); err != nil {
			return err
		}
	}
	for _, c := range o.changes {
		if restarts := p.now.Set(c.Field, c.Value); restarts != nil {
			break // a restart, or a factor: it has no value to keep
		}
	}
	p.asked = append(p.asked, o)
	return nil
}

// Do does an action of the scenario in the next second.
func (f *Feed) Do(name string) error {
	p := &f.panel
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.now.Play(name); err != nil {
		return err
	}
	p.asked = append(p.asked, order{action: name})
	p.acted[name] = true
	return nil
}

// Restart begins the scenario anew with a seed, as its file says: what was
// changed by hand is forgotten.
func (f *Feed) Restart(seed int64) {
	p := &f.panel
	p.mu.Lock()
	defer p.mu.Unlock()
	p.restart, p.seed = true, seed
	p.asked, p.kept, p.acted, p.now = nil, nil, map[string]bool{}, f.scenario.Clone()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// SetSpeed goes on at so many virtual seconds for a second of the clock.
func (f *Feed) SetSpeed(speed float64) { f.pace.setSpeed(speed) }

// take is what was asked for since it was last taken.
func (p *panel) take() (asked []order, restart bool, seed int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked, restart, seed = p.asked, p.restart, p.seed
	p.asked, p.restart = nil, false
	if restart {
		p.effects = effects{}
	}
	return asked, restart, seed
}

// done notes an order that was given.
func (p *panel) done(o order, err error) {
	if err != nil {
		return // the scenario changed between the question and now; nothing was done
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !o.restarts() {
		p.kept = append(slices.DeleteFunc(p.kept, o.replaces), o)
	}
}

// repeat gives all orders to the engine of the next lap.
func (p *panel) repeat(e *chain.Engine) {
	p.mu.Lock()
	kept := slices.Clone(p.kept)
	p.mu.Unlock()
	for _, o := range kept {
		if o.apply(e) != nil {
			continue // what cannot be at the start of a lap is left as the file says
		}
	}
}

func (p *panel) seedNow() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seed
}

// wait waits for a restart.
func (p *panel) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-p.wake:
		return nil
	}
}

// show takes the picture of a second.
func (p *panel) show(f *Feed, w *chain.Window, now *chain.Scenario) {
	p.effects.add(w, now)
	p.mu.Lock()
	if len(p.asked) == 0 && !p.restart {
		actions := p.now.Actions
		p.now = now.Clone()
		p.now.Actions = actions
	}
	acted, seed, peers := p.acted, p.seed, p.peers
	done := make(map[string]bool, len(acted))
	for name := range acted {
		done[name] = true
	}
	p.mu.Unlock()
	rig := picture(f, w, now, done)
	rig.Seed, rig.Effect, rig.Peers = seed, p.effects.last(), peers
	if p.rig.Swap(rig) == nil {
		close(p.seen)
	}
}
