package views

import (
	"regexp"
	"time"
)

// zoneNext switches between UTC and the zone of this machine.
func (m *Model) zoneNext() {
	if m.zone == time.UTC {
		m.zone = m.opt.Local
	} else {
		m.zone = time.UTC
	}
}

// clockTime is a time in a sentence that was made elsewhere, always UTC.
var clockTime = regexp.MustCompile(`\b([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z`)

// told puts the clock times of a sentence into the zone of the screen. They are
// of less than half a day from near.
func (m *Model) told(text string, near time.Time) string {
	if m.zone == time.UTC || near.IsZero() {
		return text
	}
	return clockTime.ReplaceAllStringFunc(text, func(s string) string {
		t, err := time.Parse("15:04:05Z", s)
		if err != nil {
			return s
		}
		near := near.UTC()
		at := time.Date(near.Year(), near.Month(), near.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
		switch off := at.Sub(near); {
		case off > 12*time.Hour:
			at = at.AddDate(0, 0, -1)
		case off < -12*time.Hour:
			at = at.AddDate(0, 0, 1)
		}
		return m.clock(at)
	})
}
