package recording_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/collector/recording"
)

// incident is one that was lived through: recorded, and played again.
type incident struct {
	name  string
	start time.Time
	step  time.Duration
	text  string
}

var (
	// dynamo is case D3: AWS DynamoDB, 20 September 2015, a reading a minute from
	// 02:00. The network is back after a minute, the storm stays until requests
	// are paused at 05:06.
	dynamo = incident{"D3", time.Date(2015, 9, 20, 2, 0, 0, 0, time.UTC), time.Minute,
		"metadata ingress 1000x186 0x124 1000x20\nmetadata downstream 1020x19 2200x167 0x124 1020x20"}
	// blindness is case D5: AWS us-east-1, 7 December 2021, from 07:20: retries
	// from 07:30, nothing can be read from 07:34 to 13:34, well from 14:22.
	blindness = incident{"D5", time.Date(2021, 12, 7, 7, 20, 0, 0, time.UTC), time.Minute,
		"dns ingress 1000x460\ndns downstream 1010x10 2400x4 2400x360 1900x48 1010x38\nreading" + strings.Repeat(" .", 14) + strings.Repeat(" !", 360)}
	// humps is case D6: Google Service Control, 12 June 2025, from 10:30: all
	// regions from 10:48, a fix at 11:25, and then one region alone.
	humps = incident{"D6", time.Date(2025, 6, 12, 10, 30, 0, 0, time.UTC), time.Minute,
		"asia ingress 5000x240\nasia downstream 5050x18 12000x37 5050x185\n" +
			"europe ingress 5000x240\neurope downstream 5050x18 12000x37 5050x185\n" +
			"us-central1 ingress 400x240\nus-central1 downstream 404x18 960x37 404x15 900x105 404x65"}
	// lag is case C5: firing, 45 seconds of empty results, firing.
	lag = incident{"C5", time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC), 15 * time.Second,
		"payments ingress 100x10 _x3 100x10\npayments downstream 240x10 _x3 240x10"}
)

// lived are the readings of an incident, and those of its replay.
func (in incident) lived(t *testing.T, opt recording.Options) (live, again []*collector.Reading) {
	t.Helper()
	live, err := alertstest.Input{Start: in.start, Step: in.step, RateRange: time.Minute}.Readings(in.text)
	check(t, err)
	var out bytes.Buffer
	w := recording.NewWriter(&out, nil)
	check(t, w.Header(recording.Header{Rules: alerts.Documented()}))
	for _, r := range live {
		check(t, w.Reading(r))
	}
	rec, err := recording.Load(recording.NewReader(&out))
	check(t, err)
	src := recording.NewReplay(rec, opt)
	for range live {
		r, err := src.Next(t.Context())
		check(t, err)
		again = append(again, r)
	}
	return live, again
}

// judge is what comes of readings: all events, and the picture after each.
func judge(readings []*collector.Reading) (w *watch.Watch, events []collector.Event) {
	w = watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets)
	for _, r := range readings {
		events = append(events, w.Add(r)...)
	}
	return w, events
}

// firings are when the amplification of a target fired, as clock times.
func firings(w *watch.Watch, name string) (out []string) {
	for _, e := range w.Snapshot().Episodes {
		if e.Rule == alerts.RetryAmplificationHigh && e.Target.Name == name && !e.Firing.IsZero() {
			text := e.Firing.Format("15:04") + " to "
			if !e.Ended.IsZero() {
				text += e.Ended.Format("15:04")
			}
			out = append(out, text)
		}
	}
	return out
}

func TestAReplayIsJudgedAsTheIncidentWas(t *testing.T) {
	for _, in := range []incident{dynamo, blindness, humps, lag} {
		live, again := in.lived(t, recording.Options{})
		before, events := judge(live)
		after, same := judge(again)
		if diff := cmp.Diff(events, same); diff != "" || len(events) < 3 {
			t.Errorf("%s: %d events; live (-), replayed (+):\n%s", in.name, len(events), diff)
		}
		if diff := cmp.Diff(before.Snapshot().Episodes, after.Snapshot().Episodes); diff != "" {
			t.Errorf("%s: episodes live (-), replayed (+):\n%s", in.name, diff)
		}
	}
}

// TestD3OnlyThePauseEndsTheStorm: the trigger is gone after a minute.
func TestD3OnlyThePauseEndsTheStorm(t *testing.T) {
	_, again := dynamo.lived(t, recording.Options{})
	w, _ := judge(again)
	if diff := cmp.Diff([]string{"02:20 to 05:06"}, firings(w, "metadata")); diff != "" {
		t.Error(diff)
	}
}

// TestD5BlindIsNeverGreen: six hours without a number are no end of the alert.
func TestD5BlindIsNeverGreen(t *testing.T) {
	_, again := blindness.lived(t, recording.Options{})
	w, blind := watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets), 0
	for _, r := range again {
		for _, e := range w.Add(r) {
			if e.Kind == collector.EventInactive && e.Rule == alerts.RetryAmplificationHigh && e.At.Before(blindness.start.Add(422*time.Minute)) {
				t.Errorf("ended at %v: %+v", e.At, e)
			}
		}
		if !r.Blind() {
			continue
		}
		blind++
		if s := w.Snapshot(); s.Firing() == 0 || !s.BlindSince.Equal(blindness.start.Add(14*time.Minute)) {
			t.Fatalf("at %v: %d firing, blind since %v", r.At, s.Firing(), s.BlindSince)
		}
	}
	if blind != 360 {
		t.Errorf("%d blind readings", blind)
	}
}

// TestD6ASecondHumpInOneRegionIsNotHiddenByTheSum: the sum stays calm.
func TestD6ASecondHumpInOneRegionIsNotHiddenByTheSum(t *testing.T) {
	_, again := humps.lived(t, recording.Options{})
	w, _ := judge(again)
	if diff := cmp.Diff([]string{"10:49 to 11:25", "11:41 to 13:25"}, firings(w, "us-central1")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"10:49 to 11:25"}, firings(w, "europe")); diff != "" {
		t.Error(diff)
	}
	at := again[90] // 12:00
	if a := at.Total.Values[collector.Amplification]; !(a.V < 1.1) {
		t.Errorf("the sum is %v at %v: it would not hide anything", a, at.At)
	}
}

// TestC5MissingDataIsNotTheEnd: what is shown stays firing through the gap.
func TestC5MissingDataIsNotTheEnd(t *testing.T) {
	_, again := lag.lived(t, recording.Options{})
	w := watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets)
	for i, r := range again {
		w.Add(r)
		if s := w.Snapshot(); i >= 6 && s.Firing() == 0 {
			t.Errorf("nothing is firing at %v", r.At)
		}
	}
}

// TestC6AReplayThatBeginsInMidIncidentIsNotGreen: from the first reading on.
func TestC6AReplayThatBeginsInMidIncidentIsNotGreen(t *testing.T) {
	_, again := dynamo.lived(t, recording.Options{From: dynamo.start.Add(2 * time.Hour), Behind: 15 * time.Minute, Loop: true})
	w := watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets)
	for _, r := range again[:16] {
		w.Add(r)
	}
	if s := w.Snapshot(); again[14].Past != true || again[15].Past || s.Firing() == 0 {
		t.Errorf("%d firing at %v", s.Firing(), again[15].At)
	}
}
