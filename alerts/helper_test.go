package alerts_test

import (
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/collector"
)

// readings parses the notation of alertstest or fails the test.
func readings(t testing.TB, in alertstest.Input, text string) []*collector.Reading {
	t.Helper()
	rs, err := in.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

// rule is a documented rule, changed by edit.
func rule(name string, edit func(*collector.RuleSpec)) collector.RuleSpec {
	for _, r := range alerts.Documented() {
		if r.Name == name {
			if edit != nil {
				edit(&r)
			}
			return r
		}
	}
	panic("no documented rule " + name)
}

// status is what is known of a rule on a target; the zero Status when nothing is.
func status(e *alerts.Engine, ruleName, target string) alerts.Status {
	for _, s := range e.For(alertstest.Target(target).ID) {
		if s.Rule.Name == ruleName {
			return s
		}
	}
	return alerts.Status{}
}

// letters are the states of a run, one letter a reading: "." inactive, "p"
// pending, "F" firing, "?" unknown; what is shown while held is "h" (pending),
// "H" (firing) or "-" (inactive).
type letters struct{ state, shown strings.Builder }

func (l *letters) add(s alerts.Status) {
	l.state.WriteByte("?.pF"[s.State])
	if s.Held {
		l.shown.WriteByte("?-hH"[s.Shown])
	} else {
		l.shown.WriteByte("?.pF"[s.Shown])
	}
}

func clock(s string) time.Time {
	at, err := time.Parse("15:04:05", s)
	if err != nil {
		panic(err)
	}
	y, m, d := alertstest.Start.Date()
	return time.Date(y, m, d, at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
}
