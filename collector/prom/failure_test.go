package prom

import (
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

func TestEveryFailureHasASentenceAndANextStep(t *testing.T) {
	for name, c := range map[string]struct {
		reply canned
		kind  collector.FailureKind
		text  string
	}{
		"no tenant":             {canned{code: 401, body: "no org id\n"}, collector.Forbidden, "add --prom.header=X-Scope-OrgID=TENANT"},
		"no credentials":        {canned{code: 401, body: "Unauthorized"}, collector.Forbidden, "--prom.http-config=FILE"},
		"forbidden":             {canned{code: 403, body: `{"status":"error","errorType":"x","error":"not yours"}`}, collector.Forbidden, "forbids this query (403 Forbidden: not yours): give other credentials in --prom.http-config=FILE or --prom.header=NAME=VALUE"},
		"old parse error":       {canned{code: 422, body: `{"status":"error","errorType":"422","error":"cannot parse"}`}, collector.Rejected, "query rejected: cannot parse"},
		"parse error":           {canned{code: 400, body: `{"status":"error","errorType":"bad_data","error":"cannot parse"}`}, collector.Rejected, "query rejected: cannot parse"},
		"no API here":           {canned{code: 404, body: "404 page not found"}, collector.Rejected, "there is no Prometheus API at this address"},
		"rate limited":          {canned{code: 429, header: map[string]string{"Retry-After": "17"}}, collector.RateLimited, "rate limited by"},
		"503 timeout":           {canned{code: 503, body: `{"status":"error","errorType":"timeout","error":"query timed out in expression evaluation"}`}, collector.TimedOut, "query timed out"},
		"422 timeout":           {canned{code: 422, body: `{"status":"error","errorType":"execution","error":"expanding series: context deadline exceeded"}`}, collector.TimedOut, "query timed out"},
		"504":                   {canned{code: 504, body: "<html>gateway"}, collector.TimedOut, "query timed out"},
		"200 with an error":     {canned{body: `{"status":"error","errorType":"timeout","error":"x"}`}, collector.TimedOut, "query timed out"},
		"not ready":             {canned{code: 503, body: "Service Unavailable"}, collector.ServerError, "answers 503 Service Unavailable"},
		"internal error":        {canned{code: 500, body: "boom\x1b[2J"}, collector.ServerError, "answers 500 Internal Server Error (boom\ufffd[2J)"},
		"web page":              {canned{body: "<!DOCTYPE html><title>Log in</title>", header: map[string]string{"Content-Type": "text/html"}}, collector.NotPrometheus, "a web page (a login?)"},
		"other JSON":            {canned{body: `{"message":"hello"}`}, collector.NotPrometheus, "JSON of another kind"},
		"broken JSON":           {canned{body: `{"status":"success","data":{"result":[{"metric":x`}, collector.NotPrometheus, "broken JSON (at byte 48 "},
		"text":                  {canned{body: "hello"}, collector.NotPrometheus, "text that is no JSON"},
		"empty":                 {canned{body: ""}, collector.NotPrometheus, "is empty, which is no answer of a Prometheus API"},
		"token expired":         {canned{code: 401, body: "token expired"}, collector.Forbidden, "(401 Unauthorized: token expired): give them"},
		"TLS on that port":      {canned{code: 400, body: "Client sent an HTTP request to an HTTPS server.\n"}, collector.Rejected, "speaks TLS: write --prom=https://127.0.0.1:"},
		"redirect without goal": {canned{code: 302}, collector.NotPrometheus, "302 Found"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.on(func(request) *canned { return &c.reply })
			fail := blindFailure(t, next(t, f.open(t, nil)))
			if fail.Kind != c.kind || !strings.Contains(fail.Text, c.text) {
				t.Errorf("%v %q, want %v %q", fail.Kind, fail.Text, c.kind, c.text)
			}
			if stops := c.kind == collector.Forbidden; fail.Retry.IsZero() != stops {
				t.Errorf("retry at %v", fail.Retry)
			}
			if c.kind == collector.RateLimited && fail.Retry.Before(epoch.Add(17*time.Second)) {
				t.Errorf("retry at %v although asked to wait 17s", fail.Retry)
			}
		})
	}
}

func TestAnUnreachableServerIsASentence(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	f.Close()
	fail := blindFailure(t, next(t, s))
	if fail.Kind != collector.Unreachable || !strings.Contains(fail.Text, "no connection to "+strings.TrimPrefix(f.URL, "http://")+": connection refused") {
		t.Errorf("%+v", fail)
	}
}

func TestAClientSideDeadlineReadsAsATimeOut(t *testing.T) {
	f := newFake(t)
	release := make(chan struct{})
	defer close(release)
	f.on(func(request) *canned { <-release; return nil })
	fail := blindFailure(t, next(t, f.open(t, func(c *Config) { c.Timeout = 20 * time.Millisecond })))
	if fail.Kind != collector.TimedOut || !strings.Contains(fail.Text, "query timed out, no answer within 20ms") {
		t.Errorf("%+v", fail)
	}
}

func TestALostConnectionKeepsTheTargets(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	good := next(t, s)
	f.on(func(request) *canned { return &canned{code: 502, body: "bad gateway"} })
	r := next(t, s)
	if fail := blindFailure(t, r); fail.Kind != collector.ServerError || fail.Signal != collector.NoSignal || fail.Retry.IsZero() {
		t.Errorf("%+v", fail)
	}
	if len(r.Targets) != len(good.Targets) {
		t.Fatalf("%v", names(r))
	}
	for _, sig := range []collector.Signal{collector.Ingress, collector.Downstream, collector.Amplification, collector.RetryRate} {
		if got := value(t, r, "payments", sig).State; got != collector.Failed {
			t.Errorf("%s is %v", sig, got)
		}
		if got := r.Total.Values[sig].State; got != collector.Failed {
			t.Errorf("total %s is %v", sig, got)
		}
	}
	if got := value(t, r, "payments", collector.AtLimit).State; got != collector.Missing {
		t.Errorf("a signal that was never asked for is %v", got)
	}
	if !r.Newest.Equal(good.Newest) {
		t.Errorf("newest %v, want %v", r.Newest, good.Newest)
	}
}

func TestARefusalStopsThePollingUntilSomebodyAsks(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	next(t, s)
	f.asked()
	f.on(func(request) *canned { return &canned{code: 401, body: "token expired"} })
	if fail := blindFailure(t, next(t, s)); fail.Kind != collector.Forbidden || !fail.Retry.IsZero() {
		t.Fatalf("%+v", fail)
	}
	if n := len(f.asked()); n > 8 {
		t.Errorf("%d requests", n)
	}
	got := make(chan *collector.Reading)
	go func() {
		r, _ := s.Next(t.Context())
		got <- r
	}()
	select {
	case <-got:
		t.Fatal("polled without being asked")
	default:
	}
	f.on(nil)
	s.Retry()
	if r := <-got; r.Blind() {
		t.Errorf("%+v", r.Failures)
	}
}

func TestWhileDownOneProbeIsSentAndThenAllIsBack(t *testing.T) {
	f := newFake(t)
	s := f.open(t, func(c *Config) { c.Interval = time.Second })
	next(t, s)
	f.on(func(request) *canned { return &canned{code: 503, body: "Service Unavailable"} })
	next(t, s)
	f.asked()
	start := f.clock.Now()
	readings := 0
	probes := map[string]bool{}
	for f.clock.Now().Sub(start) < 10*time.Minute {
		r := next(t, s)
		readings++
		if !r.Blind() {
			t.Fatal("not blind")
		}
		if retry := r.Failures[0].Retry; retry.Sub(r.At) > 61*time.Second || !retry.After(r.At) {
			t.Errorf("retry %v after %v", retry, r.At)
		}
	}
	asked := f.asked()
	if len(asked) != readings {
		t.Errorf("%d requests in %d polls", len(asked), readings)
	}
	if len(asked) < 10 || len(asked) > 30 {
		t.Errorf("%d requests in 10 minutes", len(asked))
	}
	inFirst := 0
	for _, q := range asked {
		probes[q.query] = true
		if q.at.Sub(start) <= time.Minute {
			inFirst++
		}
	}
	if inFirst > 8 || len(probes) < 2 {
		t.Errorf("%d requests in the first minute, %d different probes", inFirst, len(probes))
	}
	f.on(nil)
	r := next(t, s)
	if r.Blind() || r.Missed == 0 || value(t, r, "orders", collector.Ingress).State != collector.Ok {
		t.Errorf("missed %d, %+v", r.Missed, r.Failures)
	}
	f.asked()
	first := next(t, s)
	if first.Missed != 0 || len(signalQueries(f.asked())) != 2 {
		t.Errorf("a burst after the recovery")
	}
}

func TestRetryCutsABackOffShort(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	next(t, s)
	f.on(func(request) *canned { return &canned{code: 503} })
	for range 5 {
		next(t, s)
	}
	s.wait = s.now().Add(time.Hour)
	s.Retry()
	s.clockless()
	f.on(nil)
	if r := next(t, s); r.Blind() || f.clock.Now().Sub(epoch) > 10*time.Minute {
		t.Errorf("%+v at %v", r.Failures, f.clock.Now())
	}
}

// clockless takes the pending request to try again as await would.
func (s *Source) clockless() {
	<-s.retry
	s.unblock()
}

func TestASignalBacksOffOnItsOwn(t *testing.T) {
	f := newFake(t)
	s := f.open(t, func(c *Config) { c.Interval = time.Second })
	next(t, s)
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "down_total[20s]") {
			return &canned{code: 502}
		}
		return nil
	})
	f.asked()
	for range 60 {
		r := next(t, s)
		if r.Blind() || value(t, r, "orders", collector.Ingress).State != collector.Ok || value(t, r, "orders", collector.Downstream).State != collector.Failed {
			t.Fatalf("%+v", r.Failures)
		}
		if !r.Failures[0].Retry.After(r.At) {
			t.Errorf("retry %v at %v", r.Failures[0].Retry, r.At)
		}
	}
	bad := 0
	for _, q := range f.asked() {
		if strings.Contains(q.query, "down_total[20s]") {
			bad++
		}
	}
	if bad > 8 {
		t.Errorf("the failing query was sent %d times in a minute", bad)
	}
}

func TestRateLimitingOfOneQueryHoldsAll(t *testing.T) {
	f := newFake(t)
	s := f.open(t, nil)
	next(t, s)
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "down_total[20s]") {
			return &canned{code: 429, header: map[string]string{"Retry-After": "60"}}
		}
		return nil
	})
	r := next(t, s)
	if r.Blind() || r.Failures[0].Kind != collector.RateLimited {
		t.Fatalf("%+v", r.Failures)
	}
	f.on(nil)
	after := next(t, s)
	if d := after.At.Sub(r.At); d < time.Minute || d > 70*time.Second || after.Missed < 11 {
		t.Errorf("polled again after %v, %d missed", d, after.Missed)
	}
}

func TestATooLargeAnswerIsNotAskedForAgain(t *testing.T) {
	f := newFake(t)
	for i := range 200 {
		f.set("down_total", strings.Repeat("x", 50)+string(rune('a'+i%26))+string(rune('a'+i/26)), "1")
	}
	s := f.open(t, func(c *Config) { c.MaxBytes = 4096 })
	r := next(t, s)
	if len(r.Failures) != 1 || r.Failures[0].Kind != collector.TooLarge || !strings.Contains(r.Failures[0].Text, "larger than 4 KiB: aggregate") || !r.Failures[0].Retry.IsZero() {
		t.Fatalf("%+v", r.Failures)
	}
	f.asked()
	next(t, s)
	if n := len(signalQueries(f.asked())); n != 1 {
		t.Errorf("%d queries", n)
	}
	s.Retry()
	s.clockless()
	next(t, s)
	if n := len(signalQueries(f.asked())); n != 2 {
		t.Errorf("%d queries after being asked to try again", n)
	}
}
