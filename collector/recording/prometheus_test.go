package recording_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/recording"
)

// servers are pairs of a promtool and a Prometheus that the environment names
// (STORMTOP_TEST_PROMTOOL, STORMTOP_TEST_PROMETHEUS, as in PATH). Without any
// the test is skipped, unless STORMTOP_TEST_REQUIRE is 1.
func servers(t *testing.T) (tools, servers []string) {
	t.Helper()
	tools = filepath.SplitList(os.Getenv("STORMTOP_TEST_PROMTOOL"))
	servers = filepath.SplitList(os.Getenv("STORMTOP_TEST_PROMETHEUS"))
	for _, path := range append(append([]string{}, tools...), servers...) {
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("the environment names a program that is not there: %v", err)
		}
	}
	if len(tools) > 0 && len(servers) > 0 {
		return tools, servers
	}
	const missing = "STORMTOP_TEST_PROMTOOL and STORMTOP_TEST_PROMETHEUS name no programs: a recording was not read back from a real Prometheus"
	if os.Getenv("STORMTOP_TEST_REQUIRE") == "1" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return nil, nil
}

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
	tools, programs := servers(t)
	for i, program := range programs {
		t.Run(filepath.Dir(program), func(t *testing.T) {
			for _, start := range []time.Time{
				time.Date(2026, 7, 25, 11, 55, 0, 0, time.UTC),
				time.Date(2026, 7, 25, 11, 55, 0, 123_000_000, time.UTC),
			} {
				rec := eventful(t, start)
				dir := t.TempDir()
				text := filepath.Join(dir, "recording.txt")
				file, err := os.Create(text)
				check(t, err)
				check(t, recording.WriteOpenMetrics(file, rec))
				check(t, file.Close())
				tool := tools[min(i, len(tools)-1)]
				if out, err := exec.Command(tool, "tsdb", "create-blocks-from", "openmetrics", text, filepath.Join(dir, "data")).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", tool, err, out)
				}
				compare(t, serve(t, program, dir), rec)
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

// serve starts a Prometheus that has the blocks below dir and scrapes nothing.
func serve(t *testing.T, program, dir string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	check(t, l.Close())
	check(t, os.WriteFile(filepath.Join(dir, "prometheus.yml"), nil, 0o600))
	var log bytes.Buffer
	cmd := exec.Command(program, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--storage.tsdb.retention.time=100y", "--web.listen-address="+l.Addr().String())
	cmd.Stdout, cmd.Stderr = &log, &log
	check(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	address = "http://" + l.Addr().String()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		if response, err := http.Get(address + "/-/ready"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return address
			}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("%s does not start", program)
		}
	}
}
