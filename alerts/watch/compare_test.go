package watch_test

import (
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

// TestComparisons: a reading each 15 s from 12:00:00, a mark at the ninth
// (12:02:00), so that the mean is of nine readings.
func TestComparisons(t *testing.T) {
	const amp = collector.Amplification
	for name, tc := range map[string]struct {
		text                string
		before, now         string
		counted, out, older int
	}{
		"a fix works":                        {"t ingress 100x12\nt downstream 250x9 130x3", "2.50x", "1.30x", 9, 0, 15},
		"the mean of a rise":                 {"t ingress 100x12\nt downstream 100x4 200x5 100x3", "1.56x", "1.00x", 9, 0, 15},
		"partial readings are left out":      {"t ingress 100x4 p50x3 100x5\nt downstream 200x12", "2.00x", "2.00x", 6, 3, 15},
		"blind readings are left out":        {"t ingress 100x12\nt downstream 200x12\nreading . . ! ! ! ! . . . . . .", "2.00x", "2.00x", 5, 4, 15},
		"blind now":                          {"t ingress 100x12\nt downstream 200x12\nreading . . . . . . . . . . . !", "2.00x", "×", 9, 0, 15},
		"partial now":                        {"t ingress 100x11 p50\nt downstream 200x12", "2.00x", "4.00x part", 9, 0, 15},
		"no traffic before":                  {"t ingress 0x9 100x3\nt downstream 0x9 100x3", "idle", "1.00x", 9, 0, 15},
		"traffic cut before":                 {"t ingress 100x8 0 100x3\nt downstream 100x12", "∞", "1.00x", 9, 0, 15},
		"nothing known before":               {"t ingress _x10 100x2\nt downstream _x10 100x2", "–", "1.00x", 0, 9, 15},
		"nothing known since":                {"t ingress 100x9 _x3\nt downstream 100x9 _x3", "1.00x", "–", 9, 0, 15},
		"the rate range is over after a min": {"t ingress 100x14\nt downstream 250x9 130x5", "2.50x", "1.30x", 9, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			rs, err := alertstest.Input{RateRange: time.Minute}.Readings(tc.text)
			if err != nil {
				t.Fatal(err)
			}
			w := watch.New(alerts.Documented(), time.Hour, 8)
			for _, r := range rs {
				w.Add(r)
			}
			at := alertstest.Start.Add(2 * time.Minute)
			c := watch.Compare(w.Snapshot(), collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: "t"}).ID, collector.Mark{At: at, Text: "retries off"})
			if b, n := c.Before[amp].String(), c.Now[amp].String(); b != tc.before || n != tc.now {
				t.Errorf("%s → %s, want %s → %s", b, n, tc.before, tc.now)
			}
			if c.Counted != tc.counted || c.LeftOut != tc.out || c.Known() != (tc.counted > 0) {
				t.Errorf("%d counted and %d left out, want %d and %d", c.Counted, c.LeftOut, tc.counted, tc.out)
			}
			if want := time.Duration(tc.older) * time.Second; c.Older != want || c.Since != rs[len(rs)-1].At.Sub(at) {
				t.Errorf("%v of the rate range are old, want %v; since %v", c.Older, want, c.Since)
			}
		})
	}
}

func TestAMarkBeforeTheNewestReadingComparesNothingYet(t *testing.T) {
	rs, _ := alertstest.Input{RateRange: time.Minute}.Readings("t ingress 100x4\nt downstream 200x4")
	w := watch.New(nil, time.Hour, 8)
	for _, r := range rs {
		w.Add(r)
	}
	c := watch.Compare(w.Snapshot(), "t", collector.Mark{At: rs[3].At.Add(3 * time.Second)})
	if c.Since != 0 || c.Older != time.Minute {
		t.Errorf("since %v, %v old", c.Since, c.Older)
	}
	if c := watch.Compare(watch.Snapshot{}, "t", collector.Mark{}); c.Known() {
		t.Error("something is known before the first reading")
	}
}
