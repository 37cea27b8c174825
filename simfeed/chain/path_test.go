package chain

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stormtop/simfeed/chain/draw"
)

// TestEveryFieldRoundTrips sets every field of a scenario to the text that it
// shows, and finds it by its path.
func TestEveryFieldRoundTrips(t *testing.T) {
	s := everything()
	fields := s.Fields()
	if len(fields) < 300 {
		t.Fatalf("%d fields only", len(fields))
	}
	seen := map[string]bool{}
	for _, f := range fields {
		if seen[f.Name] {
			t.Errorf("%s is there twice", f.Name)
		}
		seen[f.Name] = true
		if f.Help == "" {
			t.Errorf("%s has no help", f.Name)
		}
		if strings.HasSuffix(f.Name, ".policy") {
			continue // a preset replaces the other fields
		}
		before := s.Hash()
		if err := s.Set(f.Name, f.Value); err != nil {
			t.Errorf("%s = %s: %v", f.Name, f.Value, err)
		}
		if got, err := s.Get(f.Name); err != nil || got != f.Value {
			t.Errorf("%s is %q, %v, want %q", f.Name, got, err, f.Value)
		}
		if s.Hash() != before {
			t.Errorf("%s = %s changes the scenario", f.Name, f.Value)
		}
	}
}

func TestNumbersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := station(1, draw.Expo(unit), 1, MaxLength)
		fields := s.Fields()
		f := fields[rapid.IntRange(0, len(fields)-1).Draw(t, "field")]
		if f.Max == 0 || strings.Contains(f.Name, "window") {
			return
		}
		slots, err := s.find(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.Float64Range(max(f.Min, 1), f.Max).Draw(t, "value")
		if !slots[0].setNum(n) {
			return
		}
		want := slots[0].get()
		if err := s.Set(f.Name, want); err != nil {
			t.Fatalf("%s = %s: %v", f.Name, want, err)
		}
		if got, err := s.Get(f.Name); err != nil || got != want {
			t.Fatalf("%s is %q, %v, want %q", f.Name, got, err, want)
		}
	})
}

func TestAStarMeansAll(t *testing.T) {
	s := everything()
	set(t, &s, "edges.*.attempts", "2")
	set(t, &s, "services.*.network", "1ms")
	set(t, &s, "edges.*[*].deadline", "3s")
	for _, e := range s.Edges {
		if e.Policy.Attempts != 2 {
			t.Errorf("%s has %d attempts", e.Name(), e.Policy.Attempts)
		}
	}
	var own []string
	for _, e := range s.Edges {
		for _, c := range e.Classes {
			own = append(own, e.Name()+"["+c.Class+"]")
		}
	}
	want := []string{"l0>l1[users]", "l1>l2[users]", "l2>l3[side]", "l2>l3[users]", "l0>l2[side]"}
	if !slices.Equal(own, want) {
		t.Errorf("policies of their own are %v, want %v", own, want)
	}
}

func TestLookingAtAClassGivesItNothing(t *testing.T) {
	s := one(1, 1)
	if got, err := s.Get(edge[:len(edge)-1] + "[users].attempts"); err != nil || got != "1" {
		t.Errorf("attempts are %q, %v", got, err)
	}
	if len(s.Edges[0].Classes) != 0 {
		t.Error("the class has a policy of its own now")
	}
}

func TestBadPathsSayWhatThereIs(t *testing.T) {
	s := one(1, 1)
	for path, want := range map[string]string{
		"":                                    "there is no field",
		"speed":                               "length",
		"edges":                               "is no path",
		"edges.clients>server":                "is no path",
		"edges.clients>db.attempts":           "there are clients>server",
		"edges.clients>server.retries":        "attempts",
		"edges.clients>server[admins].limit":  "there are users",
		"edges.clients>server[].attempts":     "is no path",
		"edges.clients>server[users.attempts": "is no path",
		"services.db.workers":                 "there are clients, server",
		"services.server.threads":             "workers",
		"services.server[users].threads":      "workers",
		"classes.users[x].rate":               "no classes of its own",
		"classes.admins.rate":                 "there are users",
		"classes.users.speed":                 "rate",
		"edges.clients>server.atempts":        `there is no field "atempts", did you mean attempts: there are`,
		"services.server.wrkers":              `there is no field "wrkers", did you mean workers: there are`,
		"classes.users.raet":                  `there is no field "raet", did you mean rate: there are`,
		"services.\x1b31m.workers":            "there are clients, server",
	} {
		err := s.Set(path, "1")
		var bad *FieldError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", path, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: an escape sequence in %q", path, err)
		}
	}
}

func TestBadValuesSayWhatWouldBeRight(t *testing.T) {
	for _, test := range []struct{ path, value, want string }{
		{"services.server.workers", "0", "from 1 to 1000000, or unlimited"},
		{"services.server.workers", "-5", "from 1 to 1000000, or unlimited"},
		{"services.server.workers", "99999999999999999999", "from 1 to"},
		{"services.server.time", "-5ms", "negative"},
		{"services.server.queue_timeout", "-1s", "negative"},
		{"services.server.network", "5", "has no unit"},
		{"services.server.network", "9999999h", "too long"},
		{"services.server.error_rate", "1.5", "from 0 to 1"},
		{"services.server.error_rate", "NaN", "from 0 to 1"},
		{"services.server.error_rate", "101%", "from 0 to 1"},
		{"services.server.down", "maybe", "on or off"},
		{"services.server.discipline", "random", "fifo, lifo"},
		{"services.server.limit", "5", "/s"},
		{"classes.users.rate", "1e12/s", "from 0/s to 1e+06/s"},
		{"classes.users.rate", "-1/s", "from 0/s"},
		{"classes.users.rate", "NaN/s", "no rate"},
		{"classes.users.rate", "1/s, 2/s", `"2/s" has no time: write 60s 2/s for a step, ramp 60s 2/s for a ramp`},
		{"classes.users.rate", "1/s, ramp", `"1/s, ramp" is no rate: write 2010/s, or points such as`},
		{"classes.users.rate", "1/s, 5s", `"1/s, 5s" is no rate: write 2010/s, or points such as`},
		{"classes.users.rate", "1/s, ramp 5s", `"1/s, ramp 5s" is no rate: write 2010/s, or points such as`},
		{"classes.users.rate", "1/s, 5s 2/s ramp", "is no rate: write 2010/s, or points such as"},
		{"classes.users.rate", "1/s, 9s 2/s, 8s 3/s", "order them by time"},
		{"classes.users.factor", "1e999", "from 0 to 1000"},
		{"edges.clients>server.attempts", "0", "from 1 to 100"},
		{"edges.clients>server.attempts", "3.5", "whole number"},
		{"edges.clients>server.policy", "envoy", "envoy-default"},
		{"edges.clients>server.retry_on", "everything", "timeout"},
		{"edges.clients>server.backoff.bands", "50ms..25ms", "must not end before it begins"},
		{"edges.clients>server.backoff.kind", "log", "exponential"},
		{"edges.clients>server.pool.size", "0", "or unlimited"},
	} {
		s := one(1, 1)
		before := s.Hash()
		err := s.Set(test.path, test.value)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), test.path) {
			t.Errorf("%s = %s: %v, want the path and %q", test.path, test.value, err, test.want)
		}
		if s.Hash() != before {
			t.Errorf("%s = %s changed the scenario, though it was refused", test.path, test.value)
		}
	}
}

// FuzzSet: whatever is set, the scenario shows it again, and a run of a valid
// one ends.
func FuzzSet(f *testing.F) {
	for _, seed := range [][2]string{
		{"services.server.workers", "5"}, {"edges.*.policy", "linkerd-profile"}, {"classes.users.rate", "100/s, ramp 1s 200/s"},
		{"edges.clients>server[users].backoff.bands", "1ms..2ms"}, {"services.server[users].workers", "2"}, {"classes.users.clients", "7"},
		{"edges.clients>server.calls", "99.5"}, {"services.server.time", "lognormal p50=1ns p99=24h"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, path, value string) {
		s := station(20, draw.Expo(unit), 2, MaxLength)
		s.Length = 2e9
		if s.Set(path, value) != nil || s.Validate() != nil {
			return
		}
		if s.Length > 10e9 || s.Classes[0].Rate.Max()*s.Classes[0].Factor > 1000 {
			return // allowed, but long
		}
		if !strings.Contains(path, "*") {
			if _, err := s.Get(path); err != nil {
				t.Fatalf("%q = %q was set, but cannot be read: %v", path, value, err)
			}
		}
		play(t, s, 1)
	})
}
