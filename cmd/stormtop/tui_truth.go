package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/alerts/tune"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

// truths is how a screen knows what was an incident: what was named, and what
// somebody marked; of a simulation what was named, else its own truth.
type truths struct {
	windows []window  // --incident and --incident-file
	ref     time.Time // what their times count back from
	alerts  []string  // alerts of the server whose firing is an incident
	server  ranger    // nil: there is none
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
	known, since := overloads(s.History)
	simulated := !since.IsZero()
	if !simulated {
		out.incidents = append(out.incidents, markedIn(s)...)
	} else if !named {
		out.incidents, out.since = known, since
	}
	out.sure = named || simulated
	seen := slices.DeleteFunc(slices.Clone(out.incidents), func(i tune.Incident) bool { return i.To.Before(from) || i.From.After(to) })
	if out.words = t.wordsOf(seen, simulated); out.since.After(from) {
		out.words += ", known from " + out.since.UTC().Format("15:04:05Z") + " on"
	}
	return out, failed
}

// wordsOf say how incidents are known; of none, how they would be.
func (t *truths) wordsOf(list []tune.Incident, simulated bool) string {
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
		case simulated && len(t.alerts) == 0:
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

// overloads are the incidents that a simulation knew of itself in what is
// remembered of it, and since when it did; the zero time is of no simulation. Of
// what was bad at the first instant nobody remembers how it began.
func overloads(v collector.View) (list []tune.Incident, since time.Time) {
	truth := tune.Truth{Text: overloadedText, Join: truthJoin, Midway: true}
	for i := range v.Len() {
		if o := v.Overload(i); o.Known() {
			if since.IsZero() {
				since = v.Time(i)
			}
			truth.Note(v.Time(i), o == collector.Overloaded)
		}
	}
	return truth.Incidents(), since
}
