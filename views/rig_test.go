package views

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// rehearsal is a simulation that writes down what it is asked for and answers
// with a new picture.
type rehearsal struct {
	rig   *collector.Rig
	asked []string
	fails error
}

func (r *rehearsal) Rig() *collector.Rig { return r.rig }

func (r *rehearsal) Turn(field, value string) error {
	if r.fails != nil {
		return r.fails
	}
	r.asked = append(r.asked, field+"="+value)
	next := *r.rig
	next.Levers, next.Faults = slices.Clone(next.Levers), slices.Clone(next.Faults)
	for i := range next.Levers {
		if l := &next.Levers[i]; l.Field == field {
			set(l, value)
		}
	}
	for i := range next.Faults {
		if f := &next.Faults[i]; f.Field == field {
			f.Is = value == f.On
		}
	}
	r.rig = &next
	return nil
}

func (r *rehearsal) Do(name string) error {
	if r.fails != nil {
		return r.fails
	}
	r.asked = append(r.asked, "do "+name)
	next := *r.rig
	next.Repairs = slices.Clone(next.Repairs)
	for i := range next.Repairs {
		next.Repairs[i].Done = next.Repairs[i].Done || next.Repairs[i].Name == name
	}
	r.rig = &next
	return nil
}

func (r *rehearsal) Restart(seed int64) {
	r.asked = append(r.asked, fmt.Sprintf("restart %d", seed))
	next := *r.rig
	next.Seed, next.At = seed, 0
	r.rig = &next
}

func (r *rehearsal) SetSpeed(s float64) {
	r.asked = append(r.asked, fmt.Sprintf("speed %g", s))
	next := *r.rig
	next.Speed = s
	r.rig = &next
}

// steps are the values that the levers of a row can have.
var steps = map[string][]string{
	"attempts": {"1", "2", "3", "5"}, "backoff": {"none", "50ms", "exp 100ms"}, "jitter": {"none", "full"},
	"budget": {"10%", "20%", "none"}, "deadline": {"450ms", "1.2s", "none"}, "breaker": {"off", "on"}, "bulkhead": {"off", "6,000", "36,000"},
}

func set(l *collector.Lever, value string) {
	all := steps[l.Row]
	i := slices.Index(all, value)
	l.Value, l.Less, l.More = value, "", ""
	if i > 0 {
		l.Less = all[i-1]
	}
	if i+1 < len(all) {
		l.More = all[i+1]
	}
}

func levers(layers []string, values map[string][]string) []collector.Lever {
	var out []collector.Lever
	for _, row := range []string{"attempts", "backoff", "jitter", "budget", "deadline", "breaker", "bulkhead"} {
		for i, v := range values[row] {
			if v == "" {
				continue
			}
			l := collector.Lever{Row: row, Layer: i, Field: layers[i] + "." + row}
			set(&l, v)
			out = append(out, l)
		}
	}
	return out
}

func secondsOf(f float64) collector.Value {
	return collector.Num(f, collector.Seconds, collector.Exact)
}

var (
	rate  = func(f float64) collector.Value { return collector.Num(f, collector.PerSecond, collector.Exact) }
	ratio = func(f float64) collector.Value { return collector.Num(f, collector.Ratio, collector.Exact) }
	share = func(f float64) collector.Value { return collector.Num(f, collector.Fraction, collector.Exact) }
	count = func(f float64) collector.Value { return collector.Num(f, collector.Count, collector.Exact) }
)

// burning is payment-1945 in its storm, nothing repaired yet.
func burning() *collector.Rig {
	layers := []string{"gateway", "order", "payment"}
	three := func(s string) []string { return []string{s, s, s} }
	nan := math.NaN()
	hop := func(from, to string, calls, attempts float64, by ...float64) collector.RigHop {
		return collector.RigHop{
			From: from, To: to, Policy: "3 attempts (retries 2)", FanOut: 1, Permitted: 3, Bound: 3, Requests: calls, Attempts: attempts, Gain: attempts / calls, ByAttempt: by,
			Saves: 52_370 * (1 - calls/attempts), Budget: nan, Passing: 1, PoolWait: collector.Value{Unit: collector.Seconds},
		}
	}
	storm := func(peak float64, points ...float64) collector.Course {
		return collector.Course{Peak: peak, Points: points}
	}
	peers := []collector.Course{
		storm(26.1, 1, 1, 2, 14, 25, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 9, 1),
		storm(7.9, 1, 1, 2, 5, 7, 7.8, 7.9, 7.9, 7.8, 7.9, 7.9, 7.8, 7.9, 7.9, 7.9, 7.9, 7.9, 7.8, 3, 1),
		storm(1.34, 1, 1, 1.1, 1.3, 1.34, 1.32, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.1, 1),
		storm(2.98, 1, 1, 1.4, 2.9, 2.98, .2, .2, .1, .2, .2, .1, .2, .2, .1, .2, .2, .1, .3, 1, 1),
		storm(25.4, 1, 1, 1.5, 9, 21, 25, 25.4, 25.3, 25.3, 25.4, 25.2, 25.4),
	}
	for i, name := range []string{"3 everywhere", "3 at the edge", "budget 10%", "with breakers", "full jitter"} {
		peers[i].Name = name
	}
	return &collector.Rig{
		Scenario: "payment-1945", Title: "the payment channel slows from 180 ms to 2.4 s, and everything retries",
		Look: "browse dies of a storm that is not its own; the wrong repairs make it worse",
		Seed: 7, PeerSeed: 7, At: 420 * time.Second, Length: 12 * time.Minute, Speed: 10, Layers: layers,
		Levers: levers(layers, map[string][]string{
			"attempts": three("3"), "backoff": three("none"), "jitter": three("none"), "budget": three("none"),
			"deadline": {"none", "none", "450ms"}, "breaker": three("off"), "bulkhead": {"", "off", "off"},
		}),
		Faults: []collector.Fault{
			{Kind: collector.Outage, Title: "the channel is down", Field: "channel.outage", On: "1", Off: "0"},
			{Kind: collector.Delay, Title: "the channel answers 300ms later", Field: "channel.delay", On: "300ms", Off: "0s"},
			{Kind: collector.Growth, Title: "payments grow to 4,020/s", Field: "payments.rate", On: "4020/s", Off: "2010/s"},
			{Kind: collector.Delay, Title: "the channel needs 2.4s, not 180ms", Field: "channel.service", On: "2.4s", Off: "180ms", Is: true},
		},
		Repairs: []collector.Repair{
			{Name: "cut", Title: "retries off at gateway and order"}, {Name: "bulkhead", Title: "own pool for payments at order"},
			{Name: "drain", Title: "1 attempt at the channel: drain"}, {Name: "half-open", Title: "12 probes, then half-open"},
			{Name: "five", Title: "5 attempts everywhere", Wrong: true}, {Name: "restart", Title: "restart the order service", Wrong: true},
			{Name: "queue", Title: "twice the queue at order", Wrong: true},
		},
		Hops: []collector.RigHop{
			hop("gateway", "order", 2010, 6025, 2010, 2008, 2007), hop("order", "payment", 6020, 18_050, 6020, 6017, 6013),
			hop("payment", "channel", 17_800, 52_370, 17_800, 17_420, 17_150),
		},
		Services: []collector.RigService{
			{Name: "gateway", Busy: 12_060, P99: secondsOf(6.01)}, {Name: "order", Slots: 21_400, Busy: 21_400, Queued: 33_990, P99: secondsOf(6.23), State: "saturated"},
			{Name: "payment", Busy: 24_300, P99: secondsOf(1.36)}, {Name: "channel", Busy: 125_700, P99: secondsOf(2.4)},
		},
		Classes: []collector.RigClass{
			{Name: "payment", Ingress: 2010, Delivered: 0, Pending: 196_600}, {Name: "browse", Ingress: 2498, Delivered: 0.004, Pending: 29_100},
		},
		Mean: 10 * time.Second, Ingress: 2010, Measured: 26.05, Worst: 27, Bound: 27, Wasted: 0.97, Peers: peers,
	}
}

// repaired is burning 20 s after the first repair, with every kind of limit.
func repaired() *collector.Rig {
	r := burning()
	r.At += 20 * time.Second
	r.Repairs[0].Done = true
	for i := range r.Levers {
		l := &r.Levers[i]
		switch {
		case l.Row == "attempts" && l.Layer < 2:
			set(l, "1")
		case l.Row == "budget" && l.Layer == 0:
			set(l, "20%")
		case l.Row == "breaker" && l.Layer == 2:
			set(l, "on")
		}
	}
	r.Effect = &collector.Effect{Text: "retries off at gateway and order", Ago: 20 * time.Second, Figures: []collector.EffectFigure{
		{Name: "amplification", Before: ratio(26.05), Now: ratio(4.05), Later: ratio(4.22)},
		{Name: "attempts", Before: rate(52_250), Now: rate(8140), Later: rate(8480)},
		{Name: "pending", Before: count(196_600), Now: count(29_000), Later: count(108_900)},
		{Name: "delivered", Of: "payment", Before: share(0), Now: share(0), Later: share(0)},
		{Name: "delivered", Of: "browse", Before: share(0.004), Now: share(0.94), Later: share(0.41)},
	}}
	r.Hops[0] = collector.RigHop{From: "gateway", To: "order", Policy: "3 attempts (retries 2)", FanOut: 1, Permitted: 3, Bound: 1 / (1 - 0.28), Requests: 2010, Attempts: 2740, Gain: 1.363,
		ByAttempt: []float64{2010, 460, 270}, Saves: 2168, Budget: 0.12, Formula: "R/(N+R) < 0.28", Passing: 1, Refused: 1204}
	r.Hops[1] = collector.RigHop{From: "order", To: "payment", Policy: "1 attempt", FanOut: 1, Permitted: 1, Bound: 1, Requests: 2730, Attempts: 2730, Gain: 1, ByAttempt: []float64{2730},
		Budget: math.NaN(), Passing: 1, PoolUsed: 500, PoolSize: 500, PoolQueue: 37, PoolWait: secondsOf(0.24)}
	r.Hops[2] = collector.RigHop{From: "payment", To: "channel", Policy: "3 attempts (retries 2)", FanOut: 1, Permitted: 3, Bound: 3, Requests: 2725, Attempts: 8140, Gain: 2.987,
		ByAttempt: []float64{2725, 2710, 2705}, Saves: 5415, Budget: math.NaN(), Breaker: "half-open", Passing: 0.05, Refused: 12}
	r.Measured, r.Worst, r.Bound, r.Wasted = 4.05, 9, 3/(1-0.28), 0.61
	r.Services[1] = collector.RigService{Name: "order", Slots: 21_400, Busy: 9300, P99: secondsOf(0.481)}
	r.Classes[0].Delivered, r.Classes[0].Pending = 0, 29_000
	r.Classes[1].Delivered, r.Classes[1].Pending = 0.94, 1210
	return r
}

// payments are so many seconds of payment-1945: calm, 26x from 60 s on, 4x from
// 420 s on.
func payments(seconds int) watch.Snapshot { return payment(seconds).Snapshot() }

// unseen are so many seconds of payment-1945, and ten more in which nothing can be
// read.
func unseen(seconds int) watch.Snapshot {
	w := payment(seconds)
	last := w.Snapshot().Last
	for s := range 10 {
		at := last.At.Add(time.Duration(s+1) * time.Second)
		w.Add(&collector.Reading{At: at, Origin: last.Origin, Failures: []collector.Failure{{Kind: collector.Unreachable, Text: "connection refused"}}})
	}
	return w.Snapshot()
}

func payment(seconds int) *watch.Watch {
	origin := &collector.Origin{Source: "payment-1945", Simulated: true, Speed: 10, Interval: time.Second, RateRange: time.Second}
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	target := collector.NewTarget(collector.Edge, collector.Label{Name: "service", Value: "channel"})
	for s := range seconds + 1 {
		gain := 1.003 + 0.002*math.Sin(float64(s))
		switch {
		case s > 420:
			gain = max(4.05, 26.05-4.6*float64(s-420))
		case s >= 60:
			gain = min(1+float64(s-60), 26.05+0.2*math.Sin(float64(s)/3))
		}
		row := collector.Row{Target: target, Baseline: 1}
		in := 2010 + 20*math.Sin(float64(s)*1.7)
		row.Values[collector.Ingress], row.Values[collector.Downstream] = rate(in), rate(in*gain)
		row.Values.Derive(1)
		w.Add(&collector.Reading{At: watchtest.Start.Add(time.Duration(s) * time.Second), Origin: origin, Targets: []collector.Row{row}, Total: collector.Total([]collector.Row{row})})
	}
	return w
}

// The two moments, each made once.
var storming, mended = sync.OnceValue(func() watch.Snapshot { return payments(420) }), sync.OnceValue(func() watch.Snapshot { return payments(440) })

// rehearsed is a screen of payment-1945 that shows a picture of it, after keys.
func rehearsed(t testing.TB, r *rehearsal, w, h int, opt Options, keys ...string) *Model {
	t.Helper()
	opt.Span, opt.Rig = 15*time.Minute, r
	m := New(opt)
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	s := storming()
	if r.rig != nil && r.rig.At > 420*time.Second {
		s = mended()
	}
	m.Update(RigMsg{Rig: r.rig})
	m.Update(SnapshotMsg{Snapshot: s})
	m.Update(TickMsg{At: s.Last.At})
	press(m, keys...)
	return m
}

var errRefused = errors.New("the breaker is forced open until 640s:\x1b[2J turn that off first")
