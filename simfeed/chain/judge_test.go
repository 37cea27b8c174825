package chain

import (
	"testing"
	"time"
)

func run(t *testing.T, s Scenario, o RunOptions) Result {
	t.Helper()
	r, err := Run(t.Context(), s, 1, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestVerdicts(t *testing.T) {
	calm := func(s Scenario) Scenario { s.Timeline = nil; return s }
	// The load alone is more than the server can do: it fills up by itself.
	unstable := func(s Scenario) Scenario {
		set(t, &s, "classes.users.rate", "1800/s")
		return s
	}
	late := osdi(620, 0.8, 10*time.Second)
	late.Length = 35 * time.Second
	repaired := osdi(620, 0.8, 10*time.Second)
	repaired.Timeline = append(repaired.Timeline, Change{
		At: 70 * time.Second, Field: "services.primary.drop_expired", Value: "on", Operator: true,
	})
	repaired.Length = 120 * time.Second
	for _, test := range []struct {
		name string
		s    Scenario
		o    RunOptions
		want Verdict
	}{
		{"no fault", calm(osdi(620, 0.8, time.Second)), RunOptions{}, NoTrigger},
		{"a short one", osdi(620, 0.8, 5*time.Second), RunOptions{}, Recovered},
		{"a long one", osdi(620, 0.8, 12*time.Second), RunOptions{}, Metastable},
		{"stopped too early", late, RunOptions{}, NotJudged},
		{"overloaded anyway", unstable(osdi(620, 0.8, 12*time.Second)), RunOptions{}, UnstableWithout},
		{"overloaded, without a control", unstable(osdi(620, 0.8, 12*time.Second)), RunOptions{NoControl: true}, Metastable},
		{"overloaded without a fault", unstable(calm(osdi(620, 0.8, time.Second))), RunOptions{}, UnstableWithout},
		{"repaired by an operator", repaired, RunOptions{}, Recovered},
	} {
		r := run(t, test.s, test.o)
		if r.Verdict != test.want {
			t.Errorf("%s: %v, want %v: %+v", test.name, r.Verdict, test.want, r.Judged)
		}
		if !r.Complete || len(r.Windows) != int(test.s.Length/time.Second) || r.ScenarioHash != test.s.Hash() {
			t.Errorf("%s: complete %v with %d windows", test.name, r.Complete, len(r.Windows))
		}
	}
}

func TestTheOperatorIsNoPartOfTheTrigger(t *testing.T) {
	s := act(t, payment(0.02), 720, repairs)
	from, to, ok := s.Trigger()
	if !ok || from != 60*time.Second || to != 600*time.Second {
		t.Errorf("the trigger is %v to %v, %v", from, to, ok)
	}
	restarted := one(time.Millisecond, 1)
	restarted.Timeline = []Change{RestartOf("server")}
	if _, to, ok := restarted.Trigger(); !ok || to != 30*time.Second {
		t.Errorf("a restart ends at %v, want 30s: 10 down and 20 cold", to)
	}
	if calm := s.Calm(); len(calm.Timeline) != 0 {
		t.Errorf("the control run has %+v", calm.Timeline)
	}
	r := run(t, s, RunOptions{})
	if r.Verdict != Recovered || r.Judged.RecoveredAt < 600*time.Second {
		t.Errorf("%v at %v", r.Verdict, r.Judged.RecoveredAt)
	}
}

func TestFiguresSumARunUp(t *testing.T) {
	s := one(60*time.Millisecond, Unlimited)
	set(t, &s, edge+"attempts", "2")
	set(t, &s, edge+"timeout", "20ms")
	r := run(t, s, RunOptions{})
	want := map[string]float64{
		"ingress": 9.9, "downstream": 19.8, "amplification": 2, "amplification_peak": 2, "downstream_peak": 20, "retry_rate": 0.5, "retry_rate_last_hop": 0.5,
		"at_limit": 9.9, "delivered": 0, "wasted_share": 2.0 / 3, "wasted_share_last_hop": 1, // all of the server, none of the clients
		"latency_p50": 0.04, "seconds_above_1.5": 10,
	}
	got := map[string]Figure{}
	for _, f := range r.Figures {
		if _, twice := got[f.Name]; twice || f.Unit == "" {
			t.Errorf("%s is there twice or without a unit", f.Name)
		}
		got[f.Name] = f
	}
	for name, value := range want {
		f := got[name]
		if d := f.Value - value; !f.Known || d > 0.01*value+1e-9 || d < -0.02*value-1e-9 {
			t.Errorf("%s is %v, known %v, want %v", name, f.Value, f.Known, value)
		}
	}
	for _, name := range []string{"recovery", "rescued_share"} {
		if f, ok := got[name]; !ok || f.Known {
			t.Errorf("%s is %+v, want it unknown: it does not exist", name, f)
		}
	}
}

// TestPeaksAndSharesOfARun: the server is away for two seconds, in which calls
// are tried three times.
func TestPeaksAndSharesOfARun(t *testing.T) {
	s := one(2500*time.Millisecond, Unlimited)
	set(t, &s, edge+"attempts", "3")
	set(t, &s, edge+"backoff.kind", "fixed")
	set(t, &s, edge+"backoff.base", "50ms")
	s.Timeline = []Change{{At: 2950 * time.Millisecond, For: 2 * time.Second, Field: "services.server.down", Value: "on"}}
	set(t, &s, "length", "20s")
	set(t, &s, "classes.users.rate", "10/s, 9950ms 0/s")
	want := map[string]float64{
		// 25 of 2.5 s are at once at the clients and at the server. Of the 20 that
		// come while it is away, at 3.0 to 4.9 s, the last one is rescued by a retry
		// at 4.95 s; 19 fail after three attempts. At the end all are answered.
		"pending_peak": 50, "at_limit": 19.0 / 20, "delivered": 80.0 / 99, "rescued_share": 1.0 / 80, "seconds_above_1.5": 2,
	}
	for _, f := range run(t, s, RunOptions{}).Figures {
		if value, ok := want[f.Name]; ok && (!f.Known || f.Value-value > 0.001*value || value-f.Value > 0.001*value) {
			t.Errorf("%s is %v, known %v, want %v", f.Name, f.Value, f.Known, value)
		}
	}
}

func TestTheStateShowsLeversBudgetsAndBreakers(t *testing.T) {
	s := one(time.Minute, 3)
	set(t, &s, edge+"timeout", "50ms")
	set(t, &s, edge+"policy", "aws-standard")
	set(t, &s, edge+"timeout", "50ms")
	set(t, &s, edge+"backoff.kind", "none")
	set(t, &s, edge+"breaker.on", "on")
	set(t, &s, edge+"breaker.cooldown", "1h")
	set(t, &s, "services.server[users].workers", "2")
	e, err := New(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := e.State()
	windows := rest(t, e)
	after := e.State()
	h := before.Hops[0]
	if before.At != time.Second || before.Ended || h.Describe != "3 attempts (AWS SDK max_attempts 3)" || h.Formula == "" || h.Breaker.String() != "closed" {
		t.Errorf("after a second: %+v", h)
	}
	// Nine calls: the first one fills both slots of its class, with two retries
	// after time-outs that cost 10 of 500 each; the others are refused, with two
	// retries of 5 each.
	if h.Budget != 0.8 {
		t.Errorf("%v of the budget is left, want 0.8", h.Budget)
	}
	if len(before.Levers) != len(s.Fields()) {
		t.Errorf("%d levers of %d fields", len(before.Levers), len(s.Fields()))
	}
	if v := before.Services[1]; len(v.Own) != 1 || v.Own[0].Busy != 2 || v.Slots != 3 {
		t.Errorf("the server is %+v", v)
	}
	if h := after.Hops[0]; !after.Ended || h.Breaker.String() != "open" || h.Passing != 0 {
		t.Errorf("at the end: %+v", h)
	}
	if w := windows[8].Hops[0]; w.Breaker.String() != "open" || w.Rejected[BreakerOpen] == 0 {
		t.Errorf("the window shows %+v", w)
	}
}
