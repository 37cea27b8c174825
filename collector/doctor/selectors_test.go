package doctor

import (
	"fmt"
	"testing"
)

func TestAQueryIsDissectedIntoItsSelectors(t *testing.T) {
	for query, want := range map[string]string{
		"up":                                    "[{up up false false}] false",
		`sum by (a) (rate(x_total{b="c"}[1m]))`: `[{x_total{b="c"} x_total true true}] false`,
		`max without (r) (rate(x[1m])) / (rate(y[1m]) > 0)`:         "[{x x true true} {y y true true}] true",
		`rate(x[1m]) + rate(x[1m] offset 1h)`:                       "[{x x true true}] false",
		`max_over_time(q[5m]) > bool 0`:                             "[{q q false true}] false",
		`{__name__=~"a|b"}`:                                         `[{{__name__=~"a|b"}  false false}] false`,
		`sum(increase(x[1m])) or sum(irate(y[1m])) or deriv(z[1m])`: "[{x x true true} {y y true true} {z z false true}] false",
		"sum(": "[] false",
	} {
		a := dissect(query)
		if got := fmt.Sprint(a.selectors, a.filters); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
