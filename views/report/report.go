// Package report writes a snapshot without a screen: as text for people, as
// JSON for programs, as one line a reading for logs and screen readers.
package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// DefaultRows is how many targets and rules the text lists unless told otherwise.
const DefaultRows = 20

// Text writes for people. The zero value is ready to use.
type Text struct {
	ASCII bool           // no character outside ASCII
	Rows  int            // targets and rules listed at most; 0 means DefaultRows
	Zone  *time.Location // of clock times; nil means UTC
}

// Reading writes a snapshot as text: the verdict and its cause, the signals of
// the worst target, the targets, the rules, and what could not be known. It is
// looked at as it was at its newest reading. The error is that of w.
func Reading(w io.Writer, s watch.Snapshot) error { return Text{}.Reading(w, s) }

// Reading is the function Reading with the options of t.
func (t Text) Reading(w io.Writer, s watch.Snapshot) error {
	v := verdict.New(s, t.now(s))
	out := v.Text + "\n"
	if v.Cause != "" {
		out += v.Cause + "\n"
	}
	if s.Last != nil {
		blocks := []string{
			t.sourceLine(s), t.subject(s), t.targets(s), t.rules(s), t.notes(s),
		}
		for _, b := range blocks {
			if b != "" {
				out += "\n" + b
			}
		}
	}
	if _, err := io.WriteString(w, t.spell(out)); err != nil {
		return fmt.Errorf("writing the reading: %w", err)
	}
	return nil
}

// now is the time at which a snapshot is looked at: that of its newest reading.
func (t Text) now(s watch.Snapshot) time.Time {
	zone := t.Zone
	if zone == nil {
		zone = time.UTC
	}
	if s.Last == nil {
		return time.Time{}.In(zone)
	}
	return s.Last.At.In(zone)
}

func (t Text) rows() int {
	if t.Rows > 0 {
		return t.Rows
	}
	return DefaultRows
}

// sourceLine says where the numbers come from and how old they are.
func (t Text) sourceLine(s watch.Snapshot) string {
	o := origin(s.Last)
	parts := []string{o.Source}
	if o.Simulated {
		parts = append(parts, "SIMULATED")
	}
	if o.Replay {
		parts = append(parts, "REPLAY")
	}
	if o.Profile != "" {
		parts = append(parts, o.Profile)
	}
	parts = append(parts, t.now(s).Format("2006-01-02 ")+collector.FormatClock(t.now(s)))
	if age, ok := age(s.Last); ok {
		parts = append(parts, "data "+collector.FormatDuration(age)+" old")
	}
	if o.RateRange > 0 {
		parts = append(parts, "rate "+collector.FormatInterval(o.RateRange))
	}
	if o.Interval > 0 {
		parts = append(parts, "poll "+collector.FormatInterval(o.Interval))
	}
	return strings.Join(parts, "   ") + "\n"
}

// origin is that of a reading; never nil.
func origin(r *collector.Reading) *collector.Origin {
	if r != nil && r.Origin != nil {
		return r.Origin
	}
	return &collector.Origin{}
}

// age is how old the newest sample is at the time of the reading.
func age(r *collector.Reading) (time.Duration, bool) {
	if r.Newest.IsZero() {
		return 0, false
	}
	return max(r.At.Sub(r.Newest), 0), true
}
