package watch_test

import (
	"testing"

	"stormtop/alerts"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// TestAProxyThatReads100xBesideALibraryThatStorms: the storm leads.
func TestAProxyThatReads100xBesideALibraryThatStorms(t *testing.T) {
	s := watchtest.Play(alerts.Documented(), watchtest.Storm{Targets: 20}.Beside(0, watchtest.Plateau)...)
	worst := s.Worst
	if worst.Target.System != watchtest.Library || worst.Target.Name != watchtest.Payments || worst.Values[collector.Amplification].String() != "2.48x" {
		t.Errorf("the worst is %s of %s at %v", worst.Target.Name, worst.Target.System, worst.Values[collector.Amplification])
	}
	if s.Cause.Cause != alerts.CauseRetries || s.Firing() != 1 {
		t.Errorf("cause %q, %d firing", s.Cause.Text, s.Firing())
	}
	var proxied collector.Row
	for i, at := range s.Order {
		row := s.Good.Targets[at]
		if i == 0 && row.Target.ID != worst.Target.ID {
			t.Errorf("the table is led by %s of %s", row.Target.Name, row.Target.System)
		}
		if row.Target.System == watchtest.Proxy && row.Target.Name == watchtest.Payments {
			proxied = row
		}
	}
	if v := proxied.Values[collector.Amplification]; v.String() != "1.00x" {
		t.Errorf("the proxy reads %v", v)
	}
	for _, e := range s.Events {
		if e.Rule != "" && e.Name != "payments-channel (grpc_otel)" {
			t.Errorf("an event of %q does not say of which system", e.Name)
		}
	}
}

// TestTheLossOfTheLibraryIsNotCalm: when its metrics go while the proxy's stay
// at 1.00x, the storm is held, not resolved.
func TestTheLossOfTheLibraryIsNotCalm(t *testing.T) {
	storm := watchtest.Storm{Targets: 5}
	rs := storm.Beside(0, watchtest.Plateau)
	for _, r := range storm.Beside(watchtest.Plateau+watchtest.Step, watchtest.Plateau+12*watchtest.Step) {
		proxies := r.Targets[:0:0]
		for _, row := range r.Targets {
			if row.Target.System == watchtest.Proxy {
				proxies = append(proxies, row)
			}
		}
		r.Targets, r.Total = proxies, collector.Total(proxies)
		rs = append(rs, r)
	}
	s := watchtest.Play(alerts.Documented(), rs...)
	if st := s.Statuses[0]; st.Target.System != watchtest.Library || st.Shown != alerts.Firing || !st.Held || st.HeldWhy != alerts.WhyNoData {
		t.Errorf("%s of %s is %s, held %v: %s", st.Target.Name, st.Target.System, st.Shown, st.Held, st.HeldWhy)
	}
	if s.Firing() != 1 || !s.ClearSince.IsZero() {
		t.Errorf("%d firing, clear since %v", s.Firing(), s.ClearSince)
	}
	if !s.Coverage.Lost() {
		t.Errorf("nothing is lost: %+v", s.Coverage)
	}
}
