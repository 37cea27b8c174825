package recording_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/promtest"
	"stormtop/collector/recording"
)

// eventful is ten minutes of three targets at a second, with everything that a
// value can be, slots that were missed, and instants between the seconds.
func eventful(t *testing.T, start time.Time) *recording.Recording {
	t.Helper()
	origin := &collector.Origin{Source: "test", Interval: time.Second, RateRange: 4 * time.Second}
	var out bytes.Buffer
	w := recording.NewWriter(&out, nil)
	check(t, w.Header(recording.Header{Program: "test", Origin: origin}))
	for i := range 600 {
		if i >= 300 && i < 340 {
			continue
		}
		r := &collector.Reading{At: start.Add(time.Duration(i) * time.Second), Origin: origin}
		if i == 340 {
			r.Missed = 40
		}
		for k, name := range []string{"auth", "orders", `pay"ments\ü`} {
			if name == "auth" && i%100 > 80 {
				continue // not there
			}
			row := collector.Row{Target: collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: name}).In("envoy"), Baseline: 1}
			in, down := 100*math.Abs(math.Sin(float64(i*k)/50)), 100+100*math.Abs(math.Sin(float64(i)/7))
			switch {
			case name == "orders" && i%50 < 5:
				in, down = 0, 0 // idle
			case name == "orders" && i%50 < 10:
				in = 0 // infinite
			}
			row.Values[collector.Ingress] = collector.Num(in, collector.PerSecond, collector.Exact)
			row.Values[collector.Downstream] = collector.Num(down, collector.PerSecond, collector.Exact)
			if name == "orders" && i%70 > 50 {
				row.Values[collector.Ingress] = row.Values[collector.Ingress].With(collector.Failed)
			}
			row.Values.Derive(1)
			r.Targets = append(r.Targets, row)
		}
		r.Total = collector.Total(r.Targets)
		check(t, w.Reading(r))
	}
	rec, err := recording.Load(recording.NewReader(&out))
	check(t, err)
	return rec
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestARealPrometheusAnswersWithTheRecordedNumbers takes a recording through
// promtool into a Prometheus and asks for every number at every instant.
func TestARealPrometheusAnswersWithTheRecordedNumbers(t *testing.T) {
	for _, c := range promtest.Toolchains(t) {
		t.Run(filepath.Dir(c.Prometheus), func(t *testing.T) {
			for _, start := range []time.Time{
				time.Date(2026, 7, 25, 11, 55, 0, 0, time.UTC),
				time.Date(2026, 7, 25, 11, 55, 0, 123_000_000, time.UTC),
			} {
				rec, dir := eventful(t, start), t.TempDir()
				c.Backfill(t, dir, func(w io.Writer) error { return recording.WriteOpenMetrics(w, rec) })
				server := promtest.Start(t, c.Prometheus, dir, "", "--storage.tsdb.retention.time=100y")
				server.Ready()
				compare(t, server.URL, rec)
			}
		})
	}
}

// compare asks for all signals at all instants: by the plain series, which has
// a NaN where nothing is known, and without looking back, where it has nothing.
func compare(t *testing.T, at string, rec *recording.Recording) {
	t.Helper()
	plain := query(t, at, `stormtop_signal`, rec)
	exact := query(t, at, `last_over_time(stormtop_signal[900ms])`, rec)
	samples, gaps := 0, 0
	for i := range rec.Len() {
		r := rec.Reading(i)
		for _, name := range []string{"", "auth", "orders", `pay"ments\ü`} {
			row := r.Total
			if name != "" {
				row, _ = r.Row(collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: name}).In("envoy").ID)
			}
			for _, s := range collector.Signals() {
				key := sample{s.String(), name, r.At.UnixMilli()}
				want, known := row.Values[s].Float()
				got, there := exact[key]
				if there != known || known && !equal(got, want) {
					t.Fatalf("%v: %v, %v without looking back, want %v, %v", key, got, there, want, known)
				}
				if got, there := plain[key]; known && !equal(got, want) || !known && there && !math.IsNaN(got) {
					t.Fatalf("%v: %v, want %v, %v", key, got, want, known)
				}
				if known {
					samples++
				} else {
					gaps++
				}
			}
		}
	}
	for sec := int64(300_000); sec < 340_000; sec += 1000 {
		key := sample{"ingress", "auth", rec.At(0).UnixMilli() + sec}
		if v, there := plain[key]; there && !math.IsNaN(v) {
			t.Fatalf("%v in the gap", v)
		}
	}
	if samples < 5000 || gaps < 500 {
		t.Fatalf("%d samples and %d gaps prove too little", samples, gaps)
	}
}

type sample struct {
	signal, target string
	at             int64
}

func equal(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// query asks for a range at every second of a recording.
func query(t *testing.T, at, text string, rec *recording.Recording) map[sample]float64 {
	t.Helper()
	from, to := rec.Span()
	form := url.Values{"query": {text}, "step": {"1"}}
	form.Set("start", fmt.Sprintf("%.3f", float64(from.UnixMilli())/1000))
	form.Set("end", fmt.Sprintf("%.3f", float64(to.UnixMilli())/1000))
	response, err := http.PostForm(at+"/api/v1/query_range", form)
	check(t, err)
	defer response.Body.Close()
	var answer struct {
		Error string
		Data  struct {
			Result []struct {
				Metric map[string]string
				Values [][2]any
			}
		}
	}
	check(t, json.NewDecoder(response.Body).Decode(&answer))
	if answer.Error != "" {
		t.Fatal(answer.Error)
	}
	out := map[sample]float64{}
	for _, series := range answer.Data.Result {
		for _, v := range series.Values {
			ms := int64(math.Round(v[0].(float64) * 1000))
			out[sample{series.Metric["signal"], series.Metric["target"], ms}] = parse(t, v[1].(string))
		}
	}
	return out
}

func parse(t *testing.T, text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	check(t, err)
	return f
}
