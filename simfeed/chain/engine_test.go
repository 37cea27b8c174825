package chain

import (
	"errors"
	"io"
	"math"
	"testing"
	"time"

	"stormtop/simfeed/chain/draw"
)

// play runs a scenario to its end and returns its windows. Little's law must
// hold within 1 % at every place of every run that comes through here.
func play(t testing.TB, s Scenario, seed int64) (*Engine, []*Window) {
	t.Helper()
	e, err := New(s, seed)
	if err != nil {
		t.Fatal(err)
	}
	windows := rest(t, e)
	return e, windows
}

// rest runs an engine to its end.
func rest(t testing.TB, e *Engine) []*Window {
	t.Helper()
	var windows []*Window
	for {
		w, err := e.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		windows = append(windows, w)
	}
	balanced(t, e)
	return windows
}

// balanced checks Little's law. Both sides cover the same run to its end, what
// is still inside included, so the tolerance is for rounding alone.
func balanced(t testing.TB, e *Engine) {
	t.Helper()
	for _, b := range e.Balances() {
		if math.Abs(b.Length-b.Product()) > 0.01*b.Length {
			t.Errorf("%s: %v things on average, but %v/s for %v s is %v", b.Place, b.Length, b.Rate, b.Time, b.Product())
		}
	}
}

// station is clients that call one service without retries.
func station(rate float64, work draw.Dist, workers int, length time.Duration) Scenario {
	s := NewScenario("station")
	s.Length = length
	c := NewClass("users", "clients", "server")
	c.Rate = Steady(rate)
	server := NewService("server")
	server.Time, server.Workers = work, workers
	s.Classes = []Class{c}
	s.Services = []Service{NewService("clients"), server}
	s.Edges = []Edge{NewEdge("clients", "server")}
	return s
}

func TestAStationServes(t *testing.T) {
	e, windows := play(t, station(100, draw.Const(5*time.Millisecond), 1, 10*time.Second), 1)
	total := int64(0)
	for _, w := range windows {
		total += w.Classes[0].Delivered
	}
	if len(windows) != 10 || total < 900 || total > 1100 {
		t.Errorf("%d windows with %d answers, %d events", len(windows), total, e.Events())
	}
}
