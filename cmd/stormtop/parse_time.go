package main

import (
	"fmt"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// moment is an instant as somebody wrote it: how far back from now, a time of
// the day, or a full time. The zero moment is not set.
type moment struct {
	text  string
	back  time.Duration
	clock time.Duration // since midnight, where it is a time of the day
	at    time.Time
	kind  momentKind
}

// momentKind says how a moment was written.
type momentKind uint8

// The kinds of moment.
const (
	noMoment momentKind = iota
	nowMoment
	backMoment
	clockMoment
	fullMoment
)

// longestBack is how far back a moment may be.
const longestBack = 366 * day

// parseMoment reads a moment. Times of the day are in the zone of a full time,
// UTC, and the last one that has passed is meant.
func parseMoment(text string) (moment, error) {
	wrong := fmt.Errorf("%s is no time: write it like -3h (back from now), 15:04 (UTC, today or yesterday) or 2026-03-14T15:04:05Z", collector.Quote(text))
	switch {
	case text == "":
		return moment{}, nil
	case text == "now":
		return moment{text: text, kind: nowMoment}, nil
	case strings.HasPrefix(text, "-"):
		d, err := usage.Duration(time.Second, longestBack)(text[1:])
		if err != nil {
			return moment{}, wrong
		}
		return moment{text: text, kind: backMoment, back: d}, nil
	}
	for _, layout := range []string{"15:04", "15:04:05"} {
		if t, err := time.Parse(layout, strings.TrimSuffix(text, "Z")); err == nil {
			return moment{text: text, kind: clockMoment, clock: t.Sub(t.Truncate(day))}, nil
		}
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return moment{text: text, kind: fullMoment, at: t.UTC()}, nil
	}
	if d, err := usage.Duration(time.Second, longestBack)(text); err == nil {
		return moment{text: text, kind: backMoment, back: d}, nil
	}
	return moment{}, wrong
}

func formatMoment(m moment) string { return m.text }

// resolve is the instant that a moment stands for.
func (m moment) resolve(now time.Time) time.Time {
	now = now.UTC()
	switch m.kind {
	case backMoment:
		return now.Add(-m.back)
	case clockMoment:
		at := now.Truncate(day).Add(m.clock)
		if at.After(now) {
			at = at.Add(-day)
		}
		return at
	case fullMoment:
		return m.at
	}
	return now
}
