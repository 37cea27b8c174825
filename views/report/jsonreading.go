package report

import (
	"math"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

func newReading(s watch.Snapshot) jsonReading {
	o := origin(s.Last)
	out := jsonReading{
		Schema: ReadingSchema, Source: o.Source, Profile: o.Profile, Simulated: o.Simulated, Replay: o.Replay,
		RateRange: o.RateRange.String(), Cause: newCause(s.Cause), Judged: newJudged(s.Coverage),
		Systems: newSystems(o), Offered: append([]string{}, o.Offered...), Reporters: []jsonSide{},
		Targets: []jsonTarget{}, Rules: []jsonRule{}, Failures: []jsonFailure{}, Warnings: []string{},
	}
	for _, st := range s.Statuses {
		out.Rules = append(out.Rules, newRule(st, o))
	}
	if s.Last == nil {
		out.Total = newSignals(collector.Values{})
		return out
	}
	out.At, out.Newest = instant(s.Last.At), instant(s.Last.Newest)
	if d, ok := age(s.Last); ok {
		out.Age = text(d.String())
	}
	out.Reporters = newSides(s.Last)
	out.Total = newSignals(s.Last.Total.Values)
	out.TotalOf = jsonTotalOf{profile(s.Last.Total.Target, o), kind(s.Last.Total.Target.Kind)}
	for _, row := range worstFirst(s) {
		out.Targets = append(out.Targets, newTarget(row, o))
	}
	for _, f := range s.Last.Failures {
		jf := jsonFailure{Kind: f.Kind.String(), Text: f.Text, Retry: instant(f.Retry)}
		if f.Signal != collector.NoSignal {
			jf.Signal = text(f.Signal.String())
		}
		if f.System != "" {
			jf.Profile = text(f.System)
		}
		out.Failures = append(out.Failures, jf)
	}
	out.Warnings = append(out.Warnings, s.Last.Warnings...)
	return out
}

// worstFirst are the rows of the newest reading in the order of the screen.
func worstFirst(s watch.Snapshot) []collector.Row {
	if s.Good != s.Last {
		return s.Last.Targets
	}
	rows := make([]collector.Row, 0, len(s.Order))
	for _, i := range s.Order {
		rows = append(rows, s.Last.Targets[i])
	}
	return rows
}

func labels(t collector.Target) map[string]string {
	out := make(map[string]string, len(t.Labels))
	for _, l := range t.Labels {
		out[l.Name] = l.Value
	}
	return out
}

func newCause(d alerts.Diagnosis) *jsonCause {
	if d.Cause == alerts.CauseNone {
		return nil
	}
	c := &jsonCause{Word: d.Cause.String(), Since: instant(d.Since), Text: d.Text}
	if !d.Since.IsZero() {
		c.Attempts, c.Ingress = change(d.Attempts), change(d.Ingress)
	}
	return c
}

// change rounds a relative change: beyond a millionth it is rounding error.
func change(f float64) *float64 { return finite(math.Round(f*1e6) / 1e6) }

func newJudged(c alerts.Coverage) jsonJudged {
	return jsonJudged{Rules: c.Judged, Of: c.Of, Missing: newMissing(c.Missing), Elsewhere: newMissing(c.Elsewhere)}
}

func newMissing(list []alerts.Missing) []jsonMissing {
	out := []jsonMissing{}
	for _, m := range list {
		out = append(out, jsonMissing{m.Rule, m.Signal.String(), m.Why.String(), m.Systems})
	}
	return out
}

func newRule(st alerts.Status, o *collector.Origin) jsonRule {
	v := newValue(st.Value, st.Rule.Signal)
	out := jsonRule{
		Name: st.Rule.Name, Signal: st.Rule.Signal.String(), State: st.Shown.String(), Held: st.Held, Evaluated: st.State.String(),
		Since: instant(began(st)), Value: v.Value, ValueState: v.State,
		Threshold: finite(st.Rule.Threshold), For: st.Rule.For.String(), Reason: st.Why.String(),
	}
	if st.Held {
		out.Reason = st.HeldWhy.String()
	}
	if st.Shown != alerts.Unknown {
		out.Target, out.Profile = text(st.Target.Name), profile(st.Target, o)
	}
	return out
}

// began is when the shown state began, zero when that was not seen.
func began(st alerts.Status) time.Time {
	switch st.Shown {
	case alerts.Firing:
		return st.FiredAt
	case alerts.Pending:
		return st.ActiveAt
	}
	return st.Since
}

func newEvent(e collector.Event) jsonEvent {
	v := newValue(e.Value, collector.NoSignal)
	out := jsonEvent{
		Schema: EventSchema, At: instant(e.At), Kind: e.Kind.String(), Value: v.Value, ValueState: v.State, Text: e.Text,
	}
	if e.Rule != "" {
		out.Rule = text(e.Rule)
	}
	if e.Name != "" {
		out.Target = text(e.Name)
	}
	return out
}
