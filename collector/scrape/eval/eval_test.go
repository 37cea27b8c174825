package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
)

// memory is data of a test: series with one point every step.
type memory struct{ list []*Series }

// Select implements Data.
func (m *memory) Select(s *Selector) []*Series {
	var out []*Series
	for _, series := range m.list {
		if s.Matches(series.Labels) {
			out = append(out, series)
		}
	}
	return out
}

const now = 1_000_000 // ms

// load reads series such as `a{b="c"} 1 2 _ 3`: values 1 s apart, the last one at
// now, "_" for none. An "end" behind them says that the series has ended.
func load(t testing.TB, text string) *memory {
	t.Helper()
	m := &memory{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		cut := strings.LastIndex(line, "}") + 1
		if cut == 0 {
			cut = strings.IndexByte(line, ' ')
		}
		expr, err := language.ParseMetric(strings.TrimSpace(line[:cut]))
		if err != nil {
			t.Fatal(err)
		}
		s := &Series{Labels: expr}
		values := strings.Fields(line[cut:])
		if n := len(values) - 1; values[n] == "end" {
			s.Ended, values = true, values[:n]
		}
		for i, v := range values {
			if v == "_" {
				continue
			}
			f, err := strconv.ParseFloat(v, 64)
			if err != nil {
				t.Fatal(err)
			}
			s.Points = append(s.Points, Point{T: now - 1000*int64(len(values)-1-i), V: f})
		}
		m.list = append(m.list, s)
	}
	return m
}

// answer is a result as text, sorted.
func answer(list []Sample) string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%s %v", s.Labels, float64(float32(s.V))))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

const shop = `
requests{service="a",zone="1"} 100 110 120 130 140
requests{service="a",zone="2"} 50 60 70 80 90
requests{service="b",zone="1"} 0 0 0 0 0
attempts{service="a",zone="1"} 100 130 160 190 220
attempts{service="b",zone="1"} 5 5 5 5 5
reset{service="a"} 90 100 5 15 25
queue{service="a"} 1 2 3 4 5
queue{service="b"} 7 7 7 7 7
gone{service="a"} 1 2 3 4 5 end
late{service="a"} _ _ _ 10 20
early{service="a"} 10 20 30 _ _
one{service="a"} _ _ _ _ 9
nans{service="a"} 1 2 3 4 NaN
infs{service="a"} 1 1 1 1 +Inf
path{id="outbound|80||x.y"} 3
`

func TestExpressionsGiveWhatPrometheusGives(t *testing.T) {
	data := load(t, shop)
	for query, want := range map[string]string{
		// selectors
		`queue`:                               `{__name__="queue", service="a"} 5; {__name__="queue", service="b"} 7`,
		`queue{service="a"}`:                  `{__name__="queue", service="a"} 5`,
		`queue{service!="a"}`:                 `{__name__="queue", service="b"} 7`,
		`queue{service=~"a|c"}`:               `{__name__="queue", service="a"} 5`,
		`queue{service!~"a|c"}`:               `{__name__="queue", service="b"} 7`,
		`queue{nobody=""}`:                    `{__name__="queue", service="a"} 5; {__name__="queue", service="b"} 7`,
		`queue{service=~"."}`:                 `{__name__="queue", service="a"} 5; {__name__="queue", service="b"} 7`,
		`{__name__=~"queue|one",service="a"}`: `{__name__="one", service="a"} 9; {__name__="queue", service="a"} 5`,
		`path{id=~"outbound[|].*"}`:           `{__name__="path", id="outbound|80||x.y"} 3`,
		`gone`:                                ``,
		`early`:                               `{__name__="early", service="a"} 30`,
		`nobody`:                              ``,
		// rates: 4 s hold the points at -3, -2, -1 and 0 s, carried on by 1 s
		`rate(requests{zone="1"}[4s])`: `{service="a", zone="1"} 10; {service="b", zone="1"} 0`,
		`increase(attempts[4s])`:       `{service="a", zone="1"} 120; {service="b", zone="1"} 0`,
		`irate(attempts[4s])`:          `{service="a", zone="1"} 30; {service="b", zone="1"} 0`,
		`irate(reset[3s])`:             `{service="a"} 10`,
		`rate(one[4s])`:                ``,
		`rate(gone[4s])`:               `{service="a"} 1`,
		`rate(requests[1s])`:           ``,
		// 100 5 15 25: 5 from 0, then 20, in 3 s; to the start 1 s, but the counter was 100 there
		`increase(reset[4s])`: `{service="a"} 33.33333206176758`,
		// 10 20 at -1 and 0 s: half the distance before, since the start is 2 s away
		`increase(late[4s])`: `{service="a"} 15`,
		// 20 30 at -3 and -2 s: 1 s before, half a distance after
		`increase(early[4s])`: `{service="a"} 25`,
		// never before the point where the counter was 0: 1 2 3 4 5 at -4 .. 0 s
		`increase(queue{service="a"}[10s])`: `{service="a"} 4.5`,
		`rate(nans[4s])`:                    `{service="a"} NaN`,
		`rate(infs[4s])`:                    `{service="a"} +Inf`,
		// aggregations
		`sum(requests)`:                        `{} 230`,
		`sum by (service) (requests)`:          `{service="a"} 230; {service="b"} 0`,
		`sum by (nobody) (requests)`:           `{} 230`,
		`sum by (zone, service) (requests)`:    `{service="a", zone="1"} 140; {service="a", zone="2"} 90; {service="b", zone="1"} 0`,
		`sum without (zone) (requests)`:        `{service="a"} 230; {service="b"} 0`,
		`max without (service, zone) (queue)`:  `{} 7`,
		`min by (service) (requests)`:          `{service="a"} 90; {service="b"} 0`,
		`max by (service) (requests)`:          `{service="a"} 140; {service="b"} 0`,
		`avg by (service) (requests)`:          `{service="a"} 115; {service="b"} 0`,
		`count by (zone) (requests)`:           `{zone="1"} 2; {zone="2"} 1`,
		`count(nobody)`:                        ``,
		`sum(nobody)`:                          ``,
		`count(count by (service) (requests))`: `{} 2`,
		`group(queue)`:                         `{} 1`,
		`max({__name__=~"nans|queue"})`:        `{} 7`,
		`sum({__name__=~"nans|queue"})`:        `{} NaN`,
		`sum({__name__=~"infs|queue"})`:        `{} +Inf`,
		// arithmetic
		`queue + 1`:               `{service="a"} 6; {service="b"} 8`,
		`10 - queue`:              `{service="a"} 5; {service="b"} 3`,
		`2 * 3 + 1`:               `{} 7`,
		`queue % 2`:               `{service="a"} 1; {service="b"} 1`,
		`queue ^ 2`:               `{service="a"} 25; {service="b"} 49`,
		`-queue`:                  `{service="a"} -5; {service="b"} -7`,
		`1 - 2 * (3 - 4)`:         `{} 3`,
		`queue / queue`:           `{service="a"} 1; {service="b"} 1`,
		`queue / (queue * 0)`:     `{service="a"} +Inf; {service="b"} +Inf`,
		`queue * 0 / 0`:           `{service="a"} NaN; {service="b"} NaN`,
		`queue / nobody`:          ``,
		`queue + on(service) one`: `{service="a"} 14`,
		`sum by (service) (rate(attempts[4s])) / sum by (service) (rate(requests[4s]))`: `{service="a"} 1.5; {service="b"} NaN`,
		`attempts - ignoring(zone) sum by (service) (requests)`:                         `{service="a"} -10; {service="b"} 5`,
		`sum(queue) / on() sum(one)`:                                                    `{} 1.3333333730697632`,
		// comparisons
		`queue > 5`:                  `{__name__="queue", service="b"} 7`,
		`5 < queue`:                  `{__name__="queue", service="b"} 7`,
		`queue == bool 5`:            `{service="a"} 1; {service="b"} 0`,
		`1 > bool 2`:                 `{} 0`,
		`queue != 5`:                 `{__name__="queue", service="b"} 7`,
		`queue >= 5 <= 6`:            `{__name__="queue", service="a"} 5`,
		`nans > 0`:                   ``,
		`infs > 0`:                   `{__name__="infs", service="a"} +Inf`,
		`queue < on(service) one`:    `{service="a"} 5`,
		`queue < one`:                `{__name__="queue", service="a"} 5`,
		`queue < ignoring(zone) one`: `{__name__="queue", service="a"} 5`,
		`attempts > ignoring(zone) queue{service="a"}`: `{__name__="attempts", service="a"} 220`,
		// sets
		`queue and one`:                    `{__name__="queue", service="a"} 5`,
		`queue unless one`:                 `{__name__="queue", service="b"} 7`,
		`one or queue`:                     `{__name__="one", service="a"} 9; {__name__="queue", service="b"} 7`,
		`queue and on() nobody`:            ``,
		`queue and on() one`:               `{__name__="queue", service="a"} 5; {__name__="queue", service="b"} 7`,
		`count(queue) and count(one)`:      `{} 2`,
		`count(queue) and count(nobody)`:   ``,
		`attempts or ignoring(zone) queue`: `{__name__="attempts", service="a", zone="1"} 220; {__name__="attempts", service="b", zone="1"} 5`,
		`one or 0 * queue`:                 `{__name__="one", service="a"} 9; {service="b"} 0`,
		// functions
		`clamp_min(queue - 6, 0)`: `{service="a"} 0; {service="b"} 1`,
		`clamp_max(queue, 6)`:     `{service="a"} 5; {service="b"} 6`,
		`clamp(queue, 6, 6.5)`:    `{service="a"} 6; {service="b"} 6.5`,
		`clamp(queue, 2, 1)`:      ``,
		`vector(3)`:               `{} 3`,
		`scalar(one) + 1`:         `{} 10`,
		`scalar(queue)`:           `{} NaN`,
		`queue * scalar(one)`:     `{service="a"} 45; {service="b"} 63`,
		`label_replace(queue, "to", "$1-x", "service", "(.)")`: `{__name__="queue", service="a", to="a-x"} 5; {__name__="queue", service="b", to="b-x"} 7`,
		`label_replace(queue, "to", "y", "service", "b")`:      `{__name__="queue", service="a"} 5; {__name__="queue", service="b", to="y"} 7`,
		`label_replace(one, "service", "", "service", ".*")`:   `{__name__="one"} 9`,
	} {
		e, err := Compile(query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		got, err := e.Eval(data, now)
		if err != nil {
			t.Errorf("%s: %v", query, err)
		} else if answer(got) != want {
			t.Errorf("%s\n got %s\nwant %s", query, answer(got), want)
		}
	}
}

func TestWhatPrometheusRefusesIsAnError(t *testing.T) {
	data := load(t, shop)
	for query, want := range map[string]string{
		`requests + on(service) attempts`:                            "two series for the same match on the left side",
		`attempts + on(service) requests`:                            "two series for the same match on the right side",
		`rate({__name__=~"queue|one"}[4s])`:                          "", // one has no rate
		`rate({__name__=~"queue|gone"}[4s])`:                         "two series become the same",
		`{__name__=~"queue|one"} * 2`:                                "two series become the same",
		`label_replace(queue, "service", "x", "service", ".*")`:      "two series become the same",
		`sum(label_replace(queue, "service", "x", "service", ".*"))`: "two series become the same",
	} {
		e, err := Compile(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if _, err = e.Eval(data, now); (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
}

func TestWhatNeedsAPrometheusIsNamed(t *testing.T) {
	for query, want := range map[string]string{
		`topk(3, queue)`:                               "topk(...) needs a Prometheus",
		`histogram_quantile(0.9, a)`:                   "histogram_quantile(...) needs a Prometheus",
		`quantile(0.9, a)`:                             "quantile(...) needs a Prometheus",
		`queue offset 5m`:                              "offset needs a Prometheus",
		`rate(queue[5m] offset 5m)`:                    "offset needs a Prometheus",
		`queue @ 5`:                                    "@ needs a Prometheus",
		`a * on(x) group_left(y) b`:                    "* with many-to-one matching (group_left, group_right) needs a Prometheus",
		`max_over_time(rate(a[1m])[5m:])`:              "max_over_time(...) needs a Prometheus",
		`rate(rate(a[1m])[5m:])`:                       "rate of the subquery rate(a[1m])[5m:] needs a Prometheus",
		`deriv(a[5m])`:                                 "deriv(...) needs a Prometheus",
		`a atan2 b`:                                    "the operator atan2 needs a Prometheus",
		`sum by (x) (deriv(a[5m])) / count by (x) (a)`: "deriv(...) needs a Prometheus",
		`time()`: "time(...) needs a Prometheus",
	} {
		_, err := Compile(query)
		var u *Unsupported
		if !errors.As(err, &u) || err.Error() != want {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
	for query, want := range map[string]string{
		`sum(`:  "malformed PromQL",
		`a[5m]`: "is a matrix",
		`"x"`:   "string",
		``:      "malformed PromQL",
	} {
		if _, err := Compile(query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
}

func TestASelectorIsWrittenAsItIsRead(t *testing.T) {
	e, err := Compile(`sum(rate(a{b="c"}[1m])) / b`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range e.Selectors() {
		got = append(got, s.String()+s.Range.String())
	}
	if want := []string{`{b="c",__name__="a"}1m0s`, `{__name__="b"}0s`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if e.String() != `sum(rate(a{b="c"}[1m])) / b` {
		t.Errorf("%s", e)
	}
}

func TestValuesOlderThanFiveMinutesDoNotCount(t *testing.T) {
	data := &memory{list: []*Series{{Labels: labels.FromStrings("__name__", "a"), Points: []Point{{T: now - 300_000, V: 1}}}}}
	e, _ := Compile("a")
	if got, _ := e.Eval(data, now); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got, _ := e.Eval(data, now-1); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestSumsDoNotDependOnTheOrder(t *testing.T) {
	var k kahan
	for _, v := range []float64{1e100, 1, -1e100, 1} {
		k.add(v)
	}
	if k.value() != 2 {
		t.Errorf("%v", k.value())
	}
	k.add(math.Inf(1))
	k.add(5)
	if !math.IsInf(k.value(), 1) {
		t.Errorf("%v", k.value())
	}
}

func FuzzEval(f *testing.F) {
	for _, q := range []string{
		`sum by (service) (rate(attempts[4s])) / (sum by (service) (rate(requests[4s])) > 0)`,
		`clamp_min(queue - on(service) one, 0) or vector(1)`, `label_replace(queue, "a", "$1", "b", "(.*)")`,
		`-a % 0 ^ 2 == bool 3 unless b`, `scalar(queue)`, `{__name__=~".+"}`, `a[1m]`, `min without () (x)`, `rate(a[0s])`,
	} {
		f.Add(q)
	}
	data := load(f, shop)
	f.Fuzz(func(t *testing.T, query string) {
		e, err := Compile(query)
		if err != nil {
			return
		}
		first, err := e.Eval(data, now)
		again, err2 := e.Eval(data, now)
		if (err == nil) != (err2 == nil) || answer(first) != answer(again) {
			t.Fatalf("%s: %v, %v then %v, %v", query, answer(first), err, answer(again), err2)
		}
	})
}
