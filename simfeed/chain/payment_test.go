package chain

import (
	"math"
	"strconv"
	"testing"
	"time"

	"stormtop/simfeed/chain/draw"
	"stormtop/simfeed/chain/policy"
)

// payment is the storm of 19:45 at a scale of the published rates. Rates,
// layers, time-outs of the channel and times of the repairs are the story's;
// own work, workers, queue, the other time-outs and the browse traffic were
// fitted so that it gives the published figures.
func payment(scale float64) Scenario {
	n := func(full float64) int { return int(math.Round(full * scale)) }
	s := NewScenario("payment-1945")
	s.Length = 720 * time.Second
	pay := NewClass("payments", "gateway", "order", "payment", "channel")
	pay.Rate = Steady(2010 * scale)
	browse := NewClass("browse", "gateway", "order")
	browse.Rate, browse.Idempotent = Steady(2500*scale), true
	s.Classes = []Class{pay, browse}

	own := draw.Expo(5 * time.Millisecond)
	gateway, order, pays, channel := NewService("gateway"), NewService("order"), NewService("payment"), NewService("channel")
	gateway.Time, order.Time, pays.Time = own, own, own
	order.Workers, order.Queue = n(21_400), n(34_000)
	order.Classes = []ClassWork{{Class: "browse", Time: draw.LogN(40*time.Millisecond, 400*time.Millisecond), ErrorRate: 0.019}}
	channel.Time = draw.Const(180 * time.Millisecond)
	s.Services = []Service{gateway, order, pays, channel}

	for _, edge := range []struct {
		from, to string
		timeout  time.Duration
	}{
		{"gateway", "order", 2 * time.Second},
		{"order", "payment", 1200 * time.Millisecond},
		{"payment", "channel", 450 * time.Millisecond},
	} {
		e := NewEdge(edge.from, edge.to)
		e.Policy.Attempts, e.Policy.Timeout = 3, edge.timeout
		s.Edges = append(s.Edges, e)
	}

	at := func(seconds int, field, value string) Change {
		return Change{At: time.Duration(seconds) * time.Second, Field: field, Value: value}
	}
	s.Timeline = []Change{{At: 60 * time.Second, For: 540 * time.Second, Field: "services.channel.time", Value: "2.4s"}}
	s.Actions = []Action{
		{Name: "cut", At: 420 * time.Second, Changes: []Change{
			at(0, "edges.order>payment.attempts", "1"),
			at(0, "edges.gateway>order[browse].attempts", "1"),
			at(0, "edges.gateway>order[payments].budget.kind", "attempts"),
			at(0, "edges.gateway>order[payments].budget.share", "0.235"),
		}},
		{Name: "bulkhead", At: 480 * time.Second, Changes: []Change{
			{Field: "services.order[payments].workers", Value: format(n(6000))},
		}},
		{Name: "drain", At: 540 * time.Second, Changes: []Change{at(0, "edges.payment>channel.attempts", "1")}},
		// The channel is well again at 600: from there to the probes nothing is
		// sent, then 12 probes with jitter and a ramp.
		{Name: "half-open", At: 600 * time.Second, Changes: []Change{
			at(0, "edges.payment>channel.breaker.force", "open"),
			at(40, "edges.payment>channel.breaker.probes", "12"),
			at(40, "edges.payment>channel.breaker.probe_gap", "200ms"),
			at(40, "edges.payment>channel.breaker.ramp", "30s"),
			at(40, "edges.payment>channel.breaker.force", "half_open"),
		}},
	}
	return s
}

func format(n int) string { return strconv.Itoa(n) }

// phase is means over some seconds of a run.
type phase struct {
	attempts  float64 // at the channel, a second
	ratio     float64
	browse    float64 // share delivered
	pending   float64 // payments, at the end of each second
	orderP99  float64 // seconds, of all classes
	delivered float64 // payments
}

func over(windows []*Window, from, to int) phase {
	var p phase
	var browsed, answered, ingress, paid float64
	for _, w := range windows[from:to] {
		pay, browse := w.Class("payments"), w.Class("browse")
		p.attempts += float64(pay.Attempts)
		ingress += float64(pay.Requests)
		paid += float64(pay.Delivered)
		browsed += float64(browse.Requests)
		answered += float64(browse.Delivered)
		p.pending += float64(pay.Pending)
		p.orderP99 += w.Service("order").Latency.P99.Seconds()
	}
	n := float64(to - from)
	p.ratio = p.attempts / ingress
	p.attempts, p.pending, p.orderP99 = p.attempts/n, p.pending/n, p.orderP99/n
	p.browse, p.delivered = answered/browsed, paid/ingress
	return p
}

func TestPayment(t *testing.T) {
	s, err := playAll(payment(0.1))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	e, windows := play(t, s, 1)
	t.Logf("%d events in %v, hash %x", e.Events(), time.Since(start), e.Hash())
	for _, x := range [][2]int{{10, 60}, {120, 420}, {450, 480}, {500, 540}, {570, 600}, {610, 640}, {690, 720}} {
		t.Logf("%v %+v", x, over(windows, x[0], x[1]))
	}
	_ = policy.OK
}

func playAll(s Scenario) (Scenario, error) { return s.Play() }
