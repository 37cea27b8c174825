package tune_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts/alertstest"
	"stormtop/alerts/tune"
	"stormtop/collector"
)

// TestTheRestOfAnIncidentProvesNothing: wherever a view cuts into an incident, its
// lead is no lead, its being missed no miss, and firing in it no false alarm; the
// incidents that are whole in view are judged as ever.
func TestTheRestOfAnIncidentProvesNothing(t *testing.T) {
	// Bad for a minute from 0 s, 300 s and 600 s on; read every second.
	storm := "a ingress 100x900\na downstream 200x60 100x240 200x60 100x240 200x60 100x240"
	rs, err := alertstest.Input{Step: time.Second, RateRange: 10 * time.Second}.Readings(storm)
	if err != nil {
		t.Fatal(err)
	}
	all := []tune.Incident{incident(0, 60), incident(300, 360), incident(600, 660)}
	for _, cut := range []int{0, 1, 2, 15, 45, 58, 60, 65, 100, 299, 300} {
		for _, hold := range []time.Duration{0, 30 * time.Second} {
			rule := amplification(func(r *collector.RuleSpec) { r.For = hold })
			b := tune.NewBuilder([]collector.RuleSpec{rule})
			for _, r := range rs[cut:] {
				b.Add(r)
			}
			h := b.History(0)
			from, to := h.Span()
			h.Incidents, h.Begun = tune.Split(all, from, to, h.Step())
			want, lag := 2, time.Duration(0)
			if cut <= 1 { // as good as whole
				want, lag = 3, time.Duration(cut)*time.Second
			}
			got := tune.Backtest(h, rule)
			if got.Incidents != want || got.Found != want || got.Lead != hold+lag || got.False != 0 {
				t.Errorf("cut at %ds, for %s: %+v", cut, hold, got.Figures)
			}
			m := tune.NewMap([]*tune.History{h}, rule, []float64{rule.Threshold}, []time.Duration{hold})
			if c := m.At(0, 0); m.Incidents != want || c.Missed != 0 || c.Lead != got.Lead || c.False != 0 {
				t.Errorf("cut at %ds, for %s: the map has %+v", cut, hold, c)
			}
			if left := len(h.LeftOut()) > 0; left != (cut > 1 && cut <= 60) {
				t.Errorf("cut at %ds: %v left out", cut, h.LeftOut())
			}
		}
	}
}

func TestSplitTellsWhatBeganBefore(t *testing.T) {
	early := incident(100, 130)
	early.Early = true
	judged, begun := tune.Split([]tune.Incident{
		incident(700, 800), incident(10, 20), early, incident(200, 250), incident(60, 90), incident(95, 99),
	}, at(97), at(600), 5*time.Second)
	if diff := cmp.Diff([]tune.Incident{incident(95, 99), incident(200, 250)}, judged); diff != "" {
		t.Errorf("judged (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]tune.Incident{incident(10, 20), incident(60, 90), early}, begun); diff != "" {
		t.Errorf("begun before (-want +got):\n%s", diff)
	}
}

// TestTruthThatIsFirstLookedAtMidway: what is bad at the first instant began
// before it, and only there.
func TestTruthThatIsFirstLookedAtMidway(t *testing.T) {
	for _, midway := range []bool{false, true} {
		truth := tune.Truth{Midway: midway}
		for s, bad := range []bool{true, true, false, false, true, true} {
			truth.Note(at(s), bad)
		}
		got := truth.Incidents()
		if len(got) != 2 || got[0].Early != midway || got[1].Early {
			t.Errorf("midway %v: %+v", midway, got)
		}
	}
}

func TestEvidenceIsWeighed(t *testing.T) {
	rest := func() *tune.History {
		h := build(t, alertstest.Input{Step: time.Second}, "a ingress 100x10\na downstream 100x10", amplification())
		h.Begun = []tune.Incident{incident(-90, -60), incident(-20, 3)}
		return h
	}
	none, one := &tune.History{}, &tune.History{Incidents: []tune.Incident{incident(0, 1)}}
	lasting := func(list ...tune.Incident) *tune.History {
		h := build(t, alertstest.Input{Step: time.Second}, "a ingress 100x10\na downstream 100x10", amplification())
		h.Incidents = list
		return h
	}
	both := rest()
	both.Incidents = one.Incidents
	for want, list := range map[string][]*tune.History{
		"no incident is known: every firing counts as a false alarm":    {none},
		"1 incident: weak evidence":                                     {one, none},
		"2 incidents":                                                   {one, one},
		"1 incident: weak evidence; 1 that began before left out":       {both},
		"2 incidents; 1 that began before left out":                     {one, both},
		"1 incident, which goes on: weak evidence":                      {lasting(incident(4, 9))},
		"2 incidents, the last one goes on":                             {lasting(incident(1, 2), incident(4, 9))},
		"3 incidents":                                                   {lasting(incident(1, 2), incident(4, 9)), one},
		"the one incident began before the history, and proves nothing": {rest()},
		"all 2 incidents began before the histories, and prove nothing": {rest(), none, rest()},
	} {
		if got := tune.Evidence(list...); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
