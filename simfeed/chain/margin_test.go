package chain

import (
	"math"
	"testing"
	"time"
)

// TestTheHiddenCapacityIsTheMetastableBoundary: 10/s and 4 attempts hide 2.5/s.
func TestTheHiddenCapacityIsTheMetastableBoundary(t *testing.T) {
	s := spiked(2, false)
	m := s.Margin("users", "server", 0)
	if !m.Known || m.Worst != 4 || math.Abs(m.Capacity-10) > 1e-9 || math.Abs(m.Hidden-2.5) > 1e-9 || math.Abs(m.Margin-1.25) > 1e-9 {
		t.Errorf("%+v, want a hidden capacity of 2.5/s", m)
	}
	set(t, &s, "services.server.limit", "8/s")
	if m := s.Margin("users", "server", 0); m.Capacity != 8 {
		t.Errorf("%+v, want the limit of 8/s", m)
	}
	set(t, &s, "edges.clients>server.calls", "3")
	set(t, &s, "services.server[users].workers", "2")
	set(t, &s, "services.server.limit", "0/s")
	if m := s.Margin("users", "server", 0); m.Organic != 6 || math.Abs(m.Capacity-20) > 1e-9 {
		t.Errorf("%+v, want 3 calls for each of 2/s, and two workers of its own", m)
	}
}

func TestTheWorstCaseMultiplies(t *testing.T) {
	s := payment(1)
	for service, want := range map[string]float64{"gateway": 1, "order": 3, "payment": 9, "channel": 27} {
		if m := s.Margin("payments", service, time.Minute); m.Worst != want || m.Organic != 2010 || m.Known != (service == "order") {
			t.Errorf("%s: %+v, want %vx of 2010/s", service, m, want)
		}
	}
	if m := s.Margin("browse", "channel", 0); m.Known || m.Worst != 0 {
		t.Errorf("browse at the channel: %+v", m)
	}
	if m := s.Margin("nobody", "channel", 0); m.Known {
		t.Errorf("a class that is none: %+v", m)
	}
}
