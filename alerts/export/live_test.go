package export_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts"
	"stormtop/alerts/export"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/collector/promtest"
	"stormtop/collector/rulefile"
)

// phase is a stretch of the simulated storm: rates for each request a second.
type phase struct {
	seconds                 float64
	ingress, ratio, atLimit float64
	gone                    bool // not there at all
}

// storm is a calm, a storm at 2.5x, a dip, a short peak, a gap and a calm.
var storm = map[string][]phase{
	"payments": {{6, 100, 1, 0, false}, {12, 100, 2.5, 9, false}, {3, 100, 1.1, 0, false}, {5, 100, 3.5, 20, false}, {3, 0, 0, 0, true}, {5, 100, 2.5, 9, false}, {60, 100, 1, 0, false}},
	"orders":   {{4, 200, 1.02, 0, false}, {10, 200, 1.3, 0, false}, {6, 200, 1.7, 1, false}, {60, 200, 1.02, 0, false}},
	"night":    {{8, 0.4, 1, 0, false}, {14, 0.4, 3, 0.2, false}, {60, 0.4, 1, 0, false}},
}

// stormSeconds is how long all of it takes, with the calm at its end.
const stormSeconds = 42

// stormy publishes the counters of the storm since it was started.
func stormy(t *testing.T) *httptest.Server {
	start := time.Now()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		now := time.Since(start).Seconds()
		for name, phases := range storm {
			var ingress, retries, limit float64
			left, there := now, true
			for _, p := range phases {
				d := min(left, p.seconds)
				ingress += d * p.ingress
				retries += d * p.ingress * max(p.ratio-1, 0)
				limit += d * p.atLimit
				if left -= d; left <= 0 {
					there = !p.gone
					break
				}
			}
			if !there {
				continue
			}
			fmt.Fprintf(w, "stormtop_requests_total{service=%q} %v\n", name, ingress)
			fmt.Fprintf(w, "stormtop_attempts_total{service=%q,attempt=\"1\"} %v\n", name, ingress)
			fmt.Fprintf(w, "stormtop_attempts_total{service=%q,attempt=\"2\"} %v\n", name, retries)
			fmt.Fprintf(w, "stormtop_at_limit_total{service=%q} %v\n", name, limit)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// clockName is a recording rule that tells when the group was evaluated.
const clockName = "test:evaluations:count"

// TestTheEngineIsTheServersALERTS: loaded into real servers beside a simulated
// storm, our engine, fed with the samples of the exported recording rules at the
// server's evaluation times, yields exactly its ALERTS, for every rule and for
// 20 random tunings.
func TestTheEngineIsTheServersALERTS(t *testing.T) {
	for i, binary := range promtest.Servers(t) {
		t.Run(filepath.Base(filepath.Dir(binary)), func(t *testing.T) {
			t.Parallel()
			alertsOf(t, binary, uint64(i))
		})
	}
}

func alertsOf(t *testing.T, binary string, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 19))
	holds := []time.Duration{0, time.Second, 1500 * time.Millisecond, 2 * time.Second, 4 * time.Second, 7 * time.Second}
	clear := alerts.Documented()[:1]
	for i, threshold := range clearThresholds {
		r := clear[0]
		r.Name, r.Threshold, r.For, r.MinTraffic = "Clear"+string(rune('A'+i)), threshold, time.Duration(3*i)*time.Second, 50
		clear = append(clear, r)
	}
	clear = clear[1:]
	rules := tunings(rnd, 20, []float64{1.1, 1.5, 2, 2.9}, holds, []time.Duration{0, 0, time.Second, 3 * time.Second})
	rules = append(rules, clear...)
	const rate = 4 * time.Second
	b, err := export.Build(systemsOf(t, rate, "stormtop"), rules, export.Options{Rate: rate, Interval: time.Second, NoData: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	group := &b.File.Groups[0]
	group.Rules = append(group.Rules, rulefile.Rule{Record: clockName, Expr: "vector(1)"})
	dir := t.TempDir()
	writeFile(t, dir, "rules.yml", rulefile.Render(b.File, rulefile.Style{}))
	target := strings.TrimPrefix(stormy(t).URL, "http://")
	server := promtest.Start(t, binary, dir, promtest.Scraping(t, []string{"x"}, target)+"rule_files: [rules.yml]\n")
	server.Ready()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	screen := watchLive(t, ctx, server.URL, clear)
	samples := waitFor(t, server.URL, stormSeconds)
	foundAsNamed(t, ctx, server.URL)
	stop()
	samples.compareWithScreen(t, screen, clear)

	e := alerts.New(rules)
	firing, pending, compared := 0, 0, 0
	for _, at := range samples.times {
		e.Eval(samples.reading(at))
		for _, r := range rules {
			for name := range storm {
				id := serviceTarget(name).ID
				is := alerts.Inactive
				for _, s := range e.For(id) {
					if s.Rule.Name == r.Name {
						is = max(s.State, alerts.Inactive)
					}
				}
				want := samples.alert(r.Name, name, at)
				compared++
				switch want {
				case alerts.Firing:
					firing++
				case alerts.Pending:
					pending++
				}
				if is != want {
					t.Errorf("%s on %s, evaluation at %s: the engine says %s, the server %s", r.Name, name, at.Format("05.000"), is, want)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d states compared at %d evaluations: %d firing, %d pending", compared, len(samples.times), firing, pending)
	if len(samples.times) < stormSeconds/2 || firing < 200 || pending < 20 {
		t.Errorf("%d evaluations, %d firing, %d pending: they prove too little", len(samples.times), firing, pending)
	}
}

// foundAsNamed: what is exported for a server that is asked is what is exported
// for the system that is there by name.
func foundAsNamed(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	client, _, err := prom.Dial(prom.Config{URL: url, Clock: wallClock{}})
	if err != nil {
		t.Fatal(err)
	}
	found, rate, err := client.Express(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(systemsOf(t, rate, "stormtop"), found); diff != "" || rate != 4*time.Second {
		t.Errorf("range %s (-named +found):\n%s", rate, diff)
	}
}

func serviceTarget(name string) collector.Target {
	return collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: name}).In("stormtop")
}

// evaluated is what a server's rules came to, by the time of the evaluation.
type evaluated struct {
	times  []time.Time
	values map[int64]map[string]collector.Values
	alerts map[string]alerts.State // by rule, service and time
}

var recordedAs = map[string]collector.Signal{
	"service:stormtop_ingress:rate4s": collector.Ingress, "service:stormtop_downstream:rate4s": collector.Downstream,
	"service:stormtop_retries:rate4s": collector.Retries, "service:stormtop_at_limit:rate4s": collector.AtLimit,
}

// waitFor asks until the rules have been evaluated so often.
func waitFor(t *testing.T, server string, evaluations int) evaluated {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	again := time.NewTicker(500 * time.Millisecond)
	defer again.Stop()
	for {
		if got := ask(t, ctx, server, clockName+"[10m]"); len(got) == 1 && len(got[0].Values) >= evaluations {
			break
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatal("the rules were not evaluated often enough")
		}
	}
	out := evaluated{values: map[int64]map[string]collector.Values{}, alerts: map[string]alerts.State{}}
	for _, s := range ask(t, ctx, server, clockName+"[10m]") {
		for _, v := range s.Values {
			out.times = append(out.times, time.UnixMilli(v.at).UTC())
		}
	}
	for _, s := range ask(t, ctx, server, `{__name__=~"service:stormtop_.*"}[10m]`) {
		sig, ok := recordedAs[s.Metric["__name__"]]
		if !ok {
			continue
		}
		for _, v := range s.Values {
			if out.values[v.at] == nil {
				out.values[v.at] = map[string]collector.Values{}
			}
			all := out.values[v.at][s.Metric["service"]]
			all[sig] = collector.Num(v.v, collector.PerSecond, collector.Exact)
			out.values[v.at][s.Metric["service"]] = all
		}
	}
	for _, s := range ask(t, ctx, server, "ALERTS[10m]") {
		state := alerts.Pending
		if s.Metric["alertstate"] == "firing" {
			state = alerts.Firing
		}
		for _, v := range s.Values {
			key := fmt.Sprintf("%s/%s/%d", s.Metric["alertname"], s.Metric["service"], v.at)
			out.alerts[key] = max(out.alerts[key], state)
		}
	}
	// The newest evaluation may not have been written to its end.
	out.times = out.times[:len(out.times)-1]
	return out
}

// recordedOrigin says what is asked for, as every source does: at a server's first
// moments a scrape may come in between two rules of an evaluation.
func recordedOrigin() *collector.Origin {
	sys := collector.System{Profile: "stormtop"}
	for _, sig := range recordedAs {
		sys.Asked[sig] = true
	}
	return &collector.Origin{RateRange: 4 * time.Second, Systems: []collector.System{sys}}
}

func (e *evaluated) reading(at time.Time) *collector.Reading {
	r := &collector.Reading{At: at, Origin: recordedOrigin()}
	for name, v := range e.values[at.UnixMilli()] {
		if in, ok := v[collector.Ingress].Float(); ok && v[collector.Retries].State == collector.Missing {
			v[collector.Retries] = collector.Num(0*in, collector.PerSecond, collector.Exact) // the profile's zero_fill
		}
		v.Derive(1)
		r.Targets = append(r.Targets, collector.Row{Target: serviceTarget(name), Values: v, Baseline: 1})
	}
	slices.SortFunc(r.Targets, func(a, b collector.Row) int { return strings.Compare(a.Target.Name, b.Target.Name) })
	r.Total = collector.Total(r.Targets)
	return r
}

func (e *evaluated) alert(rule, service string, at time.Time) alerts.State {
	return max(e.alerts[fmt.Sprintf("%s/%s/%d", rule, service, at.UnixMilli())], alerts.Inactive)
}

type matrix struct {
	Metric map[string]string
	Values []point
}

type point struct {
	at int64 // ms
	v  float64
}

func (p *point) UnmarshalJSON(b []byte) error {
	var raw [2]any
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	seconds, _ := raw[0].(float64)
	p.at = int64(seconds*1000 + 0.5)
	text, _ := raw[1].(string)
	_, err := fmt.Sscan(text, &p.v)
	return err
}

// ask makes an instant query of raw samples.
func ask(t *testing.T, ctx context.Context, server, query string) []matrix {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server+"/api/v1/query?query="+url.QueryEscape(query), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body struct {
		Status, Error string
		Data          struct{ Result []matrix }
	}
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil || body.Status != "success" {
		t.Fatalf("%s: %v %s", query, err, body.Error)
	}
	return body.Data.Result
}
