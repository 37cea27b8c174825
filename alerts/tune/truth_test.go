package tune_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts/alertstest"
	"stormtop/alerts/tune"
	"stormtop/collector"
)

func TestTruthJoinsWhatIsCloseTogether(t *testing.T) {
	truth := tune.Truth{Text: "overloaded", Join: 3 * time.Second}
	for s, bad := range []bool{false, true, true, false, false, true, false, false, false, false, true} {
		truth.Note(at(s), bad)
	}
	want := []tune.Incident{{From: at(1), To: at(5), Text: "overloaded"}, {From: at(10), To: at(10), Text: "overloaded"}}
	if diff := cmp.Diff(want, truth.Incidents()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTwoMarksBoundAnIncident(t *testing.T) {
	marks := []collector.Mark{{At: at(10)}, {At: at(20)}, {At: at(50)}}
	want := []tune.Incident{incident(10, 20), incident(50, 90)}
	if diff := cmp.Diff(want, tune.Marked(marks, at(90))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestALongerRangeIsTheMeanOfTheRates: ratios are of the averaged sides, never
// averaged themselves.
func TestALongerRangeIsTheMeanOfTheRates(t *testing.T) {
	rs, err := alertstest.Input{Step: time.Second, RateRange: time.Second}.Readings("a ingress 100 300 100x3\na downstream 100 900 100x3\na queue_depth 1 2 3 4 5")
	if err != nil {
		t.Fatal(err)
	}
	w, err := tune.NewWider(rs[0].Origin, 3*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{1, 1000.0 / 400, 1100.0 / 500, 1100.0 / 500, 1}
	for i, r := range rs {
		got := w.Next(r)
		row := got.Targets[0]
		if a, ok := row.Values[collector.Amplification].Number(); !ok || math.Abs(a-want[i]) > 1e-12 {
			t.Errorf("second %d: %v, want %v", i, a, want[i])
		}
		if q := row.Values[collector.QueueDepth].V; q != float64(i+1) {
			t.Errorf("second %d: queue %v", i, q)
		}
		if got.Origin.RateRange != 3*time.Second || r.Origin.RateRange != time.Second || got.Total.Values[collector.Amplification].State != collector.Ok {
			t.Errorf("%+v", got.Origin)
		}
	}
	for _, rate := range []time.Duration{500 * time.Millisecond, 5 * time.Minute} {
		o := &collector.Origin{Interval: 5 * time.Second, RateRange: time.Minute}
		if _, err := tune.NewWider(o, rate); err == nil {
			t.Errorf("%s was made of a range of 1m", rate)
		}
	}
}
