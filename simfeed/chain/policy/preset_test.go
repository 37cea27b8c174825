package policy

import (
	"math"
	"slices"
	"testing"
	"time"

	"stormtop/simfeed/chain/draw"
)

// meter makes a budget meter of a preset with the tally it counts by.
func meter(p Policy) (*BudgetMeter, *Tally) {
	m, t := &BudgetMeter{}, &Tally{}
	m.Use(0, p.Budget, []*Tally{t})
	return m, t
}

// grants counts the retries that a total outage is granted at once, up to most.
func grants(p Policy, o Outcome, most int) int {
	m, t := meter(p)
	for n := range most {
		m.Failure()
		if _, ok := m.Retry(0, o, 0, t); !ok {
			return n
		}
	}
	return most
}

func TestEveryPresetIsWhole(t *testing.T) {
	for _, preset := range Presets() {
		p := preset.New()
		if name, text := p.Check(); name != "" {
			t.Errorf("%s: %s %s", preset.Name, name, text)
		}
		if p.Preset != preset.Name || preset.System == "" || preset.Source == "" {
			t.Errorf("%s is incomplete: %+v", preset.Name, preset)
		}
		found, err := Lookup(preset.Name)
		if err != nil || found.System != preset.System {
			t.Errorf("%s is not found: %v", preset.Name, err)
		}
	}
	if _, err := Lookup("envoy"); err == nil {
		t.Error("a preset that is none is found")
	}
}

// TestAttemptsAndTheForeignNumberAreShownTogether holds what each system calls
// its default.
func TestAttemptsAndTheForeignNumberAreShownTogether(t *testing.T) {
	for name, want := range map[string]string{
		"envoy-default":        "2 attempts (Envoy num_retries 1)",
		"istio-default":        "3 attempts (Istio attempts 2)",
		"linkerd-annotations":  "2 attempts (Linkerd limit 1)",
		"linkerd-profile":      "Linkerd profile: attempts by budget only",
		"grpc-default":         "5 attempts (gRPC maxAttempts 5)",
		"aws-standard":         "3 attempts (AWS SDK max_attempts 3)",
		"finagle-default":      "Finagle: attempts by budget only",
		"resilience4j":         "3 attempts (resilience4j maxAttempts 3)",
		"polly-v8":             "4 attempts (Polly MaxRetryAttempts 3)",
		"spring-cloud-gateway": "4 attempts (Spring Cloud Gateway retries 3)",
		"haproxy":              "4 attempts (HAProxy retries 3)",
		"nginx":                "1 attempt (NGINX tries 1)",
		"sre-client":           "3 attempts (SRE client attempts 3)",
		"three-everywhere":     "3 attempts (three everywhere attempts 3)",
	} {
		preset, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		p := preset.New()
		if got := p.Describe(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	p := New()
	if got := p.Describe(); got != "1 attempt" {
		t.Errorf("without a preset: %q", got)
	}
}

// TestEnvoyBacksOffInWholeMillisecondsBelow holds the bounds 25, 50, 100, 200,
// 250, 250 ms, exclusive, of which every millisecond must come.
func TestEnvoyBacksOffInWholeMillisecondsBelow(t *testing.T) {
	p := envoyDefault.New()
	from := draw.NewStream(1, draw.Jitter, 0)
	for i, below := range []int{25, 50, 100, 200, 250, 250} {
		seen := map[time.Duration]bool{}
		for range 20_000 {
			w := p.Backoff.Wait(i+1, 0, &from)
			if w < 0 || w >= time.Duration(below)*time.Millisecond || w%time.Millisecond != 0 {
				t.Fatalf("retry %d waits %v, want whole ms below %d", i+1, w, below)
			}
			seen[w] = true
		}
		if len(seen) != below {
			t.Errorf("retry %d: %d different waits, want %d", i+1, len(seen), below)
		}
	}
	if p.Deadline != 15*time.Second || p.Timeout != 0 {
		t.Errorf("time-outs are %v and %v a try, want 15s over all tries", p.Deadline, p.Timeout)
	}
}

func TestEnvoyBoundsConcurrentRetries(t *testing.T) {
	for _, test := range []struct {
		preset Preset
		active int64
		want   int
	}{
		{envoyDefault, 0, 3}, {envoyDefault, 1000, 3},
		{envoyBudget, 0, 3}, {envoyBudget, 15, 3}, {envoyBudget, 100, 20}, {envoyBudget, 101, 21},
	} {
		m, tally := meter(test.preset.New())
		granted := 0
		for range 1000 {
			if _, ok := m.Retry(0, Error, test.active, tally); ok {
				granted++
			}
		}
		if granted != test.want || !m.Holds() {
			t.Errorf("%s with %d active: %d retries at once, want %d", test.preset.Name, test.active, granted, test.want)
		}
		m.Release()
		if _, ok := m.Retry(0, Error, test.active, tally); !ok {
			t.Errorf("%s: a slot that was given back is not there", test.preset.Name)
		}
		if _, ok := m.Retry(0, Error, test.active, tally); ok {
			t.Errorf("%s: one slot was given back and two are there", test.preset.Name)
		}
	}
}

func TestIstioLeavesA503Alone(t *testing.T) {
	p := istioDefault.New()
	if p.RetryOn.Has(Error) || p.RetryOn.Has(Overload) || !p.RetryOn.Has(Connect) || p.Deadline != 0 || p.Budget.Kind != NoBudget {
		t.Errorf("istio retries %v with deadline %v and budget %v", p.RetryOn, p.Deadline, p.Budget.Kind)
	}
	if p.Backoff.Base != 25*time.Millisecond {
		t.Errorf("base %v, want 25ms", p.Backoff.Base)
	}
}

func TestLinkerdWaitsWithinItsBands(t *testing.T) {
	p := linkerdLimit.New()
	from := draw.NewStream(1, draw.Jitter, 0)
	for i, band := range [][2]int{{25, 50}, {50, 100}, {100, 200}, {200, 250}, {200, 250}} {
		low, high := time.Duration(band[0])*time.Millisecond, time.Duration(band[1])*time.Millisecond
		least, most := high, low
		for range 10_000 {
			w := p.Backoff.Wait(i+1, 0, &from)
			least, most = min(least, w), max(most, w)
		}
		// 10,000 uniform draws come within 0.2 % of both ends (miss: 1e-8).
		slack := (high - low) / 500
		if least < low || most > high || least > low+slack || most < high-slack {
			t.Errorf("retry %d waits %v to %v, want %v to %v", i+1, least, most, low, high)
		}
	}
	if p.Budget.Kind != NoBudget {
		t.Error("the annotations have a budget")
	}
}

// TestFinagleAndLinkerdStartWithAHundred holds 10 a second over 10 s, and then
// 20 % of what is deposited: by requests at Finagle, by answers that are not
// retryable at Linkerd.
func TestFinagleAndLinkerdStartWithAHundred(t *testing.T) {
	for _, preset := range []Preset{finagleDefault, linkerdProfile} {
		p := preset.New()
		if got := grants(p, Error, 10_000); got != 100 {
			t.Errorf("%s: %d retries at the start, want 100", preset.Name, got)
		}
		m, tally := meter(p)
		for range 500 {
			if preset.Name == "finagle-default" {
				tally.Original(0)
			} else {
				tally.Answer(0)
			}
		}
		n := 0
		for {
			if _, ok := m.Retry(0, Error, 0, tally); !ok {
				break
			}
			n++
		}
		if n != 200 {
			t.Errorf("%s: %d retries after 500 deposits, want 200", preset.Name, n)
		}
		if _, ok := m.Retry(int64(9*time.Second), Error, 0, tally); ok {
			t.Errorf("%s: a retry within the window is forgotten", preset.Name)
		}
		if _, ok := m.Retry(int64(11*time.Second), Error, 0, tally); !ok {
			t.Errorf("%s: a retry beyond the window is remembered", preset.Name)
		}
	}
}

func TestLinkerdProfileCountsAnswersOnly(t *testing.T) {
	m, tally := meter(linkerdProfile.New())
	for range 10_000 {
		tally.Original(0)
	}
	n := 0
	for {
		if _, ok := m.Retry(0, Error, 0, tally); !ok {
			break
		}
		n++
	}
	if n != 100 {
		t.Errorf("%d retries with 10,000 requests and no answer, want the minimum of 100", n)
	}
}

func TestGRPCPermitsFourRetriesInAnOutage(t *testing.T) {
	p := grpcDefault.New()
	if got := grants(p, Error, 100); got != 4 {
		t.Errorf("%d retries, want 4", got)
	}
	m, tally := meter(p)
	for _, step := range []struct {
		failures, successes int
		tokens              float64
		permitted           bool
	}{{5, 0, 5, false}, {0, 1, 5.1, true}, {1, 8, 4.9, false}, {0, 2, 5.1, true}, {20, 0, 0, false}, {0, 49, 4.9, false}, {0, 1000, 10, true}} {
		for range step.failures {
			m.Failure()
		}
		for range step.successes {
			m.Success(0)
		}
		if _, ok := m.Retry(0, Error, 0, tally); ok != step.permitted {
			t.Errorf("with %v tokens a retry is permitted: %v, want %v", step.tokens, ok, step.permitted)
		}
	}
	from := draw.NewStream(1, draw.Jitter, 0)
	for i, v := range []float64{0.1, 0.2, 0.4, 0.8, 1, 1} {
		low, high := 10.0, 0.0
		for range 10_000 {
			w := p.Backoff.Wait(i+1, 0, &from).Seconds()
			low, high = min(low, w), max(high, w)
		}
		if low < 0.8*v || high > 1.2*v || low > 0.802*v || high < 1.198*v {
			t.Errorf("retry %d waits %v to %v s, want 0.8 to 1.2 of %v", i+1, low, high, v)
		}
	}
}

func TestAWSGrantsAHundredAndHalfOfItAfterTimeouts(t *testing.T) {
	p := awsStandard.New()
	if got := grants(p, Error, 1000); got != 100 {
		t.Errorf("%d retries in an outage, want 100", got)
	}
	if got := grants(p, Timeout, 1000); got != 50 {
		t.Errorf("%d retries in an outage of time-outs, want 50", got)
	}
	m, tally := meter(p)
	var costs []float32
	for {
		cost, ok := m.Retry(0, Error, 0, tally)
		if !ok {
			break
		}
		costs = append(costs, cost)
	}
	m.Success(costs[0]) // gives back 5
	if _, ok := m.Retry(0, Error, 0, tally); !ok {
		t.Error("a retry that succeeded gave nothing back")
	}
	for range 4 {
		m.Success(0)
	}
	if _, ok := m.Retry(0, Error, 0, tally); ok {
		t.Error("four first successes paid for a retry of 5")
	}
	m.Success(0)
	if _, ok := m.Retry(0, Error, 0, tally); !ok {
		t.Error("five first successes did not pay for a retry of 5")
	}
	from := draw.NewStream(1, draw.Jitter, 0)
	for i, top := range []float64{1, 2, 4, 8, 16, 20, 20} {
		high := 0.0
		for range 10_000 {
			high = max(high, p.Backoff.Wait(i+1, 0, &from).Seconds())
		}
		if high > top || high < 0.998*top {
			t.Errorf("retry %d waits up to %v s, want up to %v", i+1, high, top)
		}
	}
}

func TestResilience4jOpensAfterAHundredAttempts(t *testing.T) {
	p := resilience4j.New()
	from := draw.NewStream(1, draw.Jitter, 0)
	for k := 1; k < 5; k++ {
		if w := p.Backoff.Wait(k, 0, &from); w != 500*time.Millisecond {
			t.Errorf("retry %d waits %v, want 500ms", k, w)
		}
	}
	var m BreakerMeter
	m.Use(0, p.Breaker)
	if acts, inside := m.Acts(); !acts || !inside {
		t.Error("the breaker is not within the retry loop")
	}
	for n := range 99 {
		m.Record(0, n%2 == 0, false)
	}
	if s, _ := m.Status(0); s != Closed {
		t.Fatalf("%v after 99 results", s)
	}
	m.Record(0, false, false)
	if s, _ := m.Status(0); s != Open {
		t.Fatalf("%v after 50 failures of 100", s)
	}
	minute := int64(60 * time.Second)
	if ok, _ := m.Allow(minute-1, &from); ok {
		t.Error("a call passes before 60 s")
	}
	passed := 0
	for range 50 {
		if ok, probe := m.Allow(minute, &from); ok && probe {
			passed++
		}
	}
	if passed != 10 {
		t.Errorf("%d probes pass, want 10", passed)
	}
	for n := range 10 {
		m.Record(minute, n < 4, true)
	}
	if s, _ := m.Status(minute); s != Closed {
		t.Errorf("%v after 4 of 10 probes failed, want closed", s)
	}
}

func TestPollyHasItsSeries(t *testing.T) {
	waited := time.Duration(0)
	for i, want := range []float64{0.897, 1.093, 2.036, 4.046, 8.084} {
		w := smooth(time.Second, i+1, waited, 0.5)
		waited += w
		if math.Abs(w.Seconds()-want) > 0.0005 {
			t.Errorf("wait %d is %v, want %v s", i+1, w, want)
		}
	}
	p := pollyV8.New()
	if p.Backoff.Base != 2*time.Second || p.Attempts != 4 {
		t.Errorf("base %v and %d attempts, want 2s and 4", p.Backoff.Base, p.Attempts)
	}
}

func TestSpringRetriesSafeRequestsAtOnce(t *testing.T) {
	p := springGateway.New()
	if !p.SafeOnly || !p.Backoff.Instant() || !p.RetryOn.Has(Error) || p.RetryOn.Has(RateLimited) {
		t.Errorf("retries %v, safe only %v, at once %v", p.RetryOn, p.SafeOnly, p.Backoff.Instant())
	}
}

func TestHAProxyPausesAndRedispatches(t *testing.T) {
	p := haproxyDefault.New()
	from := draw.NewStream(1, draw.Jitter, 0)
	var waits []time.Duration
	for k := 1; k < p.Attempts; k++ {
		waits = append(waits, p.Backoff.Wait(k, 0, &from))
	}
	if !slices.Equal(waits, []time.Duration{time.Second, time.Second, 0}) || p.RetryOn != Set(Connect) {
		t.Errorf("waits %v and retries %v, want 1s, 1s, at once and connect", waits, p.RetryOn)
	}
}

func TestNGINXTriesEachServerOnce(t *testing.T) {
	p := nginxDefault.New()
	for servers, want := range map[int]int{1: 1, 3: 3} {
		p.Servers = servers
		if p.Permitted() != want || !p.Backoff.Instant() {
			t.Errorf("%d servers: %d attempts, want %d at once", servers, p.Permitted(), want)
		}
	}
	p.Servers, p.Attempts = 5, 2
	if p.Permitted() != 2 {
		t.Errorf("2 tries on 5 servers: %d attempts", p.Permitted())
	}
}

// TestTheSREClientThrottles holds max(0, (requests - 2 accepts) / (requests + 1)).
func TestTheSREClientThrottles(t *testing.T) {
	p := sreClient.New()
	var m ThrottleMeter
	m.Use(0, p.Throttle)
	from := draw.NewStream(1, draw.Admit, 0)
	for range 10 {
		m.Allow(0, &from)
	}
	m.Result(0, OK)
	m.Result(0, Error)
	m.Result(0, Overload)
	m.Result(0, Timeout)
	if got, want := m.Refusal(0), (10-2*2.0)/11; got != want {
		t.Errorf("refuses with probability %v, want %v", got, want)
	}
	if got := m.Refusal(int64(121 * time.Second)); got != 0 {
		t.Errorf("refuses with probability %v after two minutes, want 0", got)
	}
	if got := grants(p, Error, 10); got != 0 {
		t.Errorf("%d retries without requests, want none", got)
	}
	b, tally := meter(p)
	for range 900 {
		tally.Original(0)
	}
	n := 0
	for ; ; n++ {
		if _, ok := b.Retry(0, Error, 0, tally); !ok {
			break
		}
	}
	if n != 100 {
		t.Errorf("%d retries with 900 requests, want 100, which is 10 %% of all", n)
	}
}

func TestThreeEverywhereHasNoBrake(t *testing.T) {
	p := threeEverywhere.New()
	if p.Permitted() != 3 || !p.Backoff.Instant() || p.RetryOn != AnyFailed || grants(p, Error, 1000) != 1000 {
		t.Errorf("%+v has a brake", p)
	}
}
