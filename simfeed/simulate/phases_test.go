package simulate

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"stormtop/simfeed/chain"
)

// said is what the command prints of a scenario file.
func said(t *testing.T, file string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	w := world(&out, &errs)
	w.ReadFile = func(string) ([]byte, error) { return []byte(file), nil }
	if status := Command(t.Context(), append([]string{"mine.yaml"}, args...), w); status != 0 || errs.Len() > 0 {
		t.Fatalf("%v: status %d, %s", args, status, &errs)
	}
	return out.String()
}

// TestAScenarioWithoutWordsIsToldInItsFields: a file of one's own needs neither a
// title nor notes, and its report says what happened all the same.
func TestAScenarioWithoutWordsIsToldInItsFields(t *testing.T) {
	const file = `name: mine
length: 40s
classes:
  users: {path: web > db, rate: 50/s}
services:
  web: {time: 1ms}
  db: {time: 5ms}
edges:
  web>db: {attempts: 3, timeout: 100ms}
timeline:
  - {at: 10s, for: 10s, set: {services.db.time_factor: 4}}
  - {at: 30s, set: {classes.users.rate: 80/s}, note: more users}
`
	text := said(t, file)
	if !strings.HasPrefix(text, "MINE  40s, seed 1\n\nVERDICT") {
		t.Errorf("it begins with %q", text[:min(len(text), 60)])
	}
	for _, want := range []string{"services.db.time_factor: 1 → 4\n", "end of: services.db.time_factor\n", "more users\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
}

// TestWhatIsNotThereIsNotZero: nobody comes, then requests that come while the
// service hangs, and retries that go on when the last request has come.
func TestWhatIsNotThereIsNotZero(t *testing.T) {
	const file = `name: quiet
length: 40s
classes:
  users: {path: web > db, even: on, rate: "0/s, 10s 20/s, 19980ms 0/s"}
services:
  web: {time: 1ms}
  db: {time: 1h}
edges:
  web>db: {attempts: 8, timeout: 2s}
timeline:
  - {at: 10s, set: {services.db.network: 0s}, note: they come}
  - {at: 20s, set: {services.db.network: 0s}, note: the last has come}
`
	row := func(text, begin string) string {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, begin) {
				return strings.Join(strings.Fields(line), " ")
			}
		}
		t.Fatalf("no row %q:\n%s", begin, text)
		return ""
	}
	text := said(t, file)
	for begin, want := range map[string]string{
		"0s  ": "0s 10s 0/s 0/s – – 0 db –",
		"20s ": "∞ –", // attempts without a request, and nothing of nothing delivered
	} {
		if got := row(text, begin); !strings.Contains(got, want) {
			t.Errorf("the phase from %s is %q, want %q in it", begin, got, want)
		}
	}
	// Two seconds after the first of them, from 12 s on, all seconds are above 1.5x, those without a
	// request too, until the seventh retry of the last, made at 33.95 s.
	if got := row(text, "seconds_above_1.5"); got != "seconds_above_1.5 22.0s" {
		t.Errorf("%q, want 22 s", got)
	}
	silent := said(t, file, "--set=classes.users.rate=0/s")
	for _, name := range []string{"amplification", "amplification_peak", "latency_p99", "delivered"} {
		if got := row(silent, name+" "); got != name+" –" {
			t.Errorf("without a request: %q", got)
		}
	}
	if doc := said(t, file, "--set=classes.users.rate=0/s", "--format=json"); !strings.Contains(doc, `"amplification_peak":null`) {
		t.Error("without a request the peak of the ratio is a number")
	}
}

// TestAMeanIsOfTheSecondsThatHaveIt: a service that is down for half of a phase
// has the p99 of the other half.
func TestAMeanIsOfTheSecondsThatHaveIt(t *testing.T) {
	p := phase{to: 4e9}
	windows := make([]chain.Window, 4)
	for i := range windows {
		windows[i].Start, windows[i].End = time.Duration(i)*time.Second, time.Duration(i+1)*time.Second
		windows[i].Services = []chain.ServiceWindow{{Service: "web"}, {Service: "db"}}
	}
	for _, i := range []int{1, 3} {
		windows[i].Services[1].Latency = chain.Quantiles{Count: 1, P99: time.Duration(i) * time.Second}
	}
	p.sum(windows)
	if name, p99, known := p.worst([]string{"web", "db"}); name != "db" || p99 != 2*time.Second || !known {
		t.Errorf("%s %v %v, want 2s of db", name, p99, known)
	}
	if name, _, known := p.worst([]string{"web"}); name != "web" || known {
		t.Errorf("%s is known %v, and completed nothing", name, known)
	}
}
