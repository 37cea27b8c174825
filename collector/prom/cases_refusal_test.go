package prom

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

// said is how servers word the same refusals.
var said = []struct {
	name  string
	reply canned
	kind  collector.FailureKind
	text  string
}{
	{"503 timeout", canned{code: 503, body: `{"status":"error","errorType":"timeout","error":"query timed out in expression evaluation"}`},
		collector.TimedOut, "query timed out"},
	{"422 timeout", canned{code: 422, body: `{"status":"error","errorType":"execution","error":"context deadline exceeded"}`},
		collector.TimedOut, "query timed out"},
	{"504 of a proxy", canned{code: 504, body: "<html>gateway timeout"}, collector.TimedOut, "query timed out"},
	{"422 too many samples", canned{code: 422, body: `{"status":"error","errorType":"execution","error":"query processing would load too many samples into memory"}`},
		collector.Rejected, "query rejected: query processing would load too many samples into memory"},
	{"422 parse error", canned{code: 422, body: `{"status":"error","errorType":"422","error":"cannot parse x"}`}, collector.Rejected, "query rejected: cannot parse x"},
	{"400 parse error", canned{code: 400, body: `{"status":"error","errorType":"bad_data","error":"cannot parse x"}`}, collector.Rejected, "query rejected: cannot parse x"},
	{"429", canned{code: 429, body: "slow down", header: map[string]string{"Retry-After": "40"}}, collector.RateLimited, "rate limited by"},
	{"429 in JSON", canned{code: 429, body: `{"status":"error","errorType":"too_many_requests","error":"max concurrent"}`, header: map[string]string{"Retry-After": "40"}},
		collector.RateLimited, "rate limited by"},
}

// TestTheSameWordsWhicheverCodeSaysIt is case A11: one query is refused, and its
// panel alone; what follows is no more than one further try in any poll, and none
// sooner than the server asks. A quick server is asked one by one, so that the
// refusal comes before most of the other queries are sent.
func TestTheSameWordsWhicheverCodeSaysIt(t *testing.T) {
	for _, c := range said {
		for _, quick := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, quick %v", c.name, quick), func(t *testing.T) { refusedOnce(t, c.reply, c.kind, c.text, quick) })
		}
	}
}

func refusedOnce(t *testing.T, reply canned, kind collector.FailureKind, text string, quick bool) {
	f := newFake(t)
	src := f.open(t, func(cfg *Config) {
		cfg.Signals[collector.Successes] = "sum by ($by) (rate(in_total[$window]))"
		cfg.Signals[collector.AtLimit] = "sum by ($by) (rate(down_total[$window]) * 0)"
	})
	if quick {
		f.on(func(request) *canned { f.clock.advance(time.Millisecond); return nil })
	}
	for range 5 {
		next(t, src)
	}
	if got := src.parallel() == 1; got != quick {
		t.Fatalf("asked one by one: %v", got)
	}
	bad := func(q request) bool { return q.query == "sum by (service) (rate(down_total[20s]))" }
	f.on(func(q request) *canned {
		if bad(q) {
			return &reply
		}
		return nil
	})
	f.asked()
	r := next(t, src)
	if r.Blind() || len(r.Failures) != 1 || r.Failures[0].Kind != kind || r.Failures[0].Signal != collector.Downstream || !strings.Contains(r.Failures[0].Text, text) {
		t.Fatalf("%+v", r.Failures)
	}
	for sig, want := range map[collector.Signal]collector.State{
		collector.Ingress: collector.Ok, collector.Successes: collector.Ok, collector.AtLimit: collector.Ok, collector.Delivered: collector.Ok,
		collector.Downstream: collector.Failed, collector.Amplification: collector.Failed,
	} {
		if got := value(t, r, "payments", sig).State; got != want {
			t.Errorf("%s is %v, want %v", sig, got, want)
		}
	}
	if n := count(f.asked(), bad); n != 1 {
		t.Errorf("the refused query was sent %d times in one poll", n)
	}
	polls, start := 0, f.clock.Now()
	for f.clock.Now().Sub(start) < 10*time.Minute {
		next(t, src)
		polls++
	}
	most := map[collector.FailureKind]int{collector.TimedOut: 20, collector.Rejected: polls, collector.RateLimited: 16}[kind]
	if n := count(f.asked(), bad); n > most || n == 0 {
		t.Errorf("%d tries in %d polls of 10 minutes", n, polls)
	}
	f.on(nil)
	for range 40 {
		if r = next(t, src); len(r.Failures) == 0 {
			return
		}
	}
	t.Errorf("it never came back: %+v", r.Failures)
}

func count(list []request, f func(request) bool) (n int) {
	for _, q := range list {
		if f(q) {
			n++
		}
	}
	return n
}

// TestTheClientsOwnDeadlineReadsLikeTheServers is case A11: of one query that
// hangs beside others that are answered.
func TestTheClientsOwnDeadlineReadsLikeTheServers(t *testing.T) {
	f := newFake(t)
	src := f.open(t, func(c *Config) { c.Timeout = 50 * time.Millisecond })
	next(t, src)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	f.on(func(q request) *canned {
		if strings.HasPrefix(q.query, "sum by") && strings.Contains(q.query, "down_total") {
			<-release
		}
		return nil
	})
	r := next(t, src)
	if r.Blind() || len(r.Failures) != 1 || r.Failures[0].Kind != collector.TimedOut || !strings.HasSuffix(r.Failures[0].Text, ": query timed out, no answer within 50ms") {
		t.Fatalf("%+v", r.Failures)
	}
	if in, down := value(t, r, "orders", collector.Ingress).State, value(t, r, "orders", collector.Downstream).State; in != collector.Ok || down != collector.Failed {
		t.Errorf("ingress %v, downstream %v", in, down)
	}
}
