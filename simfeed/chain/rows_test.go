package chain

import (
	"testing"
	"time"

	"stormtop/simfeed/chain/draw"
)

// jitter is three retrying layers in front of a data service whose work slows
// down, and slows down more the more of it is under way.
func jitter(contention string) Scenario {
	ms := time.Millisecond
	s := NewScenario("jitter-300ms")
	s.Length = 45 * time.Second
	c := NewClass("users", "sdk", "gateway", "aggregation", "data")
	c.Rate = Steady(1000)
	s.Classes = []Class{c}
	for i, name := range c.Path {
		v := NewService(name)
		v.Time = draw.Const(ms)
		s.Services = append(s.Services, v)
		if i > 0 {
			e := NewEdge(c.Path[i-1], name)
			e.Policy.Attempts, e.Policy.Timeout = 3, 200*ms
			s.Edges = append(s.Edges, e)
		}
	}
	data := &s.Services[3]
	data.Time, data.ContentionFrom = draw.LogN(35*ms, 50*ms), 150
	s.Timeline = []Change{
		{At: 10 * time.Second, Field: "services.data.contention", Value: contention},
		{At: 10 * time.Second, Field: "services.data.time", Value: "lognormal p50=35ms p99=200ms"},
		{At: 20 * time.Second, Field: "services.data.time", Value: "lognormal p50=145ms p99=600ms"},
	}
	return s
}

// TestJitterBecomesAStorm: 1.02x when a hundredth times out, some 3.5x a second
// after the step, and then all that three layers of three attempts can make.
// Below a contention of 0.04 it stays at 3 to 4x, and a hard pool of 200 in
// front of the data caps it.
func TestJitterBecomesAStorm(t *testing.T) {
	at := func(windows []*Window, from, to int) float64 {
		m, _ := mean(each(windows[from:to], func(w *Window) float64 {
			ratio, _ := w.Classes[0].Amplification()
			return ratio
		}))
		return m
	}
	_, storm := play(t, jitter("0.055"), 1)
	for _, x := range []struct {
		from, to  int
		low, high float64
	}{{2, 10, 0.995, 1.005}, {10, 12, 1.01, 1.04}, {21, 22, 3, 4.5}, {35, 45, 26, 28}} {
		if got := at(storm, x.from, x.to); got < x.low || got > x.high {
			t.Errorf("seconds %d to %d: %vx, want %v to %v", x.from, x.to, got, x.low, x.high)
		}
	}
	_, mild := play(t, jitter("0.03"), 1)
	if got := at(mild, 25, 45); got < 3 || got > 4 {
		t.Errorf("with little contention %vx, want 3 to 4", got)
	}
	s := jitter("0.055")
	set(t, &s, "edges.aggregation>data.pool.size", "200")
	_, capped := play(t, s, 1)
	if got := at(capped, 25, 45); got > 1.6 {
		t.Errorf("behind a pool of 200 %vx, want 1.5 at most", got)
	}
	if w := capped[40].Hop("users", "aggregation", "data"); w.PoolQueue < 200 {
		t.Errorf("%d wait for the pool: it does not read as gone", w.PoolQueue)
	}
}

// TestASlowBurnGrowsByAHundredth: 10,100/s come evenly to a service that takes
// 10,000/s and refuses the rest at once, and come again after a second.
func TestASlowBurnGrowsByAHundredth(t *testing.T) {
	s := station(10_100, draw.Const(0), Unlimited, 60*time.Second)
	s.Classes[0].Even = true
	set(t, &s, "services.server.limit", "10000/s")
	set(t, &s, edge+"attempts", "100")
	set(t, &s, edge+"backoff.kind", "fixed")
	set(t, &s, edge+"backoff.base", "1s")
	_, windows := play(t, s, 1)
	share, ratio := 0, 0
	for i, w := range windows {
		h := &w.Hops[0]
		want := 10_100 + 100*int64(i)
		if h.Attempts < want-101 || h.Attempts > want+101 {
			t.Errorf("second %d: %d attempts, want %d", i, h.Attempts, want)
		}
		if share == 0 && float64(h.Retries()) > 0.1*float64(h.Attempts) {
			share = i
		}
		if a, _ := w.Classes[0].Amplification(); ratio == 0 && a > 1.5 {
			ratio = i
		}
	}
	if share < 10 || share > 13 || ratio < 50 || ratio > 52 {
		t.Errorf("the retry share passes 10 %% in second %d and the ratio 1.5 in second %d, want about 12 and 51", share, ratio)
	}
}

// TestHungThreadsFailRequestsThatLookNormal: of 1,000/s one in twenty hangs for
// 100 s, and there are 1,000 threads. Once they are gone only those come
// through that find a thread which becomes free: 10/s are freed by hung ones,
// and each serves 19 quick requests on average before it hangs again, 196/s in
// all, so that 80.4 % fail. The deviation of the share is that of how many hang.
func TestHungThreadsFailRequestsThatLookNormal(t *testing.T) {
	s := station(1000, draw.Const(time.Millisecond), 1000, 600*time.Second)
	set(t, &s, "services.server.hang_rate", "5%")
	set(t, &s, "services.server.hang_time", "100s")
	set(t, &s, "services.server.queue", "1000")
	set(t, &s, "services.server.drop_expired", "on")
	set(t, &s, edge+"timeout", "1s")
	_, windows := play(t, s, 1)
	failed := each(windows[200:], func(w *Window) float64 {
		return 1 - float64(w.Classes[0].Delivered)/float64(w.Classes[0].Requests)
	})
	got, _ := mean(failed)
	if got < 0.78 || got > 0.83 {
		t.Errorf("%v of the requests fail, want 80.4 %%", got)
	}
	full := 0
	for _, w := range windows[200:] {
		if w.Service("server").Queued > 500 {
			full++
		}
	}
	if full < 200 {
		t.Errorf("in %d of 400 seconds many wait for a thread: it must tell", full)
	}
}

// TestAPatientCalleeWorksForNobody: the caller waits for 100 ms, the callee for
// 300 ms on a dependency of 200 ms. Delivered or not, work is done for nothing
// until the deadline is told.
func TestAPatientCalleeWorksForNobody(t *testing.T) {
	s := layers(2, 2, 0)
	set(t, &s, "services.l2.time", "exponential 100ms")
	set(t, &s, "edges.l0>l1.timeout", "100ms")
	set(t, &s, "edges.l1>l2.timeout", "300ms")
	share := func() float64 {
		_, windows := play(t, s, 1)
		var wasted, completed int64
		for _, w := range windows {
			wasted += w.Node("users", "l1").Wasted
			completed += w.Node("users", "l1").Completed
		}
		return float64(wasted) / float64(completed)
	}
	// exp(-1) of the attempts take longer than 100 ms.
	if got := share(); got < 0.3 || got > 0.45 {
		t.Errorf("%v of the work is for nothing, want 37 %%", got)
	}
	set(t, &s, "edges.*.propagate", "on")
	if got := share(); got != 0 {
		t.Errorf("%v of the work is for nothing though deadlines are told", got)
	}
}
