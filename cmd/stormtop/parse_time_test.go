package main

import (
	"testing"
	"time"
)

func TestMomentsAreReadAsPeopleWriteThem(t *testing.T) {
	now := time.Date(2026, 3, 14, 12, 30, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"-3h": "2026-03-14T09:30:00Z", "3h": "2026-03-14T09:30:00Z", "-1d": "2026-03-13T12:30:00Z", "now": "2026-03-14T12:30:00Z",
		"12:00": "2026-03-14T12:00:00Z", "12:31": "2026-03-13T12:31:00Z", "23:59:59": "2026-03-13T23:59:59Z", "00:00Z": "2026-03-14T00:00:00Z",
		"2026-03-14T09:00:00+02:00": "2026-03-14T07:00:00Z",
	} {
		m, err := parseMoment(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := m.resolve(now).Format(time.RFC3339); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
		if formatMoment(m) != text {
			t.Errorf("%s is written %s", text, formatMoment(m))
		}
	}
	for _, text := range []string{"yesterday", "-", "-0s", "25:00", "2026-03-14", "-3000d", "12:61"} {
		if _, err := parseMoment(text); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
