package verdict

import (
	"fmt"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// line is what is shown as one rule: a rule made of two (RetryStorm) stands
// with the first of them.
type line struct {
	status   alerts.Status
	critical bool
}

// lines gathers the active statuses of a target.
func (b *builder) lines(id string) []line {
	var out []line
	at := map[string]int{}
	for _, st := range b.s.Statuses {
		if st.Target.ID != id || !st.Active() {
			continue
		}
		name, pair := st.Rule.Name, st.Rule.Both[0] != ""
		if pair {
			name = st.Rule.Both[0]
		}
		critical := st.Rule.Severity >= collector.Critical && st.Shown == alerts.Firing
		i, known := at[name]
		if !known {
			at[name] = len(out)
			out = append(out, line{st, critical})
			continue
		}
		out[i].critical = out[i].critical || critical
		if !pair { // the part tells more than the pair: its own times and threshold
			out[i].status = st
		}
	}
	return out
}

// leading picks the line to be told: firing before pending, the ratio before
// other signals, then the severity.
func leading(lines []line) int {
	best := 0
	for i := range lines {
		if before(lines[i], lines[best]) {
			best = i
		}
	}
	return best
}

func before(a, b line) bool {
	if a.status.Shown != b.status.Shown {
		return a.status.Shown > b.status.Shown
	}
	if ra, rb := isRatio(a), isRatio(b); ra != rb {
		return ra
	}
	return a.status.Rule.Severity > b.status.Rule.Severity
}

func isRatio(l line) bool { return l.status.Rule.Signal == collector.Amplification }

// active tells a rule that fires or is about to.
func (b *builder) active() {
	lines := b.lines(b.s.Statuses[0].Target.ID)
	best := leading(lines)
	lead := lines[best].status
	for i, l := range lines {
		b.v.Critical = b.v.Critical || l.critical
		if i != best {
			b.v.Others++
		}
	}
	value := b.valueOf(lead)
	b.subject(lead.Target, lead.Rule.Signal, number(value, lead.Rule.Threshold))
	b.v.Rule, b.v.Threshold = lead.Rule.Name, Threshold(lead.Rule, value.Unit)
	b.v.ActiveAt, b.v.AtLeast = lead.ActiveAt, lead.AtLeast
	if lead.Shown == alerts.Firing {
		b.v.Since = b.since(lead.FiredAt)
		b.firing(lead, value)
	} else {
		b.v.Since = b.since(lead.ActiveAt)
		b.pending(lead, value)
	}
	b.held(lead)
	if lead.Rule.Signal != collector.Amplification {
		b.ratioBeside(lines)
	}
	b.tail()
}

// valueOf is the value to be told: the last one known while it cannot be read.
func (b *builder) valueOf(st alerts.Status) collector.Value {
	if st.Held && !st.Value.State.HasNumber() {
		if v, ok := b.last(st.Target.ID, st.Rule.Signal); ok {
			return v
		}
	}
	return st.Value
}

func (b *builder) firing(st alerts.Status, v collector.Value) {
	b.say(Firing, MarkFiring, StateOf(st))
	b.v.Lead = MarkFiring.String() + " FIRING"
	if d := lasting(b.v.Since, st.AtLeast); d != "" {
		b.v.Lead += " " + d
	}
	if st.Held {
		b.v.Lead += " (held)"
	}
	b.v.Rest = "  " + b.claim(st, v, "")
}

func (b *builder) pending(st alerts.Status, v collector.Value) {
	b.say(Pending, MarkPending, StateOf(st))
	b.v.Rest = "  " + b.claim(st, v, b.progress(st))
	if !st.Held {
		b.v.Rest += b.before(st)
	}
}

// progress says how far a pending rule is: " for 22s of 1m".
func (b *builder) progress(st alerts.Status) string {
	d := lasting(b.since(st.ActiveAt), st.AtLeast)
	if d == "" {
		d = "0s"
	}
	return " for " + d + " of " + collector.FormatInterval(st.Rule.For)
}

// claim names the target, the value and the threshold.
func (b *builder) claim(st alerts.Status, v collector.Value, progress string) string {
	subject := b.named(st.Target)
	if st.Rule.Signal != collector.Amplification {
		subject += " " + SignalWord(st.Rule.Signal)
	}
	switch {
	case v.State == collector.Infinite && st.Rule.Signal == collector.Amplification:
		return subject + " ∞" + progress + b.noIngress(st.Target.ID)
	case v.State == collector.Infinite:
		return subject + " ∞" + progress
	case !v.State.HasNumber():
		return fmt.Sprintf("%s %s (threshold %s)%s", subject, v, bare(st.Rule.Threshold, v.Unit), progress)
	}
	return subject + " " + condition(v, st.Rule) + progress
}

// noIngress explains an infinite ratio.
func (b *builder) noIngress(id string) string {
	row, _ := b.s.Good.Row(id)
	if v := row.Values[collector.Downstream]; v.State.HasNumber() {
		return ": " + v.String() + " attempts with no ingress (traffic cut, retries still burn)"
	}
	return ": attempts with no ingress (traffic cut, retries still burn)"
}

// before says what the value was a minute ago.
func (b *builder) before(st alerts.Status) string {
	course := b.s.History.Series(st.Target.ID, st.Rule.Signal)
	then := b.now.Add(-time.Minute)
	for i := course.Len() - 1; i >= 0; i-- {
		if course.Time(i).After(then) {
			continue
		}
		if v := course.Value(i); v.State.HasNumber() && then.Sub(course.Time(i)) <= time.Minute/2 {
			return "   was " + v.String() + " 1 min ago"
		}
		break
	}
	return ""
}

// ratioBeside tells a ratio that is still pending beside what fires already; it
// is then no "other" rule.
func (b *builder) ratioBeside(lines []line) {
	for _, l := range lines {
		if isRatio(l) {
			v := b.valueOf(l.status)
			text := number(v, l.status.Rule.Threshold)
			if v.State.HasNumber() {
				text = condition(v, l.status.Rule)
			}
			if l.status.Shown == alerts.Pending {
				text += b.progress(l.status)
			}
			b.v.Tail = append(b.v.Tail, text)
			b.v.Others--
			return
		}
	}
}

func (b *builder) tail() {
	if b.v.Critical {
		b.v.Tail = append(b.v.Tail, "critical")
	}
	if b.v.Others > 0 {
		b.v.Tail = append(b.v.Tail, "+"+plural(b.v.Others, "rule"))
	}
	if b.v.FiringTargets > 0 && b.v.Of > 1 {
		text := fmt.Sprintf("%s of %s firing", collector.FormatCount(float64(b.v.FiringTargets)), collector.FormatCount(float64(b.v.Of)))
		b.v.Tail = append(b.v.Tail, text)
	}
	if c := b.s.Coverage; c.Judged < c.Of || c.Lost() {
		b.v.Tail = append(b.v.Tail, b.coverageBeside())
	}
}
