package export_test

import (
	"context"
	"os"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

type wallClock struct{}

func (wallClock) Now() time.Time                         { return time.Now() }
func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// clearThresholds are amplifications that are more than 10 % away from every plateau of
// the storm.
var clearThresholds = []float64{1.5, 2}

// watched is what a screen that polls the server would have shown: when each rule
// began to fire on each service.
type watched struct {
	done  chan struct{}
	fired map[string][]time.Time // by rule and service
	since time.Time              // the first reading in which there was anything
	err   error
}

// watchLive polls a server as the dashboard does until ctx is done.
func watchLive(t *testing.T, ctx context.Context, url string, rules []collector.RuleSpec) *watched {
	t.Helper()
	p, err := profile.Named("stormtop", os.ReadFile, prom.CheckQuery)
	if err != nil {
		t.Fatal(err)
	}
	src, _, err := prom.Open(prom.Config{URL: url, Clock: wallClock{}, Profiles: []profile.Profile{p}, Interval: time.Second, Rate: 4 * time.Second, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{done: make(chan struct{}), fired: map[string][]time.Time{}}
	go func() {
		defer close(w.done)
		e := alerts.New(rules)
		was := map[string]bool{}
		for {
			r, err := src.Next(ctx)
			if err != nil {
				if ctx.Err() == nil {
					w.err = err
				}
				return
			}
			e.Eval(r)
			if w.since.IsZero() && !r.Empty() {
				w.since = r.At
			}
			for name := range storm {
				for _, s := range e.For(serviceTarget(name).ID) {
					key := s.Rule.Name + "/" + name
					fires := s.State == alerts.Firing
					if fires && !was[key] {
						w.fired[key] = append(w.fired[key], r.At)
					}
					was[key] = fires
				}
			}
		}
	}()
	return w
}

// compareWithScreen: every firing of the server is on the screen within one
// evaluation and one scrape, whose sample may come in between.
func (e *evaluated) compareWithScreen(t *testing.T, w *watched, rules []collector.RuleSpec) {
	t.Helper()
	<-w.done
	if w.err != nil {
		t.Fatal(w.err)
	}
	const within = 2 * time.Second
	compared, most := 0, time.Duration(0)
	for _, r := range rules {
		for name := range storm {
			key := r.Name + "/" + name
			var fired []time.Time
			was := false
			for _, at := range e.times {
				fires := e.alert(r.Name, name, at) == alerts.Firing
				if fires && !was {
					fired = append(fired, at)
				}
				was = fires
			}
			for _, at := range fired {
				if at.Add(-r.For).Before(w.since) {
					continue // it began before there was a screen
				}
				best := time.Hour
				for _, shown := range w.fired[key] {
					best = min(best, at.Sub(shown).Abs())
				}
				compared++
				if most = max(most, best); best > within {
					t.Errorf("%s fires at %s on the server, on the screen at %v", key, at.Format("05.000"), w.fired[key])
				}
			}
		}
	}
	t.Logf("%d firings were shown within %s", compared, most)
	if compared < 4 {
		t.Errorf("%d firings were compared: they prove too little", compared)
	}
}
