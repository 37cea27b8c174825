package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/views/verdict"
)

// TestAnOkOfTheRulesHidesNoOutage: the rules are about retries, so that they are
// calm while a dependency answers nothing.
func TestAnOkOfTheRulesHidesNoOutage(t *testing.T) {
	share := func(f float64) collector.Value { return collector.Num(f, collector.Fraction, collector.Exact) }
	rate := func(f float64) collector.Value { return collector.Num(f, collector.PerSecond, collector.Exact) }
	wait := func(f float64) collector.Value { return collector.Num(f, collector.Seconds, collector.Exact) }
	type row struct{ ingress, delivered, wait collector.Value }
	var missing collector.Value
	for _, test := range []struct {
		name, moment string
		rows         []row
		want         string // "": nothing is said
	}{
		{"all is delivered", "calm", []row{{rate(100), share(1), missing}}, ""},
		{"a backlog is answered", "calm", []row{{rate(100), share(1.4), missing}}, ""},
		{"half fails", "calm", []row{{rate(100), share(0.5), missing}}, ""},
		{"most fails", "calm", []row{{rate(100), share(0.204), missing}}, "no retry storm, and yet first delivers only 20.4% of its requests"},
		{"nothing gets through a pool", "calm", []row{{rate(1000), share(0), wait(1)}}, "no retry storm, and yet first delivers only 0.0% of its requests; they wait 1.00s for a pool"},
		{"a pool that is hardly waited for", "calm", []row{{rate(1000), share(0), wait(0.003)}}, "no retry storm, and yet first delivers only 0.0% of its requests"},
		{"a pool without a wait", "calm", []row{{rate(1000), share(0), wait(0)}}, "no retry storm, and yet first delivers only 0.0% of its requests"},
		{"the one that delivers least", "calm", []row{{rate(100), share(0.4), missing}, {rate(100), share(0.1), missing}}, "no retry storm, and yet second delivers only 10.0% of its requests"},
		{"nobody asked", "calm", []row{{rate(0), collector.Value{State: collector.Idle, Unit: collector.Fraction}, missing}}, ""},
		{"too little traffic to judge", "calm", []row{{rate(0.01), share(0), missing}}, ""},
		{"not exported", "calm", []row{{rate(100), missing, missing}}, ""},
		{"a storm just over", "resolved", []row{{rate(100), share(0.1), missing}}, "no retry storm, and yet first delivers only 10.0% of its requests"},
		{"a storm", "firing", []row{{rate(100), share(0.1), missing}}, ""},
		{"nothing to see", "blind", []row{{rate(100), share(0.1), missing}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := moment(t, test.moment)
			s, good := m.Snapshot, *m.Snapshot.Good
			good.Targets = slices.Clone(good.Targets)
			for i := range good.Targets {
				v := &good.Targets[i].Values
				v[collector.Delivered], v[collector.PoolWait] = collector.Value{}, collector.Value{}
				if i < len(test.rows) {
					good.Targets[i].Target.Name = []string{"first", "second"}[i]
					v[collector.Ingress], v[collector.Delivered], v[collector.PoolWait] = test.rows[i].ingress, test.rows[i].delivered, test.rows[i].wait
				}
			}
			s.Good = &good
			got := verdict.New(s, m.Now)
			if said := strings.HasPrefix(got.Cause, "no retry storm"); said != (test.want != "") || said && got.Cause != test.want || got.Undelivered != said {
				t.Errorf("%s: %s\n got %q\nwant %q", test.moment, got.Text, got.Cause, test.want)
			}
		})
	}
}
