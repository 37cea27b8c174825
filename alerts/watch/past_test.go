package watch_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// films are courses of readings with everything that can happen in them.
func films(t *testing.T) map[string][]*collector.Reading {
	t.Helper()
	const step = watchtest.Step
	storm := watchtest.Storm{Targets: 4}
	lost := collector.Failure{Kind: collector.ServerError, Text: `503 "query timed out"`}
	var blind []*collector.Reading
	for at := watchtest.Plateau + step; at < watchtest.Plateau+time.Minute; at += step {
		blind = append(blind, watchtest.Blind(at, lost))
	}
	partial := watchtest.EditAll(storm.Readings(watchtest.Plateau+2*time.Minute, watchtest.Plateau+3*time.Minute), func(row *collector.Row) {
		row.Values[collector.Ingress].State = collector.Partial
	})
	out := map[string][]*collector.Reading{
		"a storm and its end": storm.Readings(watchtest.Rise, watchtest.Subsides+time.Minute),
		"blind and partial in a storm": slices.Concat(storm.Readings(8*time.Minute, watchtest.Plateau), blind,
			storm.Readings(watchtest.Plateau+time.Minute, watchtest.Plateau+2*time.Minute-step), partial,
			storm.Readings(watchtest.Plateau+3*time.Minute+step, watchtest.Plateau+5*time.Minute)),
		"firing from the start": storm.Readings(watchtest.Plateau, watchtest.Plateau+2*time.Minute),
	}
	for name, text := range map[string]string{
		"coming and going": "a ingress 100x40\na downstream 100x4 300x20 100x6 400x10\nb ingress 50x10 _x10 50x20\nb downstream 150x10 _x10 50x20",
		"failed readings":  "a ingress 100x30\na downstream 100x4 300x26\nreading . . . . . . . . . . ! ! ! ! ! ! . . . . . . . . . . . . . .",
		"idle, infinite":   "a ingress 100x4 0x8 100x8 0x4\na downstream 100x4 200x8 300x8 0x4",
	} {
		rs, err := alertstest.Input{}.Readings(text)
		if err != nil {
			t.Fatal(name, err)
		}
		out[name] = rs
	}
	return out
}

// seen is what must be the same of a status whether it is seen live or later.
type seen struct {
	Rule, Target             string
	Value                    collector.Value
	Shown                    alerts.State
	Held                     bool
	HeldSince, Active, Fired time.Time
	AtLeast                  bool
	Peak                     float64
}

func activeOf(s watch.Snapshot) (out []string) {
	for _, st := range s.Statuses {
		if st.Active() {
			out = append(out, fmt.Sprintf("%+v", seen{
				st.Rule.Name, st.Target.ID, st.Value, st.Shown, st.Held, st.HeldSince, st.ActiveAt, st.FiredAt,
				st.AtLeast, st.Peak.V,
			}))
		}
	}
	slices.Sort(out)
	return out
}

// TestThePastIsAsItWasSeenLive looks at every reading twice: when it came, and at
// the end.
func TestThePastIsAsItWasSeenLive(t *testing.T) {
	for name, rs := range films(t) {
		t.Run(name, func(t *testing.T) {
			w := watch.New(alerts.Documented(), 24*time.Hour, watch.DefaultTargets)
			var live []watch.Snapshot
			for _, r := range rs {
				w.Add(r)
				live = append(live, w.Snapshot())
			}
			end := w.Snapshot()
			for i, was := range live {
				now, ok := end.At(rs[i].At.Add(time.Second))
				if !ok {
					t.Fatalf("%v is not remembered", rs[i].At)
				}
				at := rs[i].At.Format("15:04:05")
				if diff := cmp.Diff(activeOf(was), activeOf(now)); diff != "" {
					t.Fatalf("%s: active\n%s", at, diff)
				}
				if was.Firing() != now.Firing() || !was.BlindSince.Equal(now.BlindSince) || !was.ClearSince.Equal(now.ClearSince) {
					t.Fatalf("%s: firing %d %d, blind since %v %v, clear since %v %v", at,
						was.Firing(), now.Firing(), was.BlindSince, now.BlindSince, was.ClearSince, now.ClearSince)
				}
				if was.Last.Blind() != now.Last.Blind() || !was.Good.At.Equal(now.Good.At) || len(was.Episodes) != len(now.Episodes) || len(was.Events) != len(now.Events) {
					t.Fatalf("%s: blind %v %v, good %v %v, %d and %d episodes, %d and %d events", at, was.Last.Blind(), now.Last.Blind(),
						was.Good.At, now.Good.At, len(was.Episodes), len(now.Episodes), len(was.Events), len(now.Events))
				}
				for _, row := range was.Good.Targets {
					got, _ := now.Good.Row(row.Target.ID)
					if diff := cmp.Diff(text(row), text(got)); diff != "" {
						t.Fatalf("%s: %s\n%s", at, row.Target.Name, diff)
					}
				}
				if was.Firing() > 0 && was.Cause.Text != now.Cause.Text {
					t.Fatalf("%s: cause %q, then %q", at, was.Cause.Text, now.Cause.Text)
				}
				if was.Firing() > 0 && was.Worst.Target.ID != now.Worst.Target.ID {
					t.Fatalf("%s: worst %q, then %q", at, was.Worst.Target.Name, now.Worst.Target.Name)
				}
			}
		})
	}
}

// text is a row as it is read.
func text(row collector.Row) (out []string) {
	for _, v := range row.Values {
		out = append(out, v.String())
	}
	return append(out, fmt.Sprint(row.Baseline))
}

func TestThePastOfWhatIsForgottenIsUnknown(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	rs := storm.Readings(0, 40*time.Minute)
	for _, r := range rs {
		w.Add(r)
	}
	s := w.Snapshot()
	if _, ok := s.At(rs[0].At); ok {
		t.Error("a reading that is forgotten is shown")
	}
	if _, ok := (watch.Snapshot{}).At(rs[0].At); ok {
		t.Error("there is a past before the first reading")
	}
	s.Events = []collector.Event{{At: s.Last.At, Kind: collector.EventMark}} // all before is forgotten
	then, ok := s.At(s.History.Time(10))
	if !ok {
		t.Fatal("not remembered")
	}
	for _, st := range then.Statuses {
		if st.Shown != alerts.Unknown {
			t.Errorf("%s on %s is %v although nothing is known of it", st.Rule.Name, st.Target.Name, st.Shown)
		}
	}
	if then.Coverage.Judged != 0 || !then.ClearSince.IsZero() {
		t.Errorf("%d judged, clear since %v", then.Coverage.Judged, then.ClearSince)
	}
}

func TestATargetThatTheHistoryDoesNotHoldHasNoValueInThePast(t *testing.T) {
	w := watch.New(alerts.Documented(), time.Hour, 1)
	rs := watchtest.Storm{Targets: 3}.Readings(0, watchtest.Plateau)
	for _, r := range rs {
		w.Add(r)
	}
	then, _ := w.Snapshot().At(rs[20].At)
	if len(then.Good.Targets) != 3 {
		t.Fatalf("%d targets", len(then.Good.Targets))
	}
	row, _ := then.Good.Row(watchtest.Service(watchtest.Users).ID)
	if got := row.Values[collector.Ingress].String(); got != "–" {
		t.Errorf("users has %s", got)
	}
}

// TestABaselineOfAnotherTimeIsNotShown: it was changed since.
func TestABaselineOfAnotherTimeIsNotShown(t *testing.T) {
	storm := watchtest.Storm{Targets: 1}
	rs := storm.Readings(0, time.Minute)
	o := *watchtest.Origin()
	o.Baselines = collector.Baselines{Number: 2}
	for _, r := range storm.Readings(time.Minute+watchtest.Step, 2*time.Minute) {
		r.Origin = &o
		rs = append(rs, watchtest.Edit(r, func(*collector.Row) {}))
	}
	s := watchtest.Play(alerts.Documented(), rs...)
	for i, want := range map[int]float64{3: 0, 15: 2, len(rs) - 1: 2} {
		then, _ := s.At(rs[i].At)
		if got := then.Good.Targets[0].Baseline; got != want {
			t.Errorf("reading %d: baseline %v, want %v", i, got, want)
		}
	}
}

func BenchmarkPastOfTenThousandTargets(b *testing.B) {
	storm := watchtest.Storm{Targets: 10_000}
	s := watchtest.Play(alerts.Documented(), storm.Readings(watchtest.Plateau-2*time.Minute, watchtest.Plateau)...)
	at := s.History.Time(5)
	b.ReportAllocs()
	for b.Loop() {
		s.At(at)
	}
}
