// Package verdict puts into words what a snapshot means: the first line of the
// screen and of the text without a screen, which must say the same.
package verdict

import (
	"slices"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

// Kind says which of the moments in the life of a dashboard this is.
type Kind uint8

// The moments.
const (
	Waiting      Kind = iota // no reading yet
	NothingFound             // connected, but no known system has data here
	Blind                    // nothing can be read
	Firing                   // a rule fires on the subject, or is held firing
	Pending                  // a condition holds on the subject, or is held so
	Unknown                  // no rule can be judged
	Held                     // calm when it could be judged last, and kept so
	Unjudged                 // calm as far as it can be judged; some rules cannot
	Resolved                 // calm again for a short time
	Idle                     // no requests and no attempts anywhere
	LowTraffic               // too little traffic to judge anything
	Calm                     // judged, and nothing holds
)

// Verdict is the answer to "is something amplifying?" as plain data. Text is
// Lead, Rest and the parts of Tail in one line.
type Verdict struct {
	Kind  Kind
	Mark  Mark
	State string // the word: "ok", "pending", "FIRING", "FIRING (held)", "blind", ...

	Since    time.Duration // how long the state lasts; 0 when that is not known
	AtLeast  bool          // it began before anything was seen, so it lasts longer
	ActiveAt time.Time     // since when the leading rule's condition holds; zero when it does not

	TargetID string // the subject, "" with an empty Target when there is none
	Target   string // its name
	System   string // its system, where several stand side by side, else ""
	Named    string // its name as it is told: cut where it is long, with its system
	Signal   collector.Signal
	Value    string // the subject's value of Signal: "2.48x"

	Rule      string // the leading rule; "" when none is active
	Threshold string // its condition: "> 1.5"
	Critical  bool   // a critical rule fires on the subject

	Others        int // further rules that are active on the subject
	FiringTargets int // targets on which a rule fires
	Of            int // targets in all

	Kept  string // the end of Rest that says why the state is kept, or ""
	Cause string // one sentence about the subject's attempts, or ""

	Undelivered bool // Cause tells in a calm moment that requests are not delivered

	Lead string   // mark, state and duration: "● FIRING 3m12s"
	Rest string   // what follows, beginning with its separator: "  payments-channel 2.48x > 1.5"
	Tail []string // what may be dropped, or stand at the right: "+2 rules", "1 of 212"
	Text string
}

// resolvedFor is how long after its end a firing is still told in the verdict.
const resolvedFor = 15 * time.Minute

// New judges a snapshot as it is at now, whose zone is that of all clock times.
func New(s watch.Snapshot, now time.Time) Verdict {
	b := builder{s: s, now: now}
	if s.Good != nil {
		b.v.Of = len(s.Good.Targets)
	}
	b.v.FiringTargets = s.Firing()
	switch {
	case s.Last == nil:
		b.waiting()
	case s.Last.Blind():
		b.blind()
	case len(s.Statuses) > 0 && s.Statuses[0].Active():
		b.active()
	default:
		b.quiet()
	}
	return b.finish()
}

// builder collects a verdict.
type builder struct {
	s   watch.Snapshot
	now time.Time
	v   Verdict
}

func (b *builder) waiting() {
	b.say(Waiting, MarkUnjudged, "waiting")
	b.v.Rest = "  for the first reading"
}

// say sets the moment; the lead is the mark and the word, "ok" alone for calm.
func (b *builder) say(k Kind, m Mark, state string) {
	b.v.Kind, b.v.Mark, b.v.State = k, m, state
	b.v.Lead = m.String() + " " + state
	if m == MarkOk {
		b.v.Lead = state
	}
}

// subject names what the verdict is about.
func (b *builder) subject(t collector.Target, signal collector.Signal, value string) {
	b.v.TargetID, b.v.Target, b.v.Signal, b.v.Value = t.ID, t.Name, signal, value
	b.v.System, b.v.Named = SystemOf(t, b.origin()), b.named(t)
	calm := b.v.Kind >= Unknown
	if b.s.Worst.Target.ID == t.ID && !(calm && b.s.Cause.Cause == alerts.CauseUnclear) {
		b.v.Cause = b.s.Cause.Text
	}
}

// origin describes the source of the last picture.
func (b *builder) origin() *collector.Origin {
	if b.s.Good != nil && b.s.Good.Origin != nil {
		return b.s.Good.Origin
	}
	return b.s.Last.Origin
}

func (b *builder) named(t collector.Target) string { return Named(t, b.origin()) }

func (b *builder) coverage() string {
	return coverage(b.s.Coverage, b.s.Last.Origin, b.s.Last.Reporters)
}

// coverageBeside is the coverage without the reasons that are told already.
func (b *builder) coverageBeside() string {
	parts := strings.Split(b.coverage(), "; ")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return strings.Contains(b.v.Rest, p) }), "; ")
}

func (b *builder) clock(t time.Time) string {
	return collector.FormatClock(t.In(b.now.Location()))
}

func (b *builder) since(t time.Time) time.Duration {
	if t.IsZero() {
		return 0
	}
	return max(b.now.Sub(t), 0)
}

func (b *builder) finish() Verdict {
	parts := append([]string{b.v.Lead + b.v.Rest}, b.v.Tail...)
	b.v.Text = strings.Join(parts, "   ")
	return b.v
}

// Lasting is Since for people: "3m12s", "≥3m12s", "" when nothing is known.
func (v Verdict) Lasting() string { return lasting(v.Since, v.AtLeast) }

// Short is the verdict for a single narrow line: "● 2.48x payments-channel FIRING 3m12s".
func (v Verdict) Short() string {
	switch v.Kind {
	case Firing, Pending:
		out := v.Mark.String() + " "
		if v.Signal != collector.Amplification {
			out += SignalWord(v.Signal) + " "
		}
		out += v.Value + " " + v.Named + " " + v.State
		if d := lasting(v.Since, v.AtLeast); d != "" {
			out += " " + d
		}
		return out
	case Calm, Resolved, Held:
		if v.Target != "" {
			return v.Lead + " " + v.Value + " " + v.Named
		}
	}
	return v.Lead
}

// last finds the newest number that is known of a signal of a target, from the
// last good reading on backwards.
func (b *builder) last(id string, signal collector.Signal) (collector.Value, bool) {
	if b.s.Good != nil {
		if row, ok := b.s.Good.Row(id); ok && row.Values[signal].State.HasNumber() {
			return row.Values[signal], true
		}
	}
	course := b.s.History.Series(id, signal)
	for i := course.Len() - 1; i >= 0; i-- {
		if v := course.Value(i); v.State.HasNumber() && !course.Time(i).After(b.s.Last.At) {
			return v, true
		}
	}
	return collector.Value{}, false
}

// ruleNamed finds a rule's specification.
func (b *builder) ruleNamed(name string) (collector.RuleSpec, bool) {
	for _, r := range b.s.Rules {
		if r.Name == name {
			return r, true
		}
	}
	return collector.RuleSpec{}, false
}

// ratioStatus is the status by which calm is told: that of the first rule about
// the amplification.
func (b *builder) ratioStatus() (alerts.Status, bool) {
	for _, r := range b.s.Rules {
		if r.Off || r.Signal != collector.Amplification || r.Both[0] != "" {
			continue
		}
		for _, st := range b.s.Statuses {
			if st.Rule.Name == r.Name {
				return st, true
			}
		}
	}
	return alerts.Status{}, false
}
