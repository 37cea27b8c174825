package prom

import (
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// TestASideIsAsOldAsTheSeriesItHas is case E7: resilience4j without a circuit
// breaker. The query for attempts begins with the breaker's metric, of which
// there is no series, and falls back on the calls: nothing is old.
func TestASideIsAsOldAsTheSeriesItHas(t *testing.T) {
	calls := hop("lib", collector.LowerBound, func(p *profile.Profile) {
		p.Signals[collector.Downstream] = "sum by ($by) (rate(lib_breaker[$window])) or sum by ($by) (rate(lib_in[$window]))"
	})
	sc := seen(script{"(rate(lib_in[": {`service="pay"`: 10}, "(rate(lib_breaker[": {`service="pay"`: 12}}, "in", map[string]float64{"series": 4, "single": 4, "jobs": 4})
	f := newFake(t)
	f.metrics = map[string]map[string]string{"lib_in": {"pay": "1"}}
	f.on(func(q request) *canned {
		if q.query == "max(timestamp(lib_breaker))" {
			return &canned{body: vectorAnswer("1", nil)}
		}
		return sc.found("lib")(q)
	})
	s := f.openForDetection(t, func(c *Config) { c.Known = []profile.Profile{calls} })
	for range 3 {
		if v := value(t, next(t, s), "pay", collector.Downstream); v.State != collector.Ok || v.V != 12 {
			t.Errorf("%+v", v)
		}
	}
}

// TestAJoinThatFindsTwoSeriesNamesTheLabel is case A14 (a), as the server words it.
func TestAJoinThatFindsTwoSeriesNamesTheLabel(t *testing.T) {
	for text, want := range map[string]string{
		`found duplicate series for the match group {service=\"pay\"} on the right hand-side of the operation: [{__name__=\"w\", service=\"pay\", version=\"b, }2\"}, {__name__=\"w\", service=\"pay\", version=\"a1\"}];many-to-many matching not allowed: matching labels must be unique on one side`: "query rejected: two series for the same match, differing in label version: aggregate both sides before they are joined (found duplicate series",
		`multiple matches for labels: many-to-one matching must be explicit (group_left/group_right)`: "query rejected: multiple matches for labels",
	} {
		f := newFake(t)
		f.on(func(q request) *canned {
			if strings.Contains(q.query, "in_total[20s]") {
				return &canned{code: 422, body: `{"status":"error","errorType":"execution","error":"` + text + `"}`}
			}
			return nil
		})
		r := next(t, f.open(t, nil))
		if len(r.Failures) != 1 || !strings.HasPrefix(r.Failures[0].Text, want) || value(t, r, "orders", collector.Downstream).State != collector.Ok {
			t.Errorf("%+v", r.Failures)
		}
	}
}
