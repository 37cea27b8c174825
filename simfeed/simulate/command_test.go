package simulate

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/simfeed/chain"
)

var now = time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)

// world is a world in which no time passes.
func world(out, errs *bytes.Buffer) World {
	return World{Stdout: out, Stderr: errs, Now: func() time.Time { return now }, Cores: 2}
}

// run runs the verb; it must succeed and write nothing to stderr.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Command(t.Context(), args, world(&out, &errs)); status != 0 || errs.Len() > 0 {
		t.Fatalf("stormtop simulate %s: status %d, %s", strings.Join(args, " "), status, &errs)
	}
	return out.String()
}

func TestText(t *testing.T) {
	for name, args := range map[string][]string{
		"help":    {"--help"},
		"one":     {"six-seconds"},
		"acted":   {"payment-1945:tenth", "--act=cut,restart", "--set", "length=40s", "--set=services.channel.time=2.4s", "--control=false"},
		"runs":    {"metastable-10s", "--runs=3", "--set=length=80s"},
		"compare": {"six-seconds", "--compare=as-is,S1,S6,three-everywhere"},
	} {
		t.Run(name, func(t *testing.T) {
			text := run(t, args...)
			for i, line := range strings.Split(text, "\n") {
				if strings.TrimRight(line, " ") != line || len([]rune(line)) > 135 {
					t.Errorf("line %d is too wide or has spaces behind it: %q", i+1, line)
				}
			}
			golden.RequireEqual(t, text)
		})
	}
}

// decoded is a run as a reader of the format has it.
type decoded struct {
	runDocument
	Summary map[string]*float64 `json:"summary"`
}

func TestARunAsJSON(t *testing.T) {
	text := run(t, "payment-1945:tenth", "--format=json", "--set=length=65s", "--seed=3", "--control=false")
	var doc decoded
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "stormtop/run/v1" || doc.Scenario != "payment-1945:tenth" || doc.Seed != 3 || !doc.Complete || len(doc.Series) != 65 ||
		doc.Class != "payments" || doc.Service != "channel" || len(doc.Set) != 1 || doc.EventsPerSecond != nil {
		t.Errorf("%+v", doc)
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("it holds something that is no number")
	}
	s := doc.Series[63]
	if s.T != 64 || *s.Amplification < 5 || s.PoolWait != nil || s.States["pool_wait"] != "missing" || len(s.Hops) != 4 || len(s.Services) != 4 ||
		len(s.Classes) != 2 || *s.Classes["browse"].Amplification > 1.5 {
		t.Errorf("%+v", s)
	}
	for _, h := range s.Hops {
		sum := int64(0)
		for _, n := range h.ByAttempt {
			sum += n
		}
		if sum != h.Attempts {
			t.Errorf("%s: attempts %d, by number %v", h.Name, h.Attempts, h.ByAttempt)
		}
	}
	if c := doc.Series[60].Changes; len(c) != 1 || c[0].Field != "services.channel.time" || c[0].To != "2.4s" {
		t.Errorf("%+v", c)
	}
	for _, name := range []string{`"summary":{"ingress":`, `"verdict":"`, `"wall_seconds":0`, `"event_hash":"`, `"judged":{"trigger_from":60`} {
		if !strings.Contains(text, name) {
			t.Errorf("%s is not there", name)
		}
	}
}

func TestTheSameRunInEveryFormat(t *testing.T) {
	var doc decoded
	if err := json.Unmarshal([]byte(run(t, "six-seconds", "--format=json")), &doc); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(run(t, "six-seconds", "--format=csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		if _, twice := at[name]; twice {
			t.Errorf("column %s is there twice", name)
		}
		at[name] = i
	}
	metrics := samples(t, run(t, "six-seconds", "--format=openmetrics"))
	total := int64(0)
	for i, s := range doc.Series {
		row := rows[i+1]
		cell := func(name string) string { return row[at[name]] }
		if cell("t") != text(&s.T) || cell("amplification") != text(s.Amplification) || cell("hops.clients>payments[users].attempts") != fmt.Sprint(s.Hops[0].Attempts) || cell("pool_wait") != "" {
			t.Errorf("second %v: %v", s.T, row)
		}
		total += s.Hops[0].Attempts
		var counted float64
		for n := 1; n <= 6; n++ {
			counted += metrics[fmt.Sprintf(`stormtop_attempts_total{service="payments",attempt="%d"}`, n)][i]
		}
		if counted != float64(total) {
			t.Errorf("second %v: %d attempts so far, %v counted", s.T, total, counted)
		}
		if got := metrics[`stormtop_signal{signal="downstream",target="payments"}`][i]; got != *s.Downstream {
			t.Errorf("second %v: downstream %v, want %v", s.T, got, *s.Downstream)
		}
	}
}

// samples reads OpenMetrics: each series in one piece, with ascending times.
func samples(t *testing.T, text string) map[string][]float64 {
	t.Helper()
	out := map[string][]float64{}
	last, lastAt := "", 0.0
	if !strings.HasSuffix(text, "\n# EOF\n") {
		t.Error("it has no end")
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		v, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		at, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if fields[0] != last {
			if out[fields[0]] != nil {
				t.Fatalf("%s is in two pieces", fields[0])
			}
			last, lastAt = fields[0], 0
		}
		if at <= lastAt {
			t.Errorf("%s goes back in time", line)
		}
		lastAt = at
		if n := len(out[last]); n > 0 && strings.Contains(last, "_total") && v < out[last][n-1] {
			t.Errorf("%s falls", last)
		}
		out[last] = append(out[last], v)
	}
	return out
}

func TestManySeedsDoNotDependOnTheCores(t *testing.T) {
	var texts []string
	for _, cores := range []int{1, 5} {
		var out, errs bytes.Buffer
		w := world(&out, &errs)
		w.Cores = cores
		if status := Command(t.Context(), []string{"six-seconds", "--runs=7", "--seed=3", "--format=json"}, w); status != 0 {
			t.Fatal(errs.String())
		}
		texts = append(texts, out.String())
	}
	if texts[0] != texts[1] {
		t.Error("other cores, other results")
	}
	var doc struct {
		Runs []struct {
			Seed int64
			Hash string `json:"event_hash"`
		}
		Figures map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(texts[0]), &doc); err != nil {
		t.Fatal(err)
	}
	hashes := map[string]bool{}
	for i, r := range doc.Runs {
		if r.Seed != int64(3+i) || hashes[r.Hash] {
			t.Errorf("run %d: %+v", i, r)
		}
		hashes[r.Hash] = true
	}
	if f := doc.Figures["amplification"]; f["runs"] != 7.0 || f["min"].(float64) > f["p50"].(float64) || f["p50"].(float64) > f["max"].(float64) {
		t.Errorf("%v", f)
	}
}

func TestQuantilesAreNearestRank(t *testing.T) {
	var runs []figuresOf
	for i := range 20 {
		runs = append(runs, figuresOf{seed: int64(i), figures: []chain.Figure{
			{Name: "a", Unit: "count", Value: float64(20 - i), Known: true},
			{Name: "b", Unit: "count", Value: 7, Known: i == 3},
			{Name: "c", Unit: "count"},
		}})
	}
	s := spreads(runs)
	if want := []float64{1, 1, 5, 10, 15, 19, 20}; s[0].mean != 10.5 || fmt.Sprint(s[0].quantiles) != fmt.Sprint(want) {
		t.Errorf("%+v, want %v", s[0], want)
	}
	if s[1].known != 1 || s[1].mean != 7 || s[2].known != 0 || s[2].quantiles != nil {
		t.Errorf("%+v", s[1:])
	}
}

func TestPoliciesMeetTheSameArrivals(t *testing.T) {
	var doc struct {
		Policies []struct {
			Name, Title string
			Figures     map[string]struct{ P50 float64 }
		}
	}
	if err := json.Unmarshal([]byte(run(t, "payment-1945:tenth", "--compare=as-is,envoy-default,grpc-default,sre-client", "--format=json", "--set=length=90s", "--control=false")), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Policies) != 4 {
		t.Fatalf("%+v", doc)
	}
	first := doc.Policies[0].Figures
	for _, p := range doc.Policies[1:] {
		if p.Figures["ingress"] != first["ingress"] || p.Figures["amplification"].P50 >= first["amplification"].P50 {
			t.Errorf("%s (%s): ingress %v and %v, amplification %v and %v", p.Name, p.Title, p.Figures["ingress"], first["ingress"], p.Figures["amplification"], first["amplification"])
		}
	}
	rows, err := csv.NewReader(strings.NewReader(run(t, "six-seconds", "--compare=S1,S4", "--runs=2", "--format=csv"))).ReadAll()
	if err != nil || len(rows) != 5 || rows[1][0] != "S1" || rows[4][0] != "S4" || rows[4][1] != "2" {
		t.Errorf("%v %v", rows, err)
	}
}

// TestAPolicyLeavesTheSystemAsItIs: time-outs and pools belong to the system.
func TestAPolicyLeavesTheSystemAsItIs(t *testing.T) {
	p, err := parse([]string{"payment-1945", "--compare=three-everywhere,envoy-default"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.compare {
		for i := range c.scenario.Edges {
			e, was := &c.scenario.Edges[i], &p.scenario.Edges[i]
			if e.Policy.Preset != c.name || e.Policy.Timeout != was.Policy.Timeout {
				t.Errorf("%s at %s: preset %q, time-out %v, want %v", c.name, e.Name(), e.Policy.Preset, e.Policy.Timeout, was.Policy.Timeout)
			}
		}
	}
}

// interrupter is a world in which ctrl+c comes when the clock was looked at so
// often.
func interrupter(t *testing.T, after int, out, errs *bytes.Buffer) (context.Context, World) {
	ctx, cancel := context.WithCancel(t.Context())
	w := world(out, errs)
	looks := 0
	w.Now = func() time.Time {
		if looks++; looks == after {
			cancel()
		}
		return now.Add(time.Duration(looks) * time.Second)
	}
	w.Progress, w.Cores = true, 1
	return ctx, w
}

func TestCtrlCEndsARunWithWhatWasComputed(t *testing.T) {
	for format, want := range map[string]string{"text": "STOPPED after 20s of 1m", "json": `"complete":false`, "csv": "\n20,", "openmetrics": "# EOF"} {
		var out, errs bytes.Buffer
		ctx, w := interrupter(t, 22, &out, &errs)
		status := Command(ctx, []string{"six-seconds", "--format=" + format}, w)
		if status != 1 || !strings.Contains(out.String(), want) || !strings.Contains(errs.String(), "interrupted: the results are those until then\n") {
			t.Errorf("%s: status %d, stderr %q, stdout %s", format, status, &errs, &out)
		}
	}
	var out, errs bytes.Buffer
	ctx, w := interrupter(t, 150, &out, &errs)
	if status := Command(ctx, []string{"six-seconds", "--runs=100"}, w); status != 1 || !strings.Contains(out.String(), "STOPPED after 2 of 100 runs") {
		t.Errorf("status %d, %s", status, &out)
	}
	out.Reset()
	ctx, w = interrupter(t, 100, &out, &errs)
	if status := Command(ctx, []string{"six-seconds", "--compare=as-is,S4,S5"}, w); status != 1 || !strings.Contains(out.String(), "STOPPED after 1 of 3 policies") {
		t.Errorf("status %d, %s", status, &out)
	}
}

func TestALongRunTellsHowFarItIs(t *testing.T) {
	var out, errs bytes.Buffer
	_, w := interrupter(t, math.MaxInt, &out, &errs)
	if status := Command(t.Context(), []string{"six-seconds"}, w); status != 0 {
		t.Fatal(errs.String())
	}
	if text := errs.String(); !strings.Contains(text, "\r\x1b[Ksimulating: 30s of 1m, 50%") || !strings.HasSuffix(text, "\r\x1b[K") || strings.Contains(text, "\n") {
		t.Errorf("%q", text)
	}
	errs.Reset()
	if status := Command(t.Context(), []string{"six-seconds", "--runs=2"}, w); status != 0 || !strings.Contains(errs.String(), "simulating: 0 of 2 runs") || !strings.Contains(errs.String(), "simulating: 1 of 2 runs") {
		t.Errorf("while the first of many lasts: status %d, %q", status, &errs)
	}
	errs.Reset()
	w.Progress = false
	if status := Command(t.Context(), []string{"six-seconds"}, w); status != 0 || errs.Len() > 0 {
		t.Errorf("status %d, %q", status, &errs)
	}
}

func TestASteadyRunIsCutIntoEqualPhases(t *testing.T) {
	r, err := chain.Run(t.Context(), mustParse(t, "fan-out", "--set=length=30s").scenario.Scenario, 1, chain.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	list := phases(&r)
	if len(list) != slicesOf {
		t.Fatalf("%+v", list)
	}
	for i, p := range list {
		if p.from != time.Duration(i)*5*time.Second || p.to != p.from+5*time.Second || p.classes[0].requests < 6000 {
			t.Errorf("%+v", p)
		}
	}
}

func mustParse(t *testing.T, args ...string) *plan {
	t.Helper()
	p, err := parse(args, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatCannotBeWrittenIsNoSuccess(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"six-seconds"}, {"six-seconds", "--format=json"}} {
		var errs bytes.Buffer
		w := world(nil, &errs)
		w.Stdout = full{}
		if status := Command(t.Context(), args, w); status != 1 || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: status %d, %q", args, status, &errs)
		}
	}
}

// TestDeliveredIsOfTheRequestsEverywhere: in the summary, in the phases and in
// every second. The slow burn leaves one request in a hundred unanswered for
// minutes, which a share of the answers would not show.
func TestDeliveredIsOfTheRequestsEverywhere(t *testing.T) {
	args := []string{"slow-burn", "--set=length=60s", "--control=false"}
	var doc decoded
	if err := json.Unmarshal([]byte(run(t, append(args, "--format=json")...)), &doc); err != nil {
		t.Fatal(err)
	}
	came, good := 0.0, 0.0
	for _, s := range doc.Series {
		came, good = came+*s.Ingress, good+*s.Delivered**s.Ingress
		if *s.Classes["users"].Delivered != *s.Delivered {
			t.Errorf("second %v: %v of the class, %v on top", s.T, *s.Classes["users"].Delivered, *s.Delivered)
		}
	}
	if got := *doc.Summary["delivered"]; math.Abs(got-good/came) > 1e-9 || got < 0.985 || got > 0.992 {
		t.Errorf("%v delivered in the summary, %v in the seconds, want 0.99", got, good/came)
	}
	if text := run(t, args...); strings.Count(text, "  99.0%") < 6 {
		t.Errorf("not every phase delivers 99.0%%:\n%s", text)
	}
}

// TestTheRetryRateOfTheSummaryIsThatOfTheSeconds: over all layers on a path of
// several hops, of one caller on a path of one, and with a healthy fan-out.
func TestTheRetryRateOfTheSummaryIsThatOfTheSeconds(t *testing.T) {
	for _, test := range []struct {
		name, length  string
		rate, lastHop [2]float64 // from, to
	}{
		{"payment-1945:tenth", "80s", [2]float64{0.8, 1}, [2]float64{0.5, 0.7}},
		{"blind", "120s", [2]float64{0.7, 0.8}, [2]float64{0.7, 0.8}},
		{"fan-out", "20s", [2]float64{0, 0.005}, [2]float64{0, 0.005}},
	} {
		var doc decoded
		if err := json.Unmarshal([]byte(run(t, test.name, "--set=length="+test.length, "--control=false", "--format=json")), &doc); err != nil {
			t.Fatal(err)
		}
		attempts, retries, high := 0.0, 0.0, 0.0
		for _, s := range doc.Series {
			attempts, retries = attempts+*s.Downstream, retries+*s.RetryRate**s.Downstream
			high = max(high, *s.Amplification)
		}
		got, last := *doc.Summary["retry_rate"], *doc.Summary["retry_rate_last_hop"]
		if math.Abs(got-retries/attempts) > 0.01 || got < test.rate[0] || got > test.rate[1] || last < test.lastHop[0] || last > test.lastHop[1] {
			t.Errorf("%s: retry_rate %v, in the seconds %v, at the last hop %v", test.name, got, retries/attempts, last)
		}
		if peak := *doc.Summary["amplification_peak"]; math.Abs(peak-high) > 1e-9 {
			t.Errorf("%s: amplification peaks at %v, in the seconds at %v", test.name, peak, high)
		}
	}
}

func TestATriggerThatStaysOnIsNotCalledMetastable(t *testing.T) {
	for name, want := range map[string]string{
		"hung-threads":   "not judged: outside its baseline for the last 1m28s, but its trigger is still on (services.bigtable.hang_rate)\n",
		"jitter-300ms":   "not judged: outside its baseline for the last 49s, but its trigger is still on (services.data.time)\n",
		"metastable-10s": "metastable: outside its baseline for the last 2m20s, long after the trigger (30s to 40s)\n",
	} {
		if text := run(t, name, "--control=false"); !strings.Contains(text, "\nVERDICT  "+want) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if text := run(t, "hung-threads", "--control=false", "--set=length=60s", "--format=json"); !strings.Contains(text, `"trigger_on":["services.bigtable.hang_rate"],"operator_on":null`) {
		t.Errorf("%.600s", text)
	}
}

func TestTheVerdictSaysWhatCanBeSaid(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"growth", "--set=length=60s"}, "VERDICT  no trigger: no fault on its timeline, and it stayed as it began\n"},
		{[]string{"growth", "--set=length=60s", "--set=classes.users.rate=0/s"}, "VERDICT  no trigger: no fault on its timeline, and no request came\n"},
		{[]string{"blind", "--set=classes.users.rate=0/s"}, "VERDICT  not judged: no request came\n"},
		{[]string{"six-seconds:S1"}, "VERDICT  recovered as soon as the trigger (20s to 26s) was over\n"},
		{[]string{"blind"}, "\nBLIND    from 2m30s to 4m nothing can be measured: "},
	} {
		if text := run(t, test.args...); !strings.Contains(text, test.want) {
			t.Errorf("%v: %s", test.args, text)
		}
	}
}

// TestTheHopsCountWhatTheCalleeRefused, apart from what the caller held back.
func TestTheHopsCountWhatTheCalleeRefused(t *testing.T) {
	for _, test := range []struct{ name, held, refused string }{
		{"slow-burn", "", "rate_limit"},
		{"hung-threads", "pool_timeout", ""},
	} {
		args := []string{test.name, "--set=length=60s", "--control=false"}
		var doc decoded
		if err := json.Unmarshal([]byte(run(t, append(args, "--format=json")...)), &doc); err != nil {
			t.Fatal(err)
		}
		cell := func(reason string) string {
			if reason == "" {
				return "0"
			}
			n := doc.Summary["rejected_"+reason]
			if n == nil || *n == 0 {
				t.Fatalf("%s: nothing is rejected for %s", test.name, reason)
			}
			return count(int64(*n))
		}
		_, hops, _ := strings.Cut(run(t, args...), "\nHOPS")
		row := strings.Fields(strings.Split(hops, "\n")[2])
		if n := len(row); row[n-3] != cell(test.held) || row[n-2] != cell(test.refused) {
			t.Errorf("%s: %v, want %s held back and %s refused", test.name, row, cell(test.held), cell(test.refused))
		}
	}
}

func TestTheSummaryTellsWhatIsOfTheWholeSystem(t *testing.T) {
	text := run(t, "payment-1945:tenth", "--set=length=70s", "--control=false")
	_, text, _ = strings.Cut(text, "\nSUMMARY  of payments at channel, which is watched\n")
	watched, system, ok := strings.Cut(text, "\nSYSTEM  over all classes and services\n")
	if !ok || !strings.Contains(watched, "\nretry_rate ") || strings.Contains(watched, "duplicates") || !strings.Contains(system, "\nduplicates ") {
		t.Errorf("%s", text)
	}
}
