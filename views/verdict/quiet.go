package verdict

import (
	"fmt"
	"slices"

	"stormtop/alerts"
	"stormtop/collector"
)

// quiet tells a moment in which nothing is pending or firing.
func (b *builder) quiet() {
	c := b.s.Coverage
	st, known := b.ratioStatus()
	switch episode, text := b.resolved(); {
	case known && st.Held && st.Shown == alerts.Inactive:
		b.keptCalm(st)
	case c.Of > 0 && c.Judged == 0:
		b.unknown()
	case c.Of == 0:
		b.say(Unknown, MarkUnjudged, "no rule is on")
		b.worst(st, known, "   ")
	case c.Judged < c.Of || c.Lost():
		b.say(Unjudged, MarkOk, "ok")
		b.v.Rest = ", " + b.coverage()
		if text != "" {
			b.v.Rest += "   " + text
			b.resolvedSubject(episode)
		} else {
			b.worst(st, known, "   ")
		}
		b.clear()
	case text != "":
		b.say(Resolved, MarkOk, "ok")
		b.v.Rest = fmt.Sprintf("  clear %s; %s", collector.FormatDuration(b.since(b.s.ClearSince)), text)
		b.v.Since = b.since(b.s.ClearSince)
		b.resolvedSubject(episode)
	case known && st.Why == alerts.WhyIdle && b.allIdle():
		b.say(Idle, MarkOk, "ok")
		b.v.Rest = "  idle: no requests, no attempts" + b.onTargets()
		b.clear()
	case known && (st.Why == alerts.WhyLowTraffic || st.Why == alerts.WhyIdle):
		b.say(LowTraffic, MarkOk, "ok")
		b.v.Rest = fmt.Sprintf("  too little traffic to judge: %s at most%s (floor %s)",
			collector.FormatCount(b.busiest())+"/s", b.onTargets(), collector.FormatThreshold(st.Rule.MinTraffic, collector.PerSecond))
		b.clear()
	default:
		b.say(Calm, MarkOk, "ok")
		b.worst(st, known, "  ")
		b.v.Tail = append(b.v.Tail, b.coverage())
		b.clear()
	}
	if b.v.Kind == Calm || b.v.Kind == Resolved || b.v.Kind == Unjudged {
		b.undelivered(st.Rule.MinTraffic)
	}
}

// unknown tells that nothing could be judged, and why.
func (b *builder) unknown() {
	b.say(Unknown, MarkUnjudged, "unknown")
	b.v.Rest = "  " + b.coverage()
}

// clear says since when nothing was active.
func (b *builder) clear() {
	if b.v.Since = b.since(b.s.ClearSince); b.v.Since > 0 {
		b.v.Tail = append(b.v.Tail, "clear "+collector.FormatDuration(b.v.Since))
	}
}

// worst names the worst of all that could be judged.
func (b *builder) worst(st alerts.Status, known bool, separator string) {
	if !known {
		b.worstRow(separator)
		return
	}
	b.subject(st.Target, st.Rule.Signal, number(st.Value, st.Rule.Threshold))
	b.v.Threshold = Threshold(st.Rule, st.Value.Unit)
	text := b.named(st.Target) + " " + b.v.Value
	if f, ok := st.Value.Number(); ok && f == st.Rule.Threshold {
		text += " = threshold " + bare(st.Rule.Threshold, collector.Ratio)
	} else {
		text += " (threshold " + bare(st.Rule.Threshold, collector.Ratio) + ")"
	}
	b.v.Rest += separator + b.worstOf() + text
}

// worstRow names the worst target where no rule looks at its ratio.
func (b *builder) worstRow(separator string) {
	row := b.s.Worst
	b.subject(row.Target, collector.Amplification, row.Values[collector.Amplification].String())
	if row.Target.Name != "" {
		b.v.Rest += separator + b.worstOf() + b.named(row.Target) + " " + b.v.Value
	}
}

func (b *builder) worstOf() string {
	if b.v.Of > 1 {
		return fmt.Sprintf("worst of %d: ", b.v.Of)
	}
	return ""
}

func (b *builder) onTargets() string {
	if b.v.Of == 0 {
		return ""
	}
	return " on " + plural(b.v.Of, "target")
}

func (b *builder) rows() []collector.Row {
	if len(b.s.Good.Targets) == 0 {
		return []collector.Row{b.s.Good.Total}
	}
	return b.s.Good.Targets
}

func (b *builder) allIdle() bool {
	return !slices.ContainsFunc(b.rows(), func(r collector.Row) bool {
		return r.Values[collector.Amplification].State != collector.Idle
	})
}

// busiest is the largest rate of requests or attempts on any target.
func (b *builder) busiest() float64 {
	most := 0.0
	for _, r := range b.rows() {
		in, _ := r.Values[collector.Ingress].Number()
		down, _ := r.Values[collector.Downstream].Number()
		most = max(most, in, down)
	}
	return most
}

// resolved tells the newest firing, when it ended a short time ago, or in what is
// over at any time.
func (b *builder) resolved() (alerts.Episode, string) {
	var best alerts.Episode
	for i := len(b.s.Episodes) - 1; i >= 0; i-- {
		e := b.s.Episodes[i]
		if b.since(e.Ended) > resolvedFor && !(b.s.Final && b.s.Last.Replayed()) {
			continue
		}
		switch {
		case best.Rule == "":
			best = e
		case e.Target.ID == best.Target.ID && b.about(e) && !b.about(best):
			best = e
		}
	}
	if best.Rule == "" {
		return best, ""
	}
	rule, _ := b.ruleNamed(best.Rule)
	subject := b.named(best.Target)
	if !b.about(best) {
		subject += " " + SignalWord(rule.Signal)
	}
	return best, fmt.Sprintf("%s fired %s to %s, peak %s",
		subject, b.clock(best.Firing), b.clock(best.Ended), best.Peak.Against(rule.Threshold))
}

// about reports whether an episode is one of the ratio itself.
func (b *builder) about(e alerts.Episode) bool {
	rule, ok := b.ruleNamed(e.Rule)
	return ok && rule.Signal == collector.Amplification && rule.Both[0] == ""
}

// resolvedSubject keeps the target that fired as the subject.
func (b *builder) resolvedSubject(e alerts.Episode) {
	row, ok := b.s.Good.Row(e.Target.ID)
	if !ok {
		row.Target = e.Target
	}
	b.subject(row.Target, collector.Amplification, row.Values[collector.Amplification].String())
}
