package policy

import (
	"math"
	"testing"
	"time"

	"stormtop/simfeed/chain/draw"
)

// moments draws n waits of a retry and gives their mean and variance, in
// seconds.
func moments(n int, b Backoff, retry int) (mean, variance float64) {
	from := draw.NewStream(3, draw.Jitter, 0)
	sum, squares := 0.0, 0.0
	for range n {
		memory, wait := time.Duration(0), time.Duration(0)
		for k := 1; k <= retry; k++ {
			wait = b.Wait(k, memory, &from)
			memory = b.Remember(memory, wait)
		}
		x := wait.Seconds()
		sum += x
		squares += x * x
	}
	mean = sum / float64(n)
	return mean, squares/float64(n) - mean*mean
}

// TestJitterHasItsMoments compares with the moments of the uniform
// distribution. The mean of n draws has a standard error of sqrt(variance/n),
// and the variance one below itself x sqrt(2/n) (a uniform has light tails);
// five of each are tolerated.
func TestJitterHasItsMoments(t *testing.T) {
	const n = 100_000
	v := 0.8 // the third wait of base 200 ms
	for _, test := range []struct {
		jitter         Jitter
		mean, variance float64
	}{
		{NoJitter, v, 0},
		{Full, v / 2, v * v / 12},
		{Equal, 3 * v / 4, v * v / 48},
		{Spread, v, 0.4 * v * 0.4 * v / 12},
	} {
		b := Backoff{Growth: Exponential, Base: 200 * time.Millisecond, Factor: 2, Jitter: test.jitter, Spread: 0.2}
		mean, variance := moments(n, b, 3)
		if math.Abs(mean-test.mean) > 5*math.Sqrt(test.variance/n)+1e-9 {
			t.Errorf("%v: mean %v, want %v", test.jitter, mean, test.mean)
		}
		if math.Abs(variance-test.variance) > 5*test.variance*math.Sqrt(2.0/n)+1e-9 {
			t.Errorf("%v: variance %v, want %v", test.jitter, variance, test.variance)
		}
	}
}

// TestDecorrelatedMeansGrow checks base x (2 x 1.5^k - 1). The waits grow by a
// random factor of mean square 3, so their spread grows as sqrt(3)^k.
func TestDecorrelatedMeansGrow(t *testing.T) {
	const n = 400_000
	b := Backoff{Growth: Exponential, Base: 100 * time.Millisecond, Factor: 2, Jitter: Decorrelated}
	for k := 1; k <= 5; k++ {
		want := 0.1 * (2*math.Pow(1.5, float64(k)) - 1)
		mean, variance := moments(n, b, k)
		if math.Abs(mean-want) > 5*math.Sqrt(variance/n) {
			t.Errorf("wait %d: mean %v, want %v", k, mean, want)
		}
	}
	b.Cap = 150 * time.Millisecond
	from := draw.NewStream(1, draw.Jitter, 0)
	for range 1000 {
		if w := b.Wait(5, time.Second, &from); w < b.Base || w > b.Cap {
			t.Fatalf("a wait of %v is outside of the base and the cap", w)
		}
	}
}

func TestWaitsGrowAsTheirKindSays(t *testing.T) {
	ms := time.Millisecond
	from := draw.NewStream(1, draw.Jitter, 0)
	for _, test := range []struct {
		name string
		b    Backoff
		want []time.Duration
	}{
		{"none", Backoff{Base: ms}, []time.Duration{0, 0, 0}},
		{"fixed", Backoff{Growth: Fixed, Base: 50 * ms}, []time.Duration{50 * ms, 50 * ms, 50 * ms}},
		{"linear", Backoff{Growth: Linear, Base: 50 * ms}, []time.Duration{50 * ms, 100 * ms, 150 * ms}},
		{"exponential", Backoff{Growth: Exponential, Base: 50 * ms, Factor: 2, Cap: time.Second}, []time.Duration{50 * ms, 100 * ms, 200 * ms, 400 * ms, 800 * ms, time.Second, time.Second}},
		{"a long one", Backoff{Growth: Exponential, Base: time.Hour, Factor: 10}, []time.Duration{MaxWait, MaxWait}},
		{"table", Backoff{Growth: Table, Bands: []Band{{ms, ms}, {3 * ms, 3 * ms}}}, []time.Duration{ms, 3 * ms, 3 * ms}},
		{"empty table", Backoff{Growth: Table}, []time.Duration{0}},
	} {
		for i, want := range test.want {
			if got := test.b.Wait(i+1, 0, &from); got != want {
				t.Errorf("%s: wait %d is %v, want %v", test.name, i+1, got, want)
			}
		}
	}
}

// TestBackoffContention is the model of a well-known study of jitter: 100
// clients update one row by optimistic locking; each reads it, then writes, and
// when somebody else wrote meanwhile it waits and begins again. A message takes
// normally distributed 10 +- 2 ms. The study waits 5 ms x 2^n from n = 1 on, at
// most 2 s, and its decorrelated jitter begins at 5 ms. The figures are means
// over 30 runs, here as there, with a standard error below 1 % each, so 4 % are
// tolerated.
func TestBackoffContention(t *testing.T) {
	base := Backoff{Growth: Exponential, Base: 10 * time.Millisecond, Factor: 2, Cap: 2 * time.Second}
	with := func(j Jitter) Backoff { b := base; b.Jitter = j; return b }
	decorrelated := with(Decorrelated)
	decorrelated.Base = 5 * time.Millisecond
	last := 0.0
	for _, test := range []struct {
		name string
		b    Backoff
		want float64
	}{
		{"full", with(Full), 797},
		{"equal", with(Equal), 812},
		{"decorrelated", decorrelated, 1002},
		{"exponential", with(NoJitter), 1853},
		{"none", Backoff{}, 2421},
	} {
		total := 0
		const runs = 30
		for seed := range int64(runs) {
			total += contend(100, test.b, seed)
		}
		calls := float64(total) / runs
		if math.Abs(calls-test.want) > 0.04*test.want {
			t.Errorf("%s: %v calls, want about %v", test.name, calls, test.want)
		}
		// Full and equal jitter are nearly the same: 2 % are tolerated.
		if calls < 0.98*last {
			t.Errorf("%s: %v calls, fewer than the one before with %v", test.name, calls, last)
		}
		last = calls
	}
}

// contend counts the writes until all clients have succeeded.
func contend(clients int, b Backoff, seed int64) int {
	type client struct {
		at      time.Duration // of its next step, at the server
		reads   bool          // the step is a read, else a write
		version int           // that it read
		retry   int
		memory  time.Duration
		done    bool
	}
	from := draw.NewStream(seed, draw.Jitter, 1)
	message := func() time.Duration {
		return time.Duration(math.Abs(10+2*from.Normal()) * float64(time.Millisecond))
	}
	all := make([]client, clients)
	for i := range all {
		all[i] = client{at: message(), reads: true}
	}
	version, calls := 0, 0
	for {
		next := -1
		for i := range all {
			if !all[i].done && (next < 0 || all[i].at < all[next].at) {
				next = i
			}
		}
		if next < 0 {
			return calls
		}
		c := &all[next]
		switch {
		case c.reads:
			c.version, c.reads = version, false
			c.at += message() + message() // the answer, and the write
		case c.version == version:
			calls++
			version++
			c.done = true
		default:
			calls++
			c.retry++
			wait := b.Wait(c.retry, c.memory, &from)
			c.memory = b.Remember(c.memory, wait)
			c.reads = true
			c.at += message() + wait + message()
		}
	}
}
