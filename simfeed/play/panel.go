package play

import (
	"context"
	"errors"
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
	over    bool // the run came to its end and was not begun again
	wake    chan struct{}
	peers   []collector.Course // never changed, only replaced

	seen chan struct{} // closed when there is a picture

	effects effects // of the goroutine that reads the feed
	flows   flows   // the same
	judging judging // the same
}

func (p *panel) start(s *scenario.Scenario, seed int64) {
	p.now, p.seed, p.acted, p.wake = s.Clone(), seed, map[string]bool{}, make(chan struct{}, 1)
	p.seen = make(chan struct{})
}

// errOver refuses what would come after the last second.
var errOver = errors.New("the run is over: R starts it again")

// Rig is the newest picture of the simulation: of its last second, with what was
// asked for since then.
func (f *Feed) Rig() *collector.Rig { return f.panel.rig.Load() }

// Turn sets a field to a value from the next second on.
func (f *Feed) Turn(field, value string) error {
	p := &f.panel
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return errOver
	}
	o := order{changes: turned(&p.now, field, value)}
	for _, c := range o.changes {
		if err := p.now.Check(c); err != nil {
			return err
		}
	}
	for _, c := range o.changes {
		put(&p.now, c)
	}
	p.asked = append(p.asked, o)
	p.pend(f)
	return nil
}

// Do does an action of the scenario in the next second.
func (f *Feed) Do(name string) error {
	p := &f.panel
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return errOver
	}
	after, err := acting(&p.now, name)
	if err != nil {
		return err
	}
	p.now = after
	p.asked = append(p.asked, order{action: name})
	p.acted[name] = true
	p.pend(f)
	return nil
}

// Restart begins the scenario anew with a seed, as its file says: what was
// changed by hand is forgotten.
func (f *Feed) Restart(seed int64) {
	p := &f.panel
	p.mu.Lock()
	defer p.mu.Unlock()
	p.restart, p.over, p.seed = true, false, seed
	p.asked, p.kept, p.acted, p.now = nil, nil, map[string]bool{}, f.scenario.Clone()
	p.pend(f)
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// SetSpeed goes on at so many virtual seconds for a second of the clock.
func (f *Feed) SetSpeed(speed float64) {
	f.pace.setSpeed(speed)
	f.panel.mu.Lock()
	defer f.panel.mu.Unlock()
	f.panel.pend(f)
}

// pend shows what was asked for, which the engine is told with the next second:
// so that a key takes the next step from where the last one led. The lock is
// held.
func (p *panel) pend(f *Feed) {
	if last := p.rig.Load(); last != nil {
		rig := *last
		p.overlay(f, &rig)
		p.rig.Store(&rig)
	}
}

// overlay puts what keys change into a picture. The lock is held.
func (p *panel) overlay(f *Feed, rig *collector.Rig) {
	class, _ := p.now.Watched()
	inFlight := func(layer int) int {
		if layer < len(rig.Hops) {
			return rig.Hops[layer].InFlight
		}
		return 0
	}
	rig.Levers, rig.Faults = levers(&p.now, class, f.path(), inFlight), faults(&f.scenario.Scenario, &p.now)
	rig.Repairs = slices.Clone(rig.Repairs)
	for i := range rig.Repairs {
		rig.Repairs[i].Done = p.acted[rig.Repairs[i].Name]
	}
	rig.Seed, rig.Speed, rig.Over = p.seed, f.pace.current(), p.over
	if !p.over {
		rig.Outcome = ""
	}
}

// take is what was asked for since it was last taken.
func (p *panel) take() (asked []order, restart bool, seed int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked, restart, seed = p.asked, p.restart, p.seed
	p.asked, p.restart = nil, false
	if restart {
		p.effects, p.flows, p.judging = effects{}, flows{}, judging{}
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
	p.effects.repeated = len(e.Changes())
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
	p.effects.add(w, now, f.scenario.Baseline)
	rig := picture(f, w, now)
	rig.Effect = p.effects.effect(faults(&f.scenario.Scenario, now))
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.asked) == 0 && !p.restart {
		actions := p.now.Actions
		p.now = now.Clone()
		p.now.Actions = actions
	}
	p.over = !f.scenario.Loop && w.End >= f.scenario.Length && !p.restart
	if !f.scenario.Loop {
		if p.judging.add(w, &f.scenario.Scenario); p.over {
			rig.Outcome = p.judging.outcome(&f.scenario.Scenario)
		}
	}
	rig.Peers, rig.PeerSeed = p.peers, f.first
	p.overlay(f, rig)
	if p.rig.Swap(rig) == nil {
		close(p.seen)
	}
}
