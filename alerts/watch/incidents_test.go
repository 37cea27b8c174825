package watch_test

import (
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

// shownOf is the state of the ratio's rule on a target in a picture, inactive
// where nothing is told of it.
func shownOf(s watch.Snapshot, target string) (alerts.State, bool) {
	for _, st := range s.Statuses {
		if st.Rule.Name == alerts.RetryAmplificationHigh && st.Target.Name == target {
			return st.Shown, st.Held
		}
	}
	return alerts.Inactive, false
}

// words are n words for a "reading" line.
func words(word string, n int) string { return strings.TrimSpace(strings.Repeat(word+" ", n)) }

// TestC5MissingDataEndsNothingAtAnyCursor: firing, 45 s of empty answers, firing
// again. Wherever the cursor stands since it fired, it fires.
func TestC5MissingDataEndsNothingAtAnyCursor(t *testing.T) {
	w, rs := play(t, alertstest.Input{}, "t ingress 100x12 _x3 100x12\nt downstream 100x2 300x10 _x3 300x12")
	s := w.Snapshot()
	for i := 6; i < len(rs); i++ {
		then, ok := s.At(rs[i].At)
		if shown, held := shownOf(then, "t"); !ok || shown != alerts.Firing || i >= 12 && i < 15 && !held {
			t.Errorf("reading %d: %v, held %v", i, shown, held)
		}
	}
	if len(s.Episodes) != 0 {
		t.Errorf("it ended: %v", s.Episodes)
	}
}

// TestD3OnlyThePauseDropsIt is DynamoDB, 20 September 2015, a reading a minute
// from 02:10: the network is lost for a moment at 02:19, the retries stay, and
// at 05:06 the requests are paused.
func TestD3OnlyThePauseDropsIt(t *testing.T) {
	start := time.Date(2015, 9, 20, 2, 10, 0, 0, time.UTC)
	w, _ := play(t, alertstest.Input{Start: start, Step: time.Minute},
		"metadata ingress 1000x176 0x4 400x120 1000x20\nmetadata downstream 1010x9 2600x167 0x4 404x120 1010x20")
	s := w.Snapshot()
	if got := strings.Join(firings(s, alerts.RetryAmplificationHigh), ", "); got != "02:20 to 05:06" {
		t.Errorf("fired %s", got)
	}
	for at, want := range map[string]alerts.State{"02:15": alerts.Inactive, "02:19": alerts.Pending, "02:25": alerts.Firing, "04:59": alerts.Firing, "05:08": alerts.Inactive, "07:10": alerts.Inactive} {
		clock, _ := time.Parse("15:04", at)
		then, _ := s.At(start.Truncate(24 * time.Hour).Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute))
		if shown, _ := shownOf(then, "metadata"); shown != want {
			t.Errorf("at %s: %v, want %v", at, shown, want)
		}
	}
	c := watch.Compare(s, alertstest.Target("metadata").ID, collector.Mark{At: start.Add(175 * time.Minute), Text: "requests paused"})
	if b, n := c.Before[collector.Amplification].String(), c.Now[collector.Amplification].String(); b != "2.60x" || n != "1.01x" {
		t.Errorf("the pause: %s → %s", b, n)
	}
}

// TestD5BlindIsNeitherGreenNorResolved is us-east-1, 7 December 2021, a reading a
// minute from 07:20: the surge at 07:30, the monitoring is lost at 07:33, and
// comes back at 13:34 with the worst over.
func TestD5BlindIsNeitherGreenNorResolved(t *testing.T) {
	start := time.Date(2021, 12, 7, 7, 20, 0, 0, time.UTC)
	const lost, back, end = 13, 374, 440
	w, rs := play(t, alertstest.Input{Start: start, Step: time.Minute},
		"dns ingress 1000x440\ndns downstream 1000x10 3500x364 1200x66\nreading "+words(".", lost)+" "+words("!", back-lost)+" "+words(".", end-back))
	s := w.Snapshot()
	for i := lost; i < back; i++ {
		then, _ := s.At(rs[i].At)
		shown, held := shownOf(then, "dns")
		if !then.Last.Blind() || !then.BlindSince.Equal(start.Add(lost*time.Minute)) || shown != alerts.Firing || !held || !then.ClearSince.IsZero() {
			t.Fatalf("at %v: blind %v since %v, %v, held %v, clear since %v", rs[i].At, then.Last.Blind(), then.BlindSince, shown, held, then.ClearSince)
		}
		if then.Coverage.Judged != 0 {
			t.Fatalf("at %v: %d rules judged", rs[i].At, then.Coverage.Judged)
		}
	}
	if got := strings.Join(firings(s, alerts.RetryAmplificationHigh), ", "); !strings.HasPrefix(got, "07:31 to 13:3") {
		t.Errorf("fired %s", got)
	}
}

// TestD6TheSecondHumpInOneRegionIsNotHiddenByTheSum is Google's Service Control,
// 12 June 2025, a reading a minute from 10:40: all regions fail at 10:45, the fix
// is out at 11:25, and from 11:40 the restarting tasks of one region of 40 stampede
// its database until 14:00.
func TestD6TheSecondHumpInOneRegionIsNotHiddenByTheSum(t *testing.T) {
	start := time.Date(2025, 6, 12, 10, 40, 0, 0, time.UTC)
	var text strings.Builder
	for i := range 39 {
		name := "region-" + string(rune('a'+i/10)) + string(rune('0'+i%10))
		text.WriteString(name + " ingress 1000x240\n" + name + " downstream 1000x5 2500x40 1010x195\n")
	}
	text.WriteString("us-central1 ingress 1000x240\nus-central1 downstream 1000x5 2500x40 1010x15 6000x140 1010x40")
	w, rs := play(t, alertstest.Input{Start: start, Step: time.Minute}, text.String())
	s := w.Snapshot()
	var humps []string
	for _, e := range s.Episodes {
		if e.Rule == alerts.RetryAmplificationHigh && e.Target.Name == "us-central1" {
			humps = append(humps, e.Firing.Format("15:04")+" to "+e.Ended.Format("15:04")+" peak "+e.Peak.String())
		}
	}
	if got, want := strings.Join(humps, ", "), "10:46 to 11:25 peak 2.50x, 11:41 to 14:00 peak 6.00x"; got != want {
		t.Errorf("us-central1 fired %s, want %s", got, want)
	}
	then, _ := s.At(rs[120].At)
	if sum := then.Good.Total.Values[collector.Amplification].String(); sum != "1.13x" {
		t.Errorf("the sum is %s: it does not hide it", sum)
	}
	if worst := then.Worst.Target.Name; worst != "us-central1" || then.Firing() != 1 {
		t.Errorf("at 12:40 the worst is %s, %d firing", worst, then.Firing())
	}
}

// TestC6ARestartWhileFiringKeepsThePast: at minute 5 of a firing stormtop is
// started anew and reads the past; the cursor shows it as it was, and what lies
// before it is not shown at all.
func TestC6ARestartWhileFiringKeepsThePast(t *testing.T) {
	text := "t ingress 100x40\nt downstream 100x10 300x30"
	rs, err := alertstest.Input{Past: true}.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	w := watch.New(alerts.Documented(), time.Hour, watch.DefaultTargets)
	for _, r := range rs[:30] {
		w.Add(r)
	}
	for _, r := range rs[30:] {
		live := *r
		live.Past = false
		w.Add(&live)
	}
	s := w.Snapshot()
	for i, want := range map[int]alerts.State{5: alerts.Inactive, 11: alerts.Pending, 14: alerts.Firing, 29: alerts.Firing, 35: alerts.Firing} {
		then, ok := s.At(rs[i].At)
		if shown, _ := shownOf(then, "t"); !ok || shown != want {
			t.Errorf("reading %d: %v, want %v", i, shown, want)
		}
	}
	if _, ok := s.At(rs[0].At.Add(-time.Second)); ok {
		t.Error("there is a picture of what was never read")
	}
}
