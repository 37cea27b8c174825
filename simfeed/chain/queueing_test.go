package chain

import (
	"math"
	"testing"
	"time"

	"stormtop/simfeed/chain/draw"
)

// mean is what a run says of a figure: its mean over the windows, and the
// standard error of that mean from their scatter. The windows are long against
// the memory of the system, so they count as independent.
func mean(values []float64) (m, err float64) {
	n := float64(len(values))
	for _, v := range values {
		m += v / n
	}
	for _, v := range values {
		err += (v - m) * (v - m) / (n * (n - 1))
	}
	return m, math.Sqrt(err)
}

// agrees checks a figure against theory. Five standard errors are tolerated;
// that the run was long enough to say something, most says: the largest share
// of the figure that they may come to.
func agrees(t *testing.T, what string, values []float64, want, most float64) {
	t.Helper()
	got, err := mean(values)
	if math.Abs(got-want) > 5*err+1e-9 {
		t.Errorf("%s: %v +- %v, want %v", what, got, err, want)
	}
	if 5*err > most*want {
		t.Errorf("%s: %v +- %v: the run is too short to tell", what, got, err)
	}
}

// unit is the mean service time of the stations, in which theory's times are.
const unit = 10 * time.Millisecond

// each is a figure of every window.
func each(windows []*Window, f func(*Window) float64) []float64 {
	out := make([]float64, len(windows))
	for i, w := range windows {
		out[i] = f(w)
	}
	return out
}

func TestOneServerWaitsAsTheorySays(t *testing.T) {
	for _, test := range []struct {
		rho, wait, p95, p99 float64
		hours               int
		tolerance           float64
	}{
		{0.5, 1, 5.991, 9.210, 4, 0.06},
		{0.8, 4, 14.979, 23.026, 8, 0.08},
		{0.9, 9, 29.957, 46.052, 14, 0.12},
	} {
		if underRace {
			test.hours, test.tolerance = (test.hours+3)/4, 3*test.tolerance
		}
		s := station(test.rho*100, draw.Expo(unit), 1, time.Duration(test.hours)*time.Hour)
		s.Every = s.Length / 20
		_, windows := play(t, s, 1)
		node := func(w *Window) Quantiles { return w.Node("users", "server").Latency }
		agrees(t, "mean wait", each(windows, func(w *Window) float64 { return float64(node(w).Mean)/float64(unit) - 1 }), test.wait, test.tolerance)
		agrees(t, "p95", each(windows, func(w *Window) float64 { return float64(node(w).P95) / float64(unit) }), test.p95, test.tolerance)
		agrees(t, "p99", each(windows, func(w *Window) float64 { return float64(node(w).P99) / float64(unit) }), test.p99, 1.5*test.tolerance)
	}
}

func TestManyServersWaitAsErlangSays(t *testing.T) {
	for _, test := range []struct {
		servers            int
		rho, delayed, wait float64
	}{
		{2, 0.8, 0.7111, 1.7778}, {4, 0.5, 0.1739, 0.0870}, {10, 0.9, 0.6687, 0.6687}, {50, 0.9, 0.3639, 0.0728},
	} {
		rate := test.rho * float64(test.servers) / unit.Seconds()
		// So long that 400,000 are served.
		s := station(rate, draw.Expo(unit), test.servers, time.Duration(400_000/rate*float64(time.Second)))
		s.Every = s.Length / 20
		_, windows := play(t, s, 1)
		agrees(t, "share that waits", each(windows, func(w *Window) float64 {
			return float64(w.Service("server").QueueWait.Count) / float64(w.Node("users", "server").Arrivals)
		}), test.delayed, 0.1)
		agrees(t, "mean wait", each(windows, func(w *Window) float64 {
			wait := w.Service("server").QueueWait
			return float64(wait.Mean) * float64(wait.Count) / float64(w.Node("users", "server").Arrivals) / float64(unit)
		}), test.wait, 0.3)
	}
}

func TestAFullQueueLosesAsTheorySays(t *testing.T) {
	for rho, want := range map[float64]float64{0.8: 0.02349, 1.0: 0.09091, 1.2: 0.19259} {
		s := station(rho*100, draw.Expo(unit), 1, 2*time.Hour)
		s.Services[1].Queue = 9 // and one at work: ten in the system
		s.Every = s.Length / 20
		_, windows := play(t, s, 1)
		agrees(t, "lost", each(windows, func(w *Window) float64 {
			n := w.Node("users", "server")
			return float64(n.Rejected[QueueFull]) / float64(n.Arrivals)
		}), want, 0.1)
	}
}

// TestLittleHoldsWhereEverythingIsOn plays systems with pools, queues,
// time-outs, cancellation, bulkheads and restarts; play checks the law.
func TestLittleHoldsWhereEverythingIsOn(t *testing.T) {
	for _, test := range []struct {
		queue, pool int
		reached     []Reason
	}{
		{10, 30, []Reason{QueueFull, QueueTimeout, ServiceDown}},
		{30, 10, []Reason{PoolTimeout, PoolFull, ServiceDown}},
		{30, 25, []Reason{QueueTimeout, BulkheadFull, ServiceDown}},
	} {
		s := station(300, draw.Expo(unit), 4, 30*time.Second)
		server := &s.Services[1]
		server.Queue, server.QueueTimeout, server.Network = test.queue, 70*time.Millisecond, 3*time.Millisecond
		server.Restart.Down = time.Second
		p := &s.Edges[0].Policy
		p.Attempts, p.Timeout, p.Deadline, p.Cancel = 3, 100*time.Millisecond, 400*time.Millisecond, true
		p.Pool.Size, p.Pool.Timeout, p.Pool.Waiting, p.Bulkhead = test.pool, 50*time.Millisecond, 10, 30
		s.Timeline = []Change{
			{At: 5 * time.Second, Field: "services.server.time_factor", Value: "x3", For: 10 * time.Second},
			RestartOf("server"),
		}
		s.Timeline[1].At = 12 * time.Second
		_, windows := play(t, s, 1)
		var sum sums
		for _, w := range windows {
			sum.add(w, "users", "server")
		}
		for _, why := range test.reached {
			if sum.rejected[why] == 0 {
				t.Errorf("queue %d, pool %d: nothing was rejected by %v: the test does not reach it", test.queue, test.pool, why)
			}
		}
	}
}
