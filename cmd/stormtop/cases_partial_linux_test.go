package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

// partly answers as a Thanos whose store eu1 has just gone: the past is whole, in
// the present a part of one side is missing, and a warning beside the data says
// so. The numbers are those of the past and the present.
type partly struct {
	side           string // the metric of which a part is missing
	whole, present map[string]float64
}

func (p partly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.FormValue("query")
	metric := "in_total"
	if strings.Contains(query, "down_total") {
		metric = "down_total"
	}
	now := time.Now().Unix()
	const vector = `{"status":"success","data":{"resultType":"vector","result":[%s]}}`
	switch {
	case strings.HasSuffix(r.URL.Path, "/query_range"):
		var points []string
		start, end, step := r.FormValue("start"), r.FormValue("end"), r.FormValue("step")
		for at := parsed(start); at <= parsed(end); at += parsed(step) {
			points = append(points, fmt.Sprintf(`[%v,"%v"]`, int64(at), p.whole[metric]))
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"service":"pay"},"values":[%s]}]}}`, strings.Join(points, ","))
	case query == "time()":
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"scalar","result":[%d,"%d"]}}`, now, now)
	case strings.HasPrefix(query, "max(timestamp("):
		fmt.Fprintf(w, vector, fmt.Sprintf(`{"metric":{},"value":[%d,"%d"]}`, now, now))
	case strings.HasPrefix(query, "sum by"):
		if metric == p.side {
			fmt.Fprint(w, `{"warnings":["store eu1 unavailable"],`+fmt.Sprintf(vector, p.one(now, metric))[1:])
			return
		}
		fmt.Fprintf(w, vector, p.one(now, metric))
	default:
		fmt.Fprintf(w, vector, "")
	}
}

func (p partly) one(now int64, metric string) string {
	return fmt.Sprintf(`{"metric":{"service":"pay"},"value":[%d,"%v"]}`, now, p.present[metric])
}

func parsed(text string) float64 {
	v, _ := strconv.ParseFloat(text, 64)
	return v
}

// TestPartialAnswersHoldTheVerdict is case A6: half of the ingress is missing and
// the ratio reads 2.2 instead of 1.1, which fires nothing; a part of the attempts
// is missing and it reads 1.4 instead of 2.8, which resolves nothing. Both are
// marked in text, in JSON and on the screen.
func TestPartialAnswersHoldTheVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		server partly
		ratio  float64
		state  string
		status int
		text   string
	}{
		"half of the ingress": {partly{"in_total", map[string]float64{"in_total": 200, "down_total": 220}, map[string]float64{"in_total": 100, "down_total": 220}},
			2.2, "inactive", 4, "pay 2.20x (partial) > 1.5 is not judged; on partial data"},
		"half of the attempts": {partly{"down_total", map[string]float64{"in_total": 200, "down_total": 560}, map[string]float64{"in_total": 200, "down_total": 280}},
			1.4, "firing", 1, "pay 1.40x (partial) > 1.5; on partial data"},
	} {
		t.Run(name, func(t *testing.T) {
			prom := httptest.NewServer(c.server)
			t.Cleanup(prom.Close)
			args := []string{"--prom=" + prom.URL, "--by=service", "--interval=15s", "--rate=1m", "--span=5m", "--retry-rate-threshold=90%",
				"--signal=ingress=sum by ($by) (rate(in_total[$window]))", "--signal=downstream=sum by ($by) (rate(down_total[$window]))"}
			r, status := once(t, args...)
			near(t, "amplification", r.value("pay", "amplification"), c.ratio)
			st := r.rule(stormRule, "pay")
			if st.State != c.state || !st.Held || status != c.status {
				t.Errorf("status %d, %+v; want %s and held, status %d", status, st, c.state, c.status)
			}
			if got := r.Targets[0].Signals["amplification"].State; got != "partial" {
				t.Errorf("the ratio is %s", got)
			}
			says(t, execute(t, append([]string{"--once"}, args...)...).stdout, c.text, "(held)", "part partial: some of what it counts did not answer", "store eu1 unavailable")
			shown := onConsole(t, 120, 40, false, nil, args...)
			shown.wait("a mark of partial data", func(s string) bool {
				return strings.Contains(wordsOf(s), "store eu1 unavailable") && strings.Contains(s, "part")
			})
		})
	}
}
