package report

import (
	"strings"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// Line is a reading in one line, without the line's end:
//
//	12:04:05Z  payments-channel 2.48x FIRING 3m12s  ingress 1,998/s attempts 4,955/s retry 59.7% ... age 3s
func Line(s watch.Snapshot) string { return Text{}.Line(s) }

// EventLine is an event in one line, without the line's end:
//
//	12:01:20Z  event: firing  RetryAmplificationHigh  payments-channel  2.31x > 1.5x, above since 12:00:20Z
func EventLine(e collector.Event) string { return Text{}.EventLine(e) }

// Line is the function Line with the options of t.
func (t Text) Line(s watch.Snapshot) string {
	if s.Last == nil {
		return "waiting for the first reading"
	}
	v := verdict.New(s, t.now(s))
	parts := []string{collector.FormatClock(t.now(s))}
	if s.Last.Origin.Simulated {
		parts = append(parts, "SIMULATED")
	}
	parts = append(parts, headline(v))
	if v.Undelivered {
		parts = append(parts, v.Cause)
	}
	if v.Kind != verdict.Blind && v.Kind != verdict.NothingFound {
		if n := numbers(s, v); n != "" {
			parts = append(parts, n)
		}
	}
	return t.spell(strings.Join(parts, "  "))
}

// headline is the subject with its value and state, or what there is instead.
func headline(v verdict.Verdict) string {
	switch v.Kind {
	case verdict.Firing, verdict.Pending:
		words := []string{v.Named, v.Value, v.State}
		if v.Signal != collector.Amplification {
			words = []string{v.Named, verdict.SignalWord(v.Signal), v.Value, v.State}
		}
		if d := v.Lasting(); d != "" {
			words = append(words, d)
		}
		return strings.Join(words, " ")
	case verdict.Calm:
		return v.Named + " " + v.Value + " " + v.State
	}
	return strings.TrimPrefix(v.Lead+v.Rest, v.Mark.String()+" ")
}

// beside are the signals of a line and their short names.
var beside = []struct {
	sig  collector.Signal
	name string
}{
	{collector.Ingress, "ingress"}, {collector.Downstream, "attempts"}, {collector.Amplification, "ratio"},
	{collector.RetryRate, "retry"}, {collector.Delivered, "delivered"}, {collector.AtLimit, "at limit"},
	{collector.Overflow, "overflow"}, {collector.PoolWait, "pool"}, {collector.QueueDepth, "queue"},
}

// numbers are the signals of the subject, what is missing left out, and the age
// of the data.
func numbers(s watch.Snapshot, v verdict.Verdict) string {
	row := s.Worst
	if r, ok := s.Good.Row(v.TargetID); ok && v.Target != "" {
		row = r
	}
	inHeadline := collector.NoSignal
	if v.Kind == verdict.Firing || v.Kind == verdict.Pending || v.Kind == verdict.Calm || v.Kind == verdict.Held {
		inHeadline = v.Signal
	}
	var words []string
	for _, b := range beside {
		if x := row.Values[b.sig]; x.State != collector.Missing && b.sig != inHeadline {
			words = append(words, b.name+" "+verdict.Number(row, b.sig))
		}
	}
	if d, ok := age(s.Last); ok {
		words = append(words, "age "+collector.FormatDuration(d))
	}
	return strings.Join(words, " ")
}

// EventLine is the function EventLine with the options of t.
func (t Text) EventLine(e collector.Event) string {
	at := e.At.UTC()
	if t.Zone != nil {
		at = e.At.In(t.Zone)
	}
	parts := []string{collector.FormatClock(at), "event: " + e.Kind.String()}
	for _, p := range []string{e.Rule, e.Name, e.Text} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return t.spell(strings.Join(parts, "  "))
}

func (t Text) spell(s string) string {
	if t.ASCII {
		return verdict.ASCII(s)
	}
	return s
}
