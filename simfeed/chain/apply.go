package chain

import (
	"slices"
	"strconv"

	"stormtop/simfeed/chain/agenda"
)

func kind[N ~int | ~uint8](n N) agenda.Kind { return agenda.Kind(n) }

// steps is in how many steps a change goes over its time.
const steps = 100

// planned is a change with its place on the agenda.
type planned struct {
	layer
	manual bool
	stage  stage
	path   string  // of one field, once the change has begun
	order  int     // of its begin among all changes; 0 before it and once it has ended
	from   float64 // the number before, of a change over time
	to     float64 // and where it goes
	step   int     // done
}

type stage uint8

const (
	stageBegin stage = iota
	stageGo
	stageEnd
)

// schedule puts the timeline on the agenda.
func (e *Engine) schedule() {
	timeline := e.scenario.Timeline
	for _, c := range timeline {
		e.put(c, false)
	}
	e.scenario.Timeline = nil // what is left of it is in the plan
}

func (e *Engine) put(c Change, manual bool) {
	e.plan = append(e.plan, planned{layer: layer{change: c}, manual: manual})
	e.agenda.Add(int64(c.At), evChange, uint32(len(e.plan)-1), 0)
}

// Apply makes a change now, whatever its At; its For and Over count from now.
// The error is a *FieldError; nothing has then changed.
func (e *Engine) Apply(c Change) error {
	c.At, c.Operator = e.Now(), true
	if err := e.scenario.Check(c); err != nil {
		return err
	}
	e.plan = append(e.plan, planned{layer: layer{change: c}, manual: true})
	e.advance(len(e.plan) - 1)
	return nil
}

// Do makes the changes of an action of the scenario; those with a time follow.
// The error is a *FieldError; nothing has then changed.
func (e *Engine) Do(action string) error {
	i := slices.IndexFunc(e.scenario.Actions, func(a Action) bool { return a.Name == action })
	if i < 0 {
		return unknown("actions", "action", action, names(e.scenario.Actions, func(a *Action) string { return a.Name }))
	}
	a := e.scenario.Actions[i]
	trial := e.scenario.Clone()
	for _, c := range a.Changes {
		if err := trial.try(c); err != nil {
			return err
		}
	}
	for _, c := range a.Changes {
		if c.Note == "" {
			c.Note = a.Title
		}
		c.Operator = true
		if c.At == 0 {
			c.At = e.Now()
			e.plan = append(e.plan, planned{layer: layer{change: c}, manual: true})
			e.advance(len(e.plan) - 1)
			continue
		}
		c.At += e.Now()
		e.put(c, true)
	}
	return nil
}

// advance does the next stage of a change.
func (e *Engine) advance(i int) {
	p := &e.plan[i]
	c := p.change
	switch p.stage {
	case stageBegin:
		e.begin(i)
	case stageGo:
		p.step++
		slots, err := e.scenario.find(p.path)
		if err != nil {
			return
		}
		share := float64(p.step) / steps
		slots[0].setNum(p.from + float64(share*(p.to-p.from)))
		e.compile()
		e.goOn(i)
	case stageEnd:
		e.set(p.path, e.withoutPlanned(p), c.Note, p.manual, true)
	}
}

// withoutPlanned is the value of a field when a change of it has ended. What
// changed the field after it goes on.
func (e *Engine) withoutPlanned(p *planned) string {
	var later []*planned
	for i := range e.plan {
		if q := &e.plan[i]; q.path == p.path && q.order > p.order {
			later = append(later, q)
		}
	}
	p.order = 0
	slices.SortFunc(later, func(a, b *planned) int { return a.order - b.order })
	var layers []*layer
	for _, q := range later {
		if q.stage == stageGo { // it is on its way, and goes on from where it is
			q.before = e.scenario.without(p.path, p.before, layers)
			slots, err := e.scenario.find(p.path)
			if err != nil {
				return p.before
			}
			return slots[0].get()
		}
		layers = append(layers, &q.layer)
	}
	return e.scenario.without(p.path, p.before, layers)
}

// begin begins a change: a restart, or the fields that it means.
func (e *Engine) begin(i int) {
	c := e.plan[i].change
	if name := c.restarts(); name != "" {
		e.note(Applied{At: e.Now(), Field: c.Field, To: c.Value, Note: c.Note, Manual: e.plan[i].manual})
		e.restart(slices.Index(e.scenario.serviceNames(), name))
		return
	}
	for k, path := range e.scenario.meant(c.Field) { // some: Check has found what means nothing
		one := e.plan[i]
		one.path = path
		if k > 0 { // a "*" is several changes
			e.plan = append(e.plan, one)
			e.beginOne(len(e.plan) - 1)
			continue
		}
		e.plan[i] = one
		e.beginOne(i)
	}
}

func (e *Engine) beginOne(i int) {
	p := &e.plan[i]
	c := p.change
	c.Field = p.path
	target, err := e.scenario.target(c)
	if err != nil {
		return
	}
	slots, err := e.scenario.find(p.path)
	if err != nil {
		return
	}
	p.before = slots[0].get()
	e.begun++
	p.order = e.begun
	if c.Over > 0 {
		p.from, _ = slots[0].float()
		if slots[0].set(target) != nil {
			return
		}
		p.to, _ = slots[0].float()
		target = slots[0].get()
		slots[0].setNum(p.from)
		e.note(Applied{At: e.Now(), Field: p.path, From: p.before, To: target, Note: c.Note, Manual: p.manual})
		p.stage = stageGo
		e.goOn(i)
		return
	}
	e.set(p.path, target, c.Note, p.manual, false)
	e.goOn(i)
}

// goOn puts the next stage of a change on the agenda, if there is one.
func (e *Engine) goOn(i int) {
	p := &e.plan[i]
	c := p.change
	at := int64(c.At)
	switch {
	case p.stage == stageGo && p.step < steps:
		at += int64(c.Over) / steps * int64(p.step+1)
	case c.For > 0:
		p.stage = stageEnd
		at += int64(c.For)
	default:
		return
	}
	e.agenda.Add(max(at, e.now), evChange, uint32(i), 0)
}

// set sets a field and lets the parts of the engine follow.
func (e *Engine) set(path, value, note string, manual, ended bool) {
	slots, err := e.scenario.find(path)
	if err != nil {
		return
	}
	before := slots[0].get()
	if slots[0].set(value) != nil {
		return
	}
	e.compile()
	e.note(Applied{At: e.Now(), Field: path, From: before, To: slots[0].get(), Note: note, Manual: manual, Ended: ended})
}

func (e *Engine) note(a Applied) { e.changes = append(e.changes, a) }

// FormatFactor is a value that multiplies a number: "x5".
func FormatFactor(factor float64) string { return "x" + strconv.FormatFloat(factor, 'g', -1, 64) }
