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

// play feeds series in the notation of alertstest to a watch.
func play(t *testing.T, in alertstest.Input, text string) (*watch.Watch, []*collector.Reading) {
	t.Helper()
	rs, err := in.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	w := watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets)
	for _, r := range rs {
		w.Add(r)
	}
	return w, rs
}

func firings(s watch.Snapshot, rule string) (out []string) {
	for _, e := range s.Episodes {
		if e.Rule == rule {
			out = append(out, e.Firing.Format("15:04")+" to "+e.Ended.Format("15:04"))
		}
	}
	return out
}

// TestD8ItComesBack is case D8: Discord, 20 March 2017, a reading a minute from 11:30:
// everyone reconnects at 11:38, it is mostly well at 13:56, and again from 14:52
// to 16:54. Two firings, each with its times.
func TestD8ItComesBack(t *testing.T) {
	start := time.Date(2017, 3, 20, 11, 30, 0, 0, time.UTC)
	text := "gateway ingress 1000x340\ngateway downstream 1010x8 3300x138 1010x56 2800x122 1010x16"
	w, _ := play(t, alertstest.Input{Start: start, Step: time.Minute}, text)
	s := w.Snapshot()
	got := strings.Join(firings(s, alerts.RetryAmplificationHigh), ", ")
	if want := "11:39 to 13:56, 14:53 to 16:54"; got != want {
		t.Errorf("fired %s, want %s", got, want)
	}
	if s.Firing() != 0 || !s.ClearSince.Equal(start.Add(324*time.Minute)) {
		t.Errorf("%d firing, clear since %v", s.Firing(), s.ClearSince)
	}
}

// TestD8TenTimesTheTrafficIsNoRetryStorm is case D8: GitHub, 9 February 2026: the reads
// grow tenfold, twice, and each of them is asked for once.
func TestD8TenTimesTheTrafficIsNoRetryStorm(t *testing.T) {
	start := time.Date(2026, 2, 9, 16, 0, 0, 0, time.UTC)
	text := "reads ingress 500x48 5000x348 500x296 5000x304\nreads downstream 500x48 5000x348 500x296 5000x304"
	in := alertstest.Input{Start: start, Step: 15 * time.Second, RateRange: time.Minute}
	rs, err := in.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	w := watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets)
	for i, r := range rs {
		w.Add(r)
		if i == 60 || i == 710 { // three minutes into each wave
			if c := w.Snapshot().Cause; c.Cause != alerts.CauseTraffic || !strings.HasPrefix(c.Text, "it is traffic: ingress +900%") {
				t.Errorf("at %v: cause %q", r.At, c.Text)
			}
		}
	}
	for _, e := range w.Snapshot().Events {
		if e.Kind == collector.EventPending || e.Kind == collector.EventFiring {
			t.Errorf("%v: %s %s %s", e.At, e.Kind, e.Rule, e.Text)
		}
	}
}

// TestA3FourZeroDenominatorsInARow is case A3: x/0, 0/0, no ingress series and no
// downstream series, two minutes each, on one target; the state is PromQL's.
func TestA3FourZeroDenominatorsInARow(t *testing.T) {
	text := "t ingress 0x8 0x8 _x8 50x8\nt downstream 50x8 0x8 50x8 _x8"
	rs, err := alertstest.Input{}.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	w := watch.New(alerts.Documented()[:1], time.Hour, 8)
	want := []struct {
		state, shown alerts.State
		value        collector.State
		held         bool
	}{
		{alerts.Firing, alerts.Firing, collector.Infinite, false},
		{alerts.Inactive, alerts.Inactive, collector.Idle, false},
		{alerts.Inactive, alerts.Inactive, collector.Missing, true},
		{alerts.Inactive, alerts.Inactive, collector.Missing, true},
	}
	for i, r := range rs {
		w.Add(r)
		if i%8 != 7 {
			continue
		}
		st, exp := w.Snapshot().Statuses[0], want[i/8]
		if st.State != exp.state || st.Shown != exp.shown || st.Value.State != exp.value || st.Held != exp.held {
			t.Errorf("stretch %d: state %s, shown %s, value %s, held %v", i/8+1, st.State, st.Shown, st.Value.State, st.Held)
		}
	}
}

// TestA6PartialAnswersChangeNothingSilently is case A6: half of the ingress is missing from
// an answer, then half of the attempts; nothing fires, nothing resolves, and the
// events say that a state is kept.
func TestA6PartialAnswersChangeNothingSilently(t *testing.T) {
	text := `
calm  ingress    100x4 p50x12 100x6
calm  downstream 110x22
storm ingress    100x22
storm downstream 200x8 p100x8 200x6
`
	w, _ := play(t, alertstest.Input{}, text)
	s := w.Snapshot()
	var told []string
	for _, e := range s.Events {
		if e.Rule == alerts.RetryAmplificationHigh {
			told = append(told, e.At.Format("15:04:05")+" "+e.Kind.String()+" "+e.Name)
		}
	}
	want := "12:00:00 pending storm, 12:01:00 held calm, 12:01:00 firing storm, 12:02:00 held storm, 12:04:00 released calm, 12:05:00 released storm"
	if got := strings.Join(told, ", "); got != want {
		t.Errorf("told %s\nwant %s", got, want)
	}
	if s.Firing() != 1 || len(firings(s, alerts.RetryAmplificationHigh)) != 0 {
		t.Errorf("%d firing, ended: %v", s.Firing(), s.Episodes)
	}
}
