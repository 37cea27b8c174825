package verdict

import (
	"strings"

	"stormtop/alerts/watch"
	"stormtop/collector"
)

// EventWord is the word for a kind of event: "firing", "ended", "mark".
func EventWord(k collector.EventKind) string {
	if k == collector.EventInactive {
		return "ended"
	}
	return k.String()
}

// EventTold is what is said of an event behind its rule and target: what it was,
// how long that lasted or lasts, and how bad it got. threshold is that of its rule.
func EventTold(e watch.Entry, threshold float64) string {
	text := e.Text
	if e.Kind == collector.EventMark {
		text = `"` + text + `"`
	}
	var more []string
	switch {
	case e.Open:
		more = append(more, "lasts "+collector.FormatDuration(e.Lasts))
	case e.Lasts > 0 && e.Kind == collector.EventBlind:
		more = append(more, "back after "+collector.FormatDuration(e.Lasts))
	case e.Lasts > 0:
		more = append(more, "lasted "+collector.FormatDuration(e.Lasts))
	}
	if e.Peak.State != collector.Missing {
		more = append(more, "peak "+e.Peak.Against(threshold))
	}
	switch {
	case len(more) == 0 && e.Kind != collector.EventInactive:
		return text
	case e.Kind == collector.EventFiring || e.Kind == collector.EventPending: // since when and for how long say the same
		return e.Value.Against(threshold) + " " + strings.Join(more, ", ")
	case e.Kind == collector.EventInactive: // "firing lasted 33m40s" is told of what ended
		return strings.TrimPrefix(text, "firing ")
	case text == "":
		return strings.Join(more, ", ")
	}
	return text + "; " + strings.Join(more, ", ")
}
