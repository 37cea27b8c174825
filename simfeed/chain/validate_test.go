package chain

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"stormtop/simfeed/chain/draw"
)

func TestBadScenariosAreRefusedWithPlaceAndRemedy(t *testing.T) {
	for _, test := range []struct {
		name, field, want string
		change            func(*Scenario)
	}{
		{"no class", "classes", "at least one class", func(s *Scenario) { s.Classes = nil }},
		{"no path", "classes.users.path", "name the services", func(s *Scenario) { s.Classes[0].Path = nil }},
		{"a cycle", "classes.users.path", "is a cycle", func(s *Scenario) {
			s.Classes[0].Path = []string{"clients", "server", "clients"}
			s.Edges = append(s.Edges, NewEdge("server", "clients"))
		}},
		{"an unknown service", "classes.users.path", "there are clients, server", func(s *Scenario) { s.Classes[0].Path[1] = "db" }},
		{"a missing edge", "classes.users.path", "add it under edges", func(s *Scenario) { s.Edges = nil }},
		{"an edge to nowhere", "edges.clients>db", "there are clients, server", func(s *Scenario) { s.Edges = append(s.Edges, NewEdge("clients", "db")) }},
		{"an edge twice", "edges.clients>server", "is there twice", func(s *Scenario) { s.Edges = append(s.Edges, s.Edges[0]) }},
		{"a service twice", "services.server", "is there twice", func(s *Scenario) { s.Services = append(s.Services, NewService("server")) }},
		{"a bad name", "services[0]", "letters, digits", func(s *Scenario) { s.Services[0].Name = "a>b" }},
		{"zero workers", "services.server.workers", "or unlimited", func(s *Scenario) { s.Services[1].Workers = 0 }},
		{"negative time", "services.server.time", "negative", func(s *Scenario) { s.Services[1].Time = draw.Const(-time.Second) }},
		{"negative time-out", "edges.clients>server.timeout", "negative", func(s *Scenario) { s.Edges[0].Policy.Timeout = -1 }},
		{"a huge rate", "classes.users.rate", "from 0/s to", func(s *Scenario) { s.Classes[0].Rate = Steady(1e12) }},
		{"no number", "classes.users.rate", "no rate", func(s *Scenario) { s.Classes[0].Rate = Steady(math.NaN()) }},
		{"overflow", "services.server.time_factor", "from 0 to", func(s *Scenario) { s.Services[1].TimeFactor = math.Inf(1) }},
		{"too short", "length", "from 1s", func(s *Scenario) { s.Length = 0 }},
		{"too long", "length", "too long", func(s *Scenario) { s.Length = 1 << 62 }},
		{"tiny windows", "every", "from 100ms", func(s *Scenario) { s.Every = 1 }},
		{"too many windows", "every", "make them longer", func(s *Scenario) { s.Length, s.Every = MaxLength, 100*time.Millisecond }},
		{"both loops", "classes.users.clients", "open loop", func(s *Scenario) { s.Classes[0].Clients, s.Classes[0].Think = 5, draw.Const(time.Second) }},
		{"no thinking", "classes.users.think", "1ms or more", func(s *Scenario) { s.Classes[0].Rate, s.Classes[0].Clients = Rate{}, 5 }},
		{"an explosion", "classes.users.path", "attempts/s when all fail", func(s *Scenario) {
			s.Classes[0].Rate = Steady(1e6)
			s.Edges[0].Policy.Attempts, s.Edges[0].Calls = 100, 100
		}},
		{"watching nobody", "watch.class", "there are users", func(s *Scenario) { s.Watch.Class = "admins" }},
		{"watching elsewhere", "watch.service", "not on the path", func(s *Scenario) { s.Watch.Service = "db" }},
		{"a change too late", "classes.users.factor", "after the end", func(s *Scenario) {
			s.Timeline = []Change{{At: time.Hour, Field: "classes.users.factor", Value: "2"}}
		}},
		{"a change of nothing", "services.db.down", "there are clients, server", func(s *Scenario) {
			s.Timeline = []Change{{Field: "services.db.down", Value: "on"}}
		}},
		{"a change before", "classes.users.factor", "between 0s", func(s *Scenario) {
			s.Timeline = []Change{{At: -1, Field: "classes.users.factor", Value: "2"}}
		}},
		{"an action without a name", "actions[0].name", "letters, digits", func(s *Scenario) { s.Actions = []Action{{}} }},
		{"a bad action", "classes.users.factor", "from 0 to 1000", func(s *Scenario) {
			s.Actions = []Action{{Name: "grow", Changes: []Change{{Field: "classes.users.factor", Value: "-1"}}}}
		}},
		{"a change to what cannot be", "classes.users.think", "1ms or more", func(s *Scenario) {
			s.Timeline = []Change{
				{Field: "classes.users.rate", Value: "0/s"}, {Field: "classes.users.think", Value: "1s"}, {Field: "classes.users.clients", Value: "5"},
				{At: time.Second, Field: "classes.users.think", Value: "0s"},
			}
		}},
		{"a class that is none", "edges.clients>server", "there are users", func(s *Scenario) { s.Edges[0].ofClass("admins") }},
		{"a bad policy of a class", "edges.clients>server[users].attempts", "from 1 to 100", func(s *Scenario) { s.Edges[0].ofClass("users").Policy.Attempts = 0 }},
		{"too many changes", "timeline", "at most", func(s *Scenario) { s.Timeline = make([]Change, MaxChanges+1) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := one(time.Millisecond, 1)
			test.change(&s)
			_, err := New(s, 1)
			var bad *FieldError
			if !errors.As(err, &bad) {
				t.Fatalf("the error is %v", err)
			}
			if bad.Field != test.field || !strings.Contains(bad.Text, test.want) {
				t.Errorf("%q: %q, want %q: %q", bad.Field, bad.Text, test.field, test.want)
			}
		})
	}
}

func TestAllMistakesAreFoundAtOnce(t *testing.T) {
	s := one(time.Millisecond, 0)
	s.Edges[0].Policy.Attempts = 0
	s.Classes[0].Rate = Steady(-1)
	err := s.Validate()
	for _, want := range []string{"services.server.workers", "edges.clients>server.attempts", "classes.users.rate"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not among %v", want, err)
		}
	}
}

func TestTooMuchAtOnceIsAnErrorAndNoCrash(t *testing.T) {
	s := station(1e6, draw.Const(time.Hour), Unlimited, time.Minute)
	e, err := New(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	e.works.live = MaxLive // as if it had run for a few seconds more
	for range 3 {
		if _, err = e.Next(t.Context()); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrTooMany) {
		t.Errorf("the error is %v", err)
	}
	if _, again := e.Next(t.Context()); !errors.Is(again, ErrTooMany) {
		t.Errorf("after it: %v", again)
	}
}
