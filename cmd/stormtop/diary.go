package main

import (
	"io"
	"sync"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/collector/recording"
)

// diary is a watch that writes down what happens, where a recording is made, and
// enters what is known to have happened when its time has come.
type diary struct {
	*watch.Watch
	due []collector.Event // marks and changes of a recording, by time, not yet entered
	to  *recorder         // nil: nothing is written

	// follows says that the rules are those of the recording that is played, at
	// every instant those that were in force then: until somebody sets others.
	follows bool
	inForce []collector.RuleSpec // the ones of the recording that were taken last
	early   bool                 // early warnings are among the rules, as on a screen

	tells collector.Changing // the source, where it knows what changes; nil: it does not
	calls *caller            // nil: no command is told
}

// Add takes a reading.
func (d *diary) Add(r *collector.Reading) []collector.Event {
	d.follow(r)
	events := d.Watch.Add(r)
	for len(d.due) > 0 && !d.due[0].At.After(r.At) {
		d.Note(d.due[0])
		events = append(events, d.due[0])
		d.due = d.due[1:]
	}
	if d.tells != nil && !r.Past {
		for _, text := range d.tells.Changed() {
			e := collector.Event{At: r.At, Kind: collector.EventChange, Text: collector.Clean(text)}
			d.Note(e)
			events = append(events, e)
		}
	}
	d.to.events(events)
	d.calls.events(r, events)
	return events
}

// follow takes the rules by which a reading was judged when it was recorded; the
// event that says so is among those of the recording.
func (d *diary) follow(r *collector.Reading) {
	if !d.follows || len(r.InForce) == 0 || len(d.inForce) > 0 && &d.inForce[0] == &r.InForce[0] {
		return
	}
	d.inForce = r.InForce
	rules := r.InForce
	if d.early {
		rules = withEarly(rules)
	}
	d.Follow(rules)
	d.to.setRules(recording.Ruling{At: r.At.Add(-1), Rules: rules})
}

// mark enters a mark that somebody made.
func (d *diary) mark(m collector.Mark) {
	d.Note(collector.Event{At: m.At, Kind: collector.EventMark, Text: m.Text})
	d.to.mark(m)
}

// change enters what somebody changed.
func (d *diary) change(text string) {
	at := d.Snapshot().Last
	if at == nil {
		return
	}
	e := collector.Event{At: at.At, Kind: collector.EventChange, Text: text}
	d.Note(e)
	d.to.events([]collector.Event{e})
}

// teller hands on what goes wrong beside the source to whoever listens: a screen,
// or standard error while there is none.
type teller struct {
	mu     sync.Mutex
	listen func(error)
}

func newTeller(stderr io.Writer) *teller {
	return &teller{listen: func(err error) { note(stderr, []string{err.Error()}) }}
}

// Listen makes f the one who is told.
func (t *teller) Listen(f func(error)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.listen = f
}

func (t *teller) tell(err error) {
	t.mu.Lock()
	f := t.listen
	t.mu.Unlock()
	f(err)
}
