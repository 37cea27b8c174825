package verdict

import (
	"fmt"
	"strings"

	"stormtop/alerts"
	"stormtop/collector"
)

// ShortSides says which side of a target lacks reporters: "32 of 40 reporters of the
// ingress side answered"; "" where none does. Where nothing is known of the
// target alone it is its system that is told of; of the zero Target any system.
func ShortSides(reporters []collector.Reporters, t collector.Target) string {
	var own, all []string
	for _, r := range reporters {
		if !r.Short() || t.System != "" && r.System != t.System {
			continue
		}
		text := fmt.Sprintf("%s of %s reporters of the %s side",
			collector.FormatCount(float64(r.Now)), collector.FormatCount(float64(r.Usual)), SignalWord(r.Side))
		switch r.Target {
		case "":
			all = append(all, text)
		case t.ID:
			own = append(own, text)
		}
	}
	if len(own) == 0 {
		own = all
	}
	if len(own) == 0 {
		return ""
	}
	return strings.Join(own, " and ") + " answered"
}

// held says why a state is kept.
func (b *builder) held(st alerts.Status) {
	if !st.Held {
		return
	}
	if st.HeldWhy == alerts.WhyPartial {
		if short := ShortSides(b.s.Last.Reporters, st.Target); short != "" {
			b.keep("; " + short + "; verdict kept")
			return
		}
	}
	b.keep(fmt.Sprintf("; %s for %s, verdict kept", b.heldWhy(st), collector.FormatDuration(b.since(st.HeldSince))))
}

func (b *builder) keep(why string) {
	b.v.Rest += why
	b.v.Kept = why
}

// heldWhy names what is missing where it is one side.
func (b *builder) heldWhy(st alerts.Status) string {
	switch st.HeldWhy {
	case alerts.WhyPartial:
		return "on partial data"
	case alerts.WhyNoData:
		if row, ok := b.s.Good.Row(st.Target.ID); ok {
			if side := NoSeries(&row.Values, st.Rule.Signal); side != "" {
				return side
			}
		}
	}
	return st.HeldWhy.String()
}

// keptCalm tells a ratio that was calm when it could be judged last.
func (b *builder) keptCalm(st alerts.Status) {
	b.say(Held, MarkHeld, StateOf(st))
	st.Value = b.valueOf(st)
	if f, ok := st.Value.Number(); ok && st.Rule.Compare.Holds(f, st.Rule.Threshold) {
		b.subject(st.Target, st.Rule.Signal, number(st.Value, st.Rule.Threshold))
		b.v.Threshold = Threshold(st.Rule, st.Value.Unit)
		b.v.Rest = "  " + b.claim(st, st.Value, "") + " is not judged"
	} else {
		b.worst(st, true, "  ")
	}
	b.held(st)
	if c := b.s.Coverage; c.Judged < c.Of || c.Lost() {
		b.v.Tail = append(b.v.Tail, b.coverageBeside())
	}
}
