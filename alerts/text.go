package alerts

import (
	"fmt"
	"time"

	"stormtop/collector"
)

// The texts of events: one line each, without the rule and the target, which
// the event names itself.

// condition is the value against the threshold: "2.48x > 1.5x".
func condition(ru *rule, v collector.Value) string {
	s := &ru.spec
	return fmt.Sprintf("%s %s %s", v.Against(s.Threshold), s.Compare, collector.FormatThreshold(s.Threshold, unitOf(v, s.Signal)))
}

func unitOf(v collector.Value, s collector.Signal) collector.Unit {
	if v.Unit != collector.NoUnit {
		return v.Unit
	}
	return s.Unit()
}

func pendingText(ru *rule, en *entry, v collector.Value) string {
	text := condition(ru, v) + ", fires after " + collector.FormatInterval(ru.spec.For)
	if en.atLeast {
		text += "; already " + side(ru) + " when first judged"
	}
	return text
}

func firingText(ru *rule, en *entry, v collector.Value) string {
	return fmt.Sprintf("%s, %s since %s", condition(ru, v), side(ru), collector.FormatClock(en.activeAt))
}

// side is the side of the threshold on which the condition holds.
func side(ru *rule) string {
	if ru.spec.Compare >= collector.Below {
		return "below"
	}
	return "above"
}

// endText says how long it lasted, how bad it was and what ended it.
func endText(ru *rule, en *entry, at time.Time, why Why) string {
	since := en.activeAt
	if en.shown == Firing {
		since = en.firedAt
	}
	return fmt.Sprintf("%s lasted %s, peak %s; ended: %s",
		en.shown, collector.FormatDuration(at.Sub(since)), en.peak.Against(ru.spec.Threshold), why)
}

func heldText(en *entry, why Why) string {
	return fmt.Sprintf("%s is kept: %s", en.shown, why)
}

func releasedText(en *entry, at time.Time) string {
	return fmt.Sprintf("%s was kept for %s; judged again", en.shown, collector.FormatDuration(at.Sub(en.heldSince)))
}
