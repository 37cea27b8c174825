package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"stormtop/alerts/tune"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/simfeed/play"
)

// truths is how a screen knows what was an incident: what was named, and what
// somebody marked; else the truth of a simulation.
type truths struct {
	windows []window  // --incident and --incident-file
	ref     time.Time // what their times count back from
	alerts  []string  // alerts of the server whose firing is an incident
	server  ranger    // nil: there is none
	sim     *overload // nil: it is no simulation
}

// verdictOf is what is known of a stretch of time.
type verdictOf struct {
	incidents []tune.Incident // those before it, too: a firing may be in the grace after one
	words     string          // how it is known, "" where nothing is
	sure      bool            // what is no incident was none
	since     time.Time       // before it nothing is known
}

// of is what is known of a stretch. The error says which part is not.
func (t *truths) of(ctx context.Context, s watch.Snapshot, from, to time.Time) (verdictOf, error) {
	var out verdictOf
	var failed error
	for _, w := range t.windows {
		text := w.text
		if text == "" {
			text = "--incident"
		}
		end := w.to.resolve(t.ref)
		if w.to.kind == nowMoment { // it goes on
			end = to
		}
		out.incidents = append(out.incidents, tune.Incident{From: w.from.resolve(t.ref), To: end, Text: text})
	}
	for _, name := range t.alerts {
		list, err := alertTimes(ctx, t.server, name, from, to)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("--incident-alert=%s: %w", collector.Clean(name), err))
		}
		out.incidents = append(out.incidents, list...)
	}
	named := len(t.windows)+len(t.alerts) > 0
	if t.sim == nil {
		out.incidents = append(out.incidents, markedIn(s)...)
	} else if !named {
		out.incidents, out.since = t.sim.incidents()
	}
	out.sure = named || t.sim != nil
	seen := slices.DeleteFunc(slices.Clone(out.incidents), func(i tune.Incident) bool { return i.To.Before(from) || i.From.After(to) })
	if out.words = t.wordsOf(seen); out.since.After(from) {
		out.words += ", known from " + out.since.UTC().Format("15:04:05Z") + " on"
	}
	return out, failed
}

// wordsOf say how incidents are known; of none, how they would be.
func (t *truths) wordsOf(list []tune.Incident) string {
	var words []string
	add := func(text string) {
		text = collector.Clean(text)
		switch text {
		case tune.MarkedText:
			text = "marks"
		case overloadedText:
			text = "the simulation's overload"
		}
		if !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	for _, i := range list {
		add(i.Text)
	}
	if len(words) == 0 {
		switch {
		case len(t.windows) > 0:
			add("--incident")
		case t.sim != nil && len(t.alerts) == 0:
			add(overloadedText)
		}
		for _, name := range t.alerts {
			add("ALERTS " + name)
		}
	}
	if n := len(words); n > mostTruths {
		words = append(words[:mostTruths-1:mostTruths-1], fmt.Sprintf("%d more", n-mostTruths+1))
	}
	return strings.Join(words, ", ")
}

// mostTruths bounds how many ways of knowing are named.
const mostTruths = 3

// overloadedText says of an incident that a simulation knows it.
const overloadedText = "overloaded"

// overload notes of each reading of a simulation whether more was asked for than
// could be done. It is noted by the goroutine that reads, and asked by others.
type overload struct {
	bad func(*collector.Reading) bool

	mu    sync.Mutex
	truth tune.Truth
	since time.Time
}

// overloadOf is that of a source, or nil where it is no simulation. told is what
// came with the source.
func overloadOf(src collector.Source, told func(*collector.Reading) bool) *overload {
	if f, isScenario := src.(*play.Feed); told == nil && isScenario {
		told = func(*collector.Reading) bool { return f.Overloaded() }
	}
	if told == nil {
		return nil
	}
	return &overload{bad: told, truth: tune.Truth{Text: overloadedText, Join: truthJoin}}
}

// note notes the newest reading.
func (o *overload) note(r *collector.Reading) {
	if o == nil {
		return
	}
	bad := o.bad(r)
	o.mu.Lock()
	defer o.mu.Unlock()
	if r.Begins {
		o.truth, o.since = tune.Truth{Text: overloadedText, Join: truthJoin}, time.Time{}
	}
	if o.since.IsZero() { // what fills the span at the start is cut from a loop
		o.since, o.truth.Midway = r.At, r.Past
	}
	o.truth.Note(r.At, bad)
}

// incidents are those so far, and since when they are noted.
func (o *overload) incidents() ([]tune.Incident, time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.truth.Incidents(), o.since
}
