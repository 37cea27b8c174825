package verdict

import (
	"fmt"

	"stormtop/collector"
)

// blind tells that nothing can be read, since when, why, and what comes next.
func (b *builder) blind() {
	f := b.failure()
	if f.Kind == collector.NothingFound {
		b.say(NothingFound, MarkNoData, "nothing found")
		b.v.Rest = "  " + f.Text
		return
	}
	since := b.s.BlindSince
	if since.IsZero() {
		since = b.s.Last.At
	}
	b.say(Blind, MarkNoData, "blind")
	b.v.Since = b.since(since)
	if b.v.Lead += " since " + b.clock(since); b.v.Since > 0 {
		b.v.Lead += " (" + collector.FormatDuration(b.v.Since) + ")"
	}
	b.v.Rest = ": " + f.Text
	if !b.s.Final {
		b.v.Rest += "; " + Next(f, b.now)
	}
	b.kept()
}

// failure is why the newest reading is blind.
func (b *builder) failure() collector.Failure {
	for _, f := range b.s.Last.Failures {
		if f.Signal == collector.NoSignal {
			return f
		}
	}
	return collector.Failure{}
}

// kept adds the verdict that was given before the view was lost.
func (b *builder) kept() {
	if len(b.s.Statuses) == 0 || !b.s.Statuses[0].Active() {
		return
	}
	lines := b.lines(b.s.Statuses[0].Target.ID)
	lead := lines[leading(lines)].status
	value := b.valueOf(lead)
	b.subject(lead.Target, lead.Rule.Signal, number(value, lead.Rule.Threshold))
	b.v.Rule, b.v.Threshold = lead.Rule.Name, Threshold(lead.Rule, value.Unit)
	b.v.ActiveAt = lead.ActiveAt
	b.v.Rest += fmt.Sprintf("; kept: %s %s", StateOf(lead), b.claim(lead, value, ""))
}
