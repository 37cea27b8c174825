package chain

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestAChangeEndsAndGoesBack(t *testing.T) {
	s := one(time.Millisecond, Unlimited)
	s.Timeline = []Change{
		{At: 3 * time.Second, For: 2 * time.Second, Field: "classes.users.rate", Value: "50/s"},
		{At: 7 * time.Second, Field: "classes.users.factor", Value: "x2"},
	}
	e, windows := play(t, s, 1)
	for i, want := range []int64{9, 10, 10, 50, 50, 10, 10, 20, 20, 20} {
		// Even arrivals do not begin anew at a change: the first after it is
		// still on its way.
		if got := windows[i].Classes[0].Requests; got < want-1 || got > want+1 {
			t.Errorf("second %d: %d requests, want %d", i, got, want)
		}
	}
	got := e.Changes()
	if len(got) != 3 || got[0].From != "10/s" || got[0].To != "50/s" || got[1].To != "10/s" || !got[1].Ended || got[2].To != "2" {
		t.Errorf("the changes are %+v", got)
	}
	if n := len(windows[3].Changes); n != 1 {
		t.Errorf("%d changes in second 3, want 1", n)
	}
}

// TestChangesOfOneFieldLieOnEachOther: whichever ends first, the others go on,
// and when all have ended the field is as it was.
func TestChangesOfOneFieldLieOnEachOther(t *testing.T) {
	change := func(at, length int, value string) Change {
		return Change{At: time.Duration(at) * time.Second, For: time.Duration(length) * time.Second, Field: "classes.users.factor", Value: value}
	}
	for name, test := range map[string]struct {
		timeline []Change
		want     []int64 // requests of each second, of 100/s
	}{
		"the first ends first":       {[]Change{change(1, 4, "2"), change(3, 4, "3")}, []int64{100, 200, 200, 300, 300, 300, 300, 100, 100, 100}},
		"the second ends first":      {[]Change{change(1, 6, "2"), change(3, 2, "3")}, []int64{100, 200, 200, 300, 300, 200, 200, 100, 100, 100}},
		"both at once":               {[]Change{change(1, 4, "2"), change(3, 2, "3")}, []int64{100, 200, 200, 300, 300, 100, 100, 100, 100, 100}},
		"factors":                    {[]Change{change(1, 4, "x2"), change(3, 4, "x3")}, []int64{100, 200, 200, 600, 600, 300, 300, 100, 100, 100}},
		"for good, within another":   {[]Change{change(1, 4, "2"), change(3, 0, "3")}, []int64{100, 200, 200, 300, 300, 300, 300, 300, 300, 300}},
		"a factor for good":          {[]Change{change(1, 4, "2"), change(3, 0, "x3")}, []int64{100, 200, 200, 600, 600, 300, 300, 300, 300, 300}},
		"three, the middle one last": {[]Change{change(1, 3, "2"), change(2, 6, "3"), change(3, 3, "4")}, []int64{100, 200, 300, 400, 400, 400, 300, 300, 100, 100}},
		"one that is on its way": {[]Change{change(1, 2, "2"), {At: 2 * time.Second, Over: 4 * time.Second, For: 6 * time.Second, Field: "classes.users.factor", Value: "4"}},
			[]int64{100, 200, 225, 275, 325, 375, 400, 400, 100, 100}},
	} {
		s := one(time.Millisecond, Unlimited)
		s.Classes[0].Rate = Steady(100)
		s.Timeline = test.timeline
		e, windows := play(t, s, 1)
		for i, want := range test.want {
			// One request is on its way at a change, and a step of a ramp is 1 % of it.
			if got := windows[i].Classes[0].Requests; got < want-3 || got > want+3 {
				t.Errorf("%s: second %d has %d requests, want %d", name, i, got, want)
			}
		}
		// What is in force, as the verdict sees it, is what the run had at its end.
		f := newForces(&s)
		f.before(s.Length)
		now, _ := e.scenario.Get("classes.users.factor")
		if seen, _ := f.now.Get("classes.users.factor"); seen != now || (len(f.on) == 0) != (now == "1") || len(f.on) > 1 {
			t.Errorf("%s: the verdict is by a factor of %s with %v in force, the run ends with %s", name, seen, f.on, now)
		}
	}
}

func TestAChangeCanGoGradually(t *testing.T) {
	s := one(time.Millisecond, Unlimited)
	s.Classes[0].Rate = Steady(100)
	s.Timeline = []Change{{At: 2 * time.Second, Over: 4 * time.Second, For: 6 * time.Second, Field: "classes.users.factor", Value: "x3"}}
	_, windows := play(t, s, 1)
	for i, want := range []int64{100, 100, 125, 175, 225, 275, 300, 300, 100, 100} {
		// A step is 2 % of 100/s, and one request is on its way.
		if got := windows[i].Classes[0].Requests; got < want-4 || got > want+4 {
			t.Errorf("second %d: %d requests, want %d", i, got, want)
		}
	}
}

func TestChangesFromOutsideAreMadeNow(t *testing.T) {
	s := one(time.Millisecond, Unlimited)
	s.Actions = []Action{{Name: "stop", Title: "refuse everybody", Changes: []Change{
		{Field: "services.server.down", Value: "on"},
		{At: 2 * time.Second, Field: "services.server.down", Value: "off"},
	}}}
	e, err := New(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	next := func() *Window {
		w, err := e.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	next()
	if err := e.Apply(Change{Field: "edges.clients>server.attempts", Value: "3"}); err != nil {
		t.Fatal(err)
	}
	if err := e.Do("stop"); err != nil {
		t.Fatal(err)
	}
	if now := e.Scenario(); now.Edges[0].Policy.Attempts != 3 || !now.Services[1].Down || e.Seed() != 1 {
		t.Errorf("the scenario is now %+v", now)
	}
	if s.Edges[0].Policy.Attempts != 1 {
		t.Error("a change to the run changed the scenario it was made from")
	}
	w := next()
	if len(w.Changes) != 2 || !w.Changes[0].Manual || w.Changes[1].Note != "refuse everybody" || w.Changes[0].At != time.Second {
		t.Errorf("the changes are %+v", w.Changes)
	}
	if w.Hops[0].Attempts != 30 || w.Classes[0].Failed != 10 {
		t.Errorf("%d attempts and %d failures, want 30 and 10", w.Hops[0].Attempts, w.Classes[0].Failed)
	}
	next()
	if w := next(); w.Classes[0].Delivered != 10 {
		t.Errorf("%d delivered after the action ended by itself, want 10", w.Classes[0].Delivered)
	}
	for _, c := range []Change{
		{Field: "edges.clients>server.attempts", Value: "0"}, {Field: "edges.clients>nobody.attempts", Value: "1"},
		{Field: "length", Value: "10m"}, {Field: "classes.users.path", Value: "server"}, {Field: "services.server.down", Value: "x2"},
		{Field: "services.server.down", Value: "on", Over: time.Second}, {Field: "services.nobody.restart", Value: "now"},
		{Field: "services.server.restart", Value: "later"}, {Field: "edges.clients>server.attempts", Value: "2", For: -1},
	} {
		var bad *FieldError
		if err := e.Apply(c); !errors.As(err, &bad) {
			t.Errorf("%s = %s is applied, error %v", c.Field, c.Value, err)
		}
	}
	if err := e.Do("nothing"); err == nil || !strings.Contains(err.Error(), "stop") {
		t.Errorf("an action that is none: %v", err)
	}
	if len(e.Changes()) != 3 {
		t.Errorf("a change that was refused is recorded: %+v", e.Changes())
	}
}

// TestACallInProgressDecidesByTheNewPolicy: its running time-out stays, its next
// retry is decided anew.
func TestACallInProgressDecidesByTheNewPolicy(t *testing.T) {
	s := one(time.Minute, Unlimited)
	set(t, &s, edge+"timeout", "3s")
	set(t, &s, edge+"attempts", "2")
	s.Timeline = []Change{
		{At: 500 * time.Millisecond, Field: edge + "attempts", Value: "1"},
		{At: 500 * time.Millisecond, Field: edge + "timeout", Value: "1s"},
	}
	_, windows := play(t, s, 1)
	retries := int64(0)
	for _, w := range windows {
		retries += w.Hops[0].Retries()
	}
	if retries != 0 {
		t.Errorf("%d retries after they were cut", retries)
	}
	// The first four wait for 3 s, up to 3.4 s; later ones for 1 s, from 1.5 s on.
	if got := windows[1].Hops[0].Timeouts(); got != 5 {
		t.Errorf("%d time-outs in second 1, want the five of 1 s", got)
	}
	if got := windows[3].Hops[0].Timeouts(); got != 14 {
		t.Errorf("%d time-outs in second 3, want ten of 1 s and four of 3 s", got)
	}
}

func TestAnOwnPolicySharesNothing(t *testing.T) {
	s := one(time.Minute, Unlimited)
	other := NewClass("others", "clients", "server")
	other.Rate, other.Even = Steady(10), true
	s.Classes = append(s.Classes, other)
	set(t, &s, edge+"bulkhead", "5")
	_, windows := play(t, s, 1)
	if got := windows[9].Hop("users", "clients", "server").InFlight + windows[9].Hop("others", "clients", "server").InFlight; got != 5 {
		t.Errorf("%d calls at once share a bulkhead of 5", got)
	}
	set(t, &s, "edges.clients>server[others].attempts", "2")
	_, windows = play(t, s, 1)
	for _, class := range []string{"users", "others"} {
		if got := windows[9].Hop(class, "clients", "server").InFlight; got != 5 {
			t.Errorf("%s: %d calls at once, want 5 of its own", class, got)
		}
	}
}

func TestARestartResetsRefusesAndIsCold(t *testing.T) {
	s := one(500*time.Millisecond, Unlimited)
	restart := RestartOf("server")
	restart.At = 3050 * time.Millisecond
	s.Timeline = []Change{restart}
	s.Services[1].Restart = Restart{Down: 2 * time.Second, Cold: 3 * time.Second, ColdFactor: 2, ColdWorkers: 1}
	_, windows := play(t, s, 1)
	// At 3.05 s five are at work; they are reset, and the twenty that come until
	// 5.05 s are refused.
	if got := windows[3].Node("users", "server").Rejected[ServiceDown]; got != 5+9 {
		t.Errorf("%d reset or refused in second 3, want 5 and 9", got)
	}
	if got := windows[3].Classes[0].Failed + windows[4].Classes[0].Failed + windows[5].Classes[0].Failed; got != 25 {
		t.Errorf("%d failed, want 25", got)
	}
	if w := windows[3].Service("server"); !w.Down || w.Cold {
		t.Errorf("at 4 s: %+v", w)
	}
	if w := windows[6].Service("server"); w.Down || !w.Cold {
		t.Errorf("at 7 s: %+v", w)
	}
	if got := windows[6].Node("users", "server").Latency.Mean; got != time.Second {
		t.Errorf("work takes %v while cold, want 1s", got)
	}
	// The last that began cold ends with second 8.
	if got := windows[9].Node("users", "server").Latency.P50; got > 505*time.Millisecond {
		t.Errorf("work takes %v when warm, want 500ms", got)
	}
}

// TestARestartLetsChildrenRun: the layer below goes on with what was asked.
func TestARestartLetsChildrenRun(t *testing.T) {
	s := layers(2, 1, 0)
	s.Length, s.Classes[0].Even, s.Classes[0].Rate = 10*time.Second, true, Steady(10)
	set(t, &s, "services.l1.time", "0s")
	set(t, &s, "services.l2.time", "1s")
	set(t, &s, "edges.*.cancel", "on")
	restart := RestartOf("l1")
	restart.At = 3050 * time.Millisecond
	s.Timeline = []Change{restart}
	s.Services[1].Restart.Down = time.Second
	_, windows := play(t, s, 1)
	wasted, cancelled := int64(0), int64(0)
	for _, w := range windows {
		wasted += w.Node("users", "l2").Wasted
		cancelled += w.Node("users", "l2").Cancelled
	}
	if wasted != 10 || cancelled != 0 {
		t.Errorf("%d completed for nobody and %d cancelled, want the 10 that were under way", wasted, cancelled)
	}
}

func TestADelayThatShrinksKeepsTheOrder(t *testing.T) {
	s := one(2*time.Second, Unlimited)
	s.Timeline = []Change{{At: 3050 * time.Millisecond, Field: "services.server.time", Value: "10ms"}}
	_, windows := play(t, s, 1)
	for i, want := range map[int]int64{2: 10, 3: 20, 4: 20, 5: 10, 6: 10} {
		if got := windows[i].Node("users", "server").Completed; got < want-1 || got > want+1 {
			t.Errorf("second %d: %d completed, want %d", i, got, want)
		}
	}
}
