package scrape

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/common/expfmt"

	"stormtop/collector"
)

const (
	textType  = "text/plain; version=0.0.4"
	protoType = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"
	openType  = "application/openmetrics-text; version=1.0.0; charset=utf-8"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// asProto writes an exposition in the text format as protobuf.
func asProto(t testing.TB, text []byte) []byte {
	t.Helper()
	list, err := decode(text, textType)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	enc := expfmt.NewEncoder(&buf, expfmt.FmtProtoDelim)
	for _, mf := range list {
		if err := enc.Encode(mf); err != nil {
			t.Fatal(err)
		}
	}
	return buf.Bytes()
}

// lines are the series of a store and their newest values, sorted.
func lines(st *store) []string {
	var out []string
	for _, h := range st.byKey {
		out = append(out, fmt.Sprint(h.Labels, " ", h.Points[len(h.Points)-1].V))
	}
	slices.Sort(out)
	return out
}

func stored(t *testing.T, body []byte, contentType string) []string {
	t.Helper()
	list, err := decode(body, contentType)
	if err != nil {
		t.Fatal(err)
	}
	st := newStore(1, 1000)
	st.put(0, "h:1", epoch.UnixMilli(), list)
	return lines(st)
}

func TestTextIsReadUnderTheNamesThatPrometheusGives(t *testing.T) {
	want := []string{
		`{__name__="envoy_cluster_upstream_rq_total", cluster_name="outbound|9080||reviews.default.svc.cluster.local", instance="h:1", job="scrape", response_code_class="5xx"} 7`,
		`{__name__="envoy_cluster_upstream_rq_total", envoy_cluster_name="a", instance="h:1", job="scrape"} 12`,
		`{__name__="pool", instance="h:1", job="scrape"} 3`,
		`{__name__="pool_inf", instance="h:1", job="scrape", sign="minus"} -Inf`,
		`{__name__="pool_inf", instance="h:1", job="scrape", sign="plus"} +Inf`,
		`{__name__="pool_nan", instance="h:1", job="scrape"} NaN`,
		`{__name__="quoted", instance="h:1", job="scrape", path="C:\\dir", text="a \"b\"\nc"} 1`,
		`{__name__="resilience4j_retry_calls", instance="h:1", job="scrape", kind="successful_without_retry", name="pay"} 0`,
		`{__name__="stamped", instance="h:1", job="scrape"} 5`,
		`{__name__="took", instance="h:1", job="scrape", quantile="0.5"} 0.1`,
		`{__name__="took_count", instance="h:1", job="scrape"} 4`,
		`{__name__="took_sum", instance="h:1", job="scrape"} 9`,
		`{__name__="wait_seconds_bucket", instance="h:1", job="scrape", le="+Inf", svc="a"} 3`,
		`{__name__="wait_seconds_bucket", instance="h:1", job="scrape", le="0.5", svc="a"} 1`,
		`{__name__="wait_seconds_bucket", instance="h:1", job="scrape", le="1.0", svc="a"} 2`,
		`{__name__="wait_seconds_count", instance="h:1", job="scrape", svc="a"} 3`,
		`{__name__="wait_seconds_sum", instance="h:1", job="scrape", svc="a"} 4.5`,
	}
	text := fixture(t, "text.txt")
	if diff := cmp.Diff(want, stored(t, text, textType)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, stored(t, asProto(t, text), protoType)); diff != "" {
		t.Errorf("protobuf (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, stored(t, text, "")); diff != "" {
		t.Errorf("without a content type (-want +got):\n%s", diff)
	}
}

func TestOpenMetricsIsRead(t *testing.T) {
	want := []string{
		`{__name__="queue", instance="h:1", job="scrape", service="a"} 4`,
		`{__name__="requests_created", instance="h:1", job="scrape", service="a"} 1.777896e+09`,
		`{__name__="requests_total", instance="h:1", job="scrape", service="a"} 12`,
		`{__name__="wait_seconds_bucket", instance="h:1", job="scrape", le="+Inf"} 3`,
		`{__name__="wait_seconds_bucket", instance="h:1", job="scrape", le="1.0"} 2`,
		`{__name__="wait_seconds_count", instance="h:1", job="scrape"} 3`,
		`{__name__="wait_seconds_sum", instance="h:1", job="scrape"} 4.5`,
	}
	if diff := cmp.Diff(want, stored(t, fixture(t, "openmetrics.txt"), openType)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := decode([]byte("# TYPE a gauge\na 1\n"), openType); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("OpenMetrics that is cut short: %v", err)
	}
}

func TestASampleOfOpenMetricsLosesItsExemplarAndKeepsItsTime(t *testing.T) {
	for line, want := range map[string]string{
		`a 1`:                                `a 1`,
		`a 1 1.5`:                            `a 1 1500`,
		`a{b="c"} 1`:                         `a{b="c"} 1`,
		`a{b="} #"} 1 2`:                     `a{b="} #"} 1 2000`,
		`a{b="\"}"} 1 2 # {trace="x"} 0.5 3`: `a{b="\"}"} 1 2000`,
		`a 1 # {trace="}"} 0.5`:              `a 1`,
		`a{} 1 -0.5`:                         `a{} 1 -500`,
		`{"a.b",c="d"} 4 5`:                  `{"a.b",c="d"} 4 5000`,
	} {
		if got := strings.TrimSpace(string(appendSample(nil, []byte(line)))); got != want {
			t.Errorf("%s becomes %s, want %s", line, got, want)
		}
	}
}

func TestLabelsOfTheExpositionWin(t *testing.T) {
	got := stored(t, []byte("a{instance=\"i\",job=\"j\",empty=\"\"} 1\n"), textType)
	if want := []string{`{__name__="a", instance="i", job="j"} 1`}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestALengthThatIsALieReservesNoMemory(t *testing.T) {
	for _, body := range [][]byte{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, {5, 1}, {0xff}} {
		if _, err := decode(body, protoType); err == nil || !strings.Contains(err.Error(), "cut short") {
			t.Errorf("% x: %v", body, err)
		}
	}
}

func TestGzipAndProtobufAreAskedForAndRead(t *testing.T) {
	e := expose(t)
	s := open(t, newClock(), nil, e)
	for i := range 3 {
		body := asProto(t, []byte(strings.Join(storm(float64(i), map[string]float64{"orders": 2}), "\n")+"\n"))
		e.serve(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.Header.Get("Accept"), "application/vnd.google.protobuf") || r.Header.Get("Accept-Encoding") != "gzip" {
				t.Errorf("asked with %v", r.Header)
			}
			w.Header().Set("Content-Type", protoType)
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			z.Write(body)
			z.Close()
		})
		if r := next(t, s); i == 2 && value(t, r, "orders", collector.Amplification).V != 2 {
			t.Errorf("%+v", r.Targets)
		}
	}
}

func TestTimesThatAreGivenAreKept(t *testing.T) {
	st := newStore(1, 10)
	at := epoch.UnixMilli()
	put := func(at int64, text string) {
		list, err := decode([]byte(text), textType)
		if err != nil {
			t.Fatal(err)
		}
		st.put(0, "h:1", at, list)
	}
	put(at, fmt.Sprintf("old 1 %d\nahead 1 %d\n", at-1000, at+3600_000))
	if got := lines(st); len(got) != 1 || st.byName["old"][0].Points[0].T != at-1000 {
		t.Fatalf("%q", got)
	}
	put(at+60_000, "other 1\n")
	if h := st.byName["old"][0]; h.Ended {
		t.Error("what has a time of its own does not end with a scrape that lacks it")
	}
	put(at+400_000, "other 1\n")
	if len(st.byName["old"]) != 0 {
		t.Error("it is forgotten after five minutes")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(fixture(f, "text.txt"), textType)
	f.Add(fixture(f, "openmetrics.txt"), openType)
	f.Add(asProto(f, fixture(f, "text.txt")), protoType)
	f.Add([]byte("a{b=\"c\",} 1\n"), "")
	f.Add([]byte("<html>"), "text/html")
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		list, err := decode(body, contentType)
		if err != nil {
			return
		}
		st := newStore(1, 1000)
		for i := range int64(3) {
			st.put(0, "h:1", epoch.UnixMilli()+1000*i, list)
		}
		for _, h := range st.byKey {
			if len(h.Points) == 0 || h.Labels.Get("__name__") == "" && h.Labels.Len() < 3 {
				t.Fatalf("a series without points or name: %v", h.Labels)
			}
		}
	})
}
