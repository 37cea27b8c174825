package prom

import (
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

// halfOfTheIngress answers as a Thanos of which one store is away: success, a
// warning, and half of the requests. Nothing is missing from the attempts.
func halfOfTheIngress(f *fakeProm) func(request) *canned {
	return func(q request) *canned {
		if !strings.HasPrefix(q.query, "sum by") || !strings.Contains(q.query, "in_total") {
			return nil
		}
		f.set("in_total", "payments", "100")
		body := f.answer(q)
		f.set("in_total", "payments", "200")
		return &canned{body: `{"warnings":["store eu1 unavailable"],` + body[1:]}
	}
}

// TestAPartialAnswerMarksWhatItIsPartOf is case A6: the ratio that rises since
// half of the requests are missing is partial, in the present and in the past,
// and so is the total; the other side is not, and the server's words are told.
func TestAPartialAnswerMarksWhatItIsPartOf(t *testing.T) {
	f := newFake(t)
	f.set("down_total", "payments", "220")
	f.on(halfOfTheIngress(f))
	s := f.open(t, func(c *Config) { c.Span = time.Minute })
	for {
		r := next(t, s)
		v := r.Targets[slices.Index(names(r), "payments")].Values
		for sig, want := range map[collector.Signal]collector.Value{
			collector.Ingress:       collector.Num(100, collector.PerSecond, collector.Exact).With(collector.Partial),
			collector.Downstream:    collector.Num(220, collector.PerSecond, collector.Exact),
			collector.Amplification: collector.Num(2.2, collector.Ratio, collector.Exact).With(collector.Partial),
		} {
			if v[sig] != want {
				t.Errorf("past %v: %s is %+v, want %+v", r.Past, sig, v[sig], want)
			}
		}
		if total := r.Total.Values; total[collector.Ingress].State != collector.Partial || total[collector.Amplification].State != collector.Partial ||
			total[collector.Downstream].State != collector.Ok {
			t.Errorf("past %v: total %+v", r.Past, total)
		}
		if !r.Past {
			if !warned(r, "ingress: store eu1 unavailable") || !warned(r, "ingress before the start: store eu1 unavailable") {
				t.Errorf("%q", r.Warnings)
			}
			break
		}
	}
	f.on(nil)
	if v := value(t, next(t, s), "payments", collector.Amplification); v != collector.Num(1.1, collector.Ratio, collector.Exact) {
		t.Errorf("the store is back, and it is %+v", v)
	}
}

// TestAThanosCanBeToldToAnswerInFullOrNotAtAll is case A6:
// --prom.param=partial_response=false goes with every query, live and of the
// past, and what the server says to it is that signal's failure alone.
func TestAThanosCanBeToldToAnswerInFullOrNotAtAll(t *testing.T) {
	f := newFake(t)
	f.thanos = true
	f.on(func(q request) *canned {
		if strings.Contains(q.query, "in_total[") && strings.HasPrefix(q.query, "sum by") {
			return &canned{code: 422, body: `{"status":"error","errorType":"execution","error":"no StoreAPIs matched for this query"}`}
		}
		return nil
	})
	r := next(t, f.open(t, func(c *Config) {
		c.Span, c.Params = time.Minute, map[string]string{"partial_response": "false"}
	}))
	if !r.Past {
		t.Fatalf("no past: %+v %q", r.Failures, r.Warnings)
	}
	for _, row := range r.Targets {
		if row.Values[collector.Ingress].State != collector.Failed || row.Values[collector.Downstream].State != collector.Ok {
			t.Errorf("%+v", row)
		}
	}
	for _, q := range f.asked() {
		if got := strings.Join(append(q.form["partial_response"], q.form["dedup"]...), " "); q.query != "time()" && got != "false true" {
			t.Errorf("%s was sent with %q", q.query, got)
		}
	}
}
