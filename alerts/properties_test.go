package alerts_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/collector"
)

// ranges are the ranges of the rates that are drawn.
var ranges = []time.Duration{0, time.Minute}

// drawText draws readings of three targets with every kind of sample.
func drawText(rt *rapid.T) string {
	var b strings.Builder
	n := rapid.IntRange(1, 30).Draw(rt, "readings")
	line := func(target, sig string, tokens ...string) {
		fmt.Fprintf(&b, "%s %s", target, sig)
		for range n {
			b.WriteString(" " + rapid.SampledFrom(tokens).Draw(rt, sig))
		}
		b.WriteByte('\n')
	}
	for _, target := range []string{"a", "b", "edge:c"} {
		line(target, "ingress", "100", "100", "100", "0", "0.2", "_", "!", "p50", "s100", "1000")
		line(target, "downstream", "100", "160", "300", "300", "0", "0.3", "_", "!", "p200", "s200")
		if rapid.Bool().Draw(rt, "limit") {
			line(target, "at_limit", "0", "5", "_", "!", "p1")
		}
		if rapid.Bool().Draw(rt, "retries") {
			line(target, "retries", "0", "50", "_", "!")
		}
	}
	b.WriteString("reading")
	for range n {
		b.WriteString(" " + rapid.SampledFrom([]string{".", ".", ".", ".", ".", "!"}).Draw(rt, "fails"))
	}
	return b.String()
}

func drawRules(rt *rapid.T) []collector.RuleSpec {
	rules := alerts.Documented()
	durations := rapid.SampledFrom([]time.Duration{0, time.Second, 15 * time.Second, 40 * time.Second, time.Minute})
	for i := range rules[:3] {
		rules[i].For = durations.Draw(rt, "for")
		rules[i].KeepFiring = durations.Draw(rt, "keep")
		rules[i].MinTraffic = rapid.SampledFrom([]float64{0, 1}).Draw(rt, "floor")
		rules[i].Off = rapid.IntRange(0, 9).Draw(rt, "off") == 0
	}
	return rules
}

// TestPropertiesOfTheEngine: whatever is read, what is said of it is coherent.
func TestPropertiesOfTheEngine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := drawRules(rt)
		e := alerts.New(rules)
		in := alertstest.Input{RateRange: rapid.SampledFrom(ranges).Draw(rt, "range")}
		rs, err := in.Readings(drawText(rt))
		if err != nil {
			rt.Fatal(err)
		}
		began := map[string]time.Time{} // since when state is active, a rule and target
		shown := map[string]alerts.State{}
		for _, r := range rs {
			events := e.Eval(r)
			e.Coverage()
			e.Diagnose(collector.TotalID)
			for _, id := range []string{"a", "b", "edge:c"} {
				id = alertstest.Target(id).ID
				checkDiagnosis(rt, e.Diagnose(id))
				for _, s := range e.For(id) {
					checkStatus(rt, r, s)
					key := s.Rule.Name + "/" + id
					checkFor(rt, r, s, key, began)
					checkEvents(rt, s, shown[key], events, id)
					shown[key] = s.Shown
				}
			}
		}
	})
}

func checkStatus(rt *rapid.T, r *collector.Reading, s alerts.Status) {
	if s.Shown != s.State && !s.Held {
		rt.Fatalf("%s on %s at %v: shown %s, state %s, not held", s.Rule.Name, s.Target.Name, r.At, s.Shown, s.State)
	}
	if s.Held && (s.HeldSince.IsZero() || s.HeldSince.After(r.At) || s.HeldWhy == alerts.WhyNone) {
		rt.Fatalf("held since %v because of %q at %v", s.HeldSince, s.HeldWhy, r.At)
	}
	if s.Active() != !s.ActiveAt.IsZero() || (s.Shown == alerts.Firing) != !s.FiredAt.IsZero() {
		rt.Fatalf("shown %s with active %v, fired %v", s.Shown, s.ActiveAt, s.FiredAt)
	}
	if s.FiredAt.Before(s.ActiveAt) && !s.FiredAt.IsZero() {
		rt.Fatalf("fired %v before active %v", s.FiredAt, s.ActiveAt)
	}
}

// checkFor: the state never fires before its for has passed.
func checkFor(rt *rapid.T, r *collector.Reading, s alerts.Status, key string, began map[string]time.Time) {
	if s.State < alerts.Pending {
		delete(began, key)
		return
	}
	if _, ok := began[key]; !ok {
		began[key] = r.At
	}
	if held := r.At.Sub(began[key]); s.State == alerts.Firing && held < s.Rule.For {
		rt.Fatalf("%s fires after %v, for is %v", key, held, s.Rule.For)
	}
	if s.State == alerts.Pending && s.Rule.For == 0 {
		rt.Fatalf("%s is pending with for 0", key)
	}
}

// checkEvents: what is shown changes only with an event, and an event of a
// change says where it went.
func checkEvents(rt *rapid.T, s alerts.Status, was alerts.State, events []collector.Event, id string) {
	var last collector.EventKind
	for _, ev := range events {
		if ev.Rule == s.Rule.Name && ev.Target == id {
			switch ev.Kind {
			case collector.EventPending, collector.EventFiring, collector.EventInactive:
				last = ev.Kind
			}
			if ev.Text == "" || ev.Text != collector.Clean(ev.Text) {
				rt.Fatalf("event text %q", ev.Text)
			}
		}
	}
	want := map[alerts.State]collector.EventKind{
		alerts.Pending: collector.EventPending, alerts.Firing: collector.EventFiring,
	}[s.Shown]
	if was >= alerts.Pending && s.Shown < alerts.Pending {
		want = collector.EventInactive
	}
	if changed := was != s.Shown && max(was, s.Shown) >= alerts.Pending; changed && last != want || !changed && last != 0 {
		rt.Fatalf("%s: from %s to %s came with event %d, want %d", s.Rule.Name, was, s.Shown, last, want)
	}
}

func checkDiagnosis(rt *rapid.T, d alerts.Diagnosis) {
	if (d.Cause == alerts.CauseNone) != (d.Text == "") {
		rt.Fatalf("cause %s says %q", d.Cause, d.Text)
	}
	if d.Attempts != d.Attempts || d.Ingress != d.Ingress {
		rt.Fatalf("changes are no numbers: %+v", d)
	}
}

// TestFailedReadingsLeaveTheStateAlone: the states are the same with and
// without readings in between that failed as a whole.
func TestFailedReadingsLeaveTheStateAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := drawRules(rt)
		text := drawText(rt)
		rs, err := alertstest.Input{}.Readings(text)
		if err != nil {
			rt.Fatal(err)
		}
		with, without := alerts.New(rules), alerts.New(rules)
		for _, r := range rs {
			with.Eval(r)
			if !r.Blind() {
				without.Eval(r)
			}
		}
		if a, b := states(with), states(without); !reflect.DeepEqual(a, b) {
			rt.Fatalf("with failures %v\nwithout %v", a, b)
		}
	})
}

func states(e *alerts.Engine) map[string]alerts.State {
	out := map[string]alerts.State{}
	for _, id := range []string{"a", "b", "edge:c"} {
		for _, s := range e.For(alertstest.Target(id).ID) {
			if s.State >= alerts.Pending {
				out[s.Rule.Name+"/"+s.Target.Name] = s.State
			}
		}
	}
	return out
}

// TestSetRulesWithTheSameRulesChangesNothing, in any order of the rules.
func TestSetRulesWithTheSameRulesChangesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules := drawRules(rt)
		rs, err := alertstest.Input{}.Readings(drawText(rt))
		if err != nil {
			rt.Fatal(err)
		}
		changed, same := alerts.New(rules), alerts.New(rules)
		for _, r := range rs {
			a, b := changed.Eval(r), same.Eval(r)
			if len(a) != len(b) {
				rt.Fatalf("events differ: %v\n%v", a, b)
			}
			changed.SetRules(rapid.Permutation(rules).Draw(rt, "order"))
			if a, b := states(changed), states(same); !reflect.DeepEqual(a, b) {
				rt.Fatalf("states differ: %v\n%v", a, b)
			}
		}
	})
}
