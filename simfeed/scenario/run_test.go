package scenario_test

import (
	"context"
	"errors"
	"io"
	"math"
	"testing"
	"time"

	"stormtop/simfeed/chain"
	"stormtop/simfeed/scenario"
)

// named is a scenario with fields set and actions on its timeline.
func named(t *testing.T, name string, length time.Duration, actions ...string) scenario.Scenario {
	t.Helper()
	s, err := scenario.Named(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(actions) > 0 {
		played, err := s.Play(actions...)
		if err != nil {
			t.Fatal(err)
		}
		s.Scenario = played
	}
	if length > 0 {
		s.Timeline = append([]chain.Change(nil), s.Timeline...)
		kept := s.Timeline[:0]
		for _, c := range s.Timeline {
			if c.At <= length {
				kept = append(kept, c)
			}
		}
		s.Timeline, s.Length = kept, length
	}
	return s
}

// run is a run with its windows, of which w[i] begins i windows after the start.
type run struct {
	t *testing.T
	w []chain.Window
}

// play runs a scenario to its end and checks that Little's law holds.
func play(t *testing.T, s scenario.Scenario, seed int64) run {
	t.Helper()
	e, err := chain.New(s.Scenario, seed)
	if err != nil {
		t.Fatal(err)
	}
	r := run{t: t}
	for {
		w, err := e.Next(context.Background())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		r.w = append(r.w, *w)
	}
	for _, b := range e.Balances() {
		if math.Abs(b.Length-b.Product()) > 0.01*b.Length {
			t.Errorf("seed %d: %s holds %.4g things, but Little's law says %.4g", seed, b.Place, b.Length, b.Product())
		}
	}
	return r
}

// between are the windows from one second to another.
func (r run) between(from, to int) run { return run{r.t, r.w[from:to]} }

// attempts is the mean of the attempts a second of a class at its last service.
func (r run) attempts(class string) float64 {
	sum := 0.0
	for i := range r.w {
		sum += float64(r.w[i].Class(class).Attempts)
	}
	return sum / r.seconds()
}

func (r run) seconds() float64 { return (r.w[len(r.w)-1].End - r.w[0].Start).Seconds() }

// delivered is the share of a class that was delivered, of all answers.
func (r run) delivered(class string) float64 {
	var good, all int64
	for i := range r.w {
		c := r.w[i].Class(class)
		good, all = good+c.Delivered, all+c.Delivered+c.Failed
	}
	return float64(good) / float64(all)
}

// ratio is attempts for each request over all windows.
func (r run) ratio(class string) float64 {
	var attempts, requests int64
	for i := range r.w {
		c := r.w[i].Class(class)
		attempts, requests = attempts+c.Attempts, requests+c.Requests
	}
	return float64(attempts) / float64(requests)
}

// pending is the mean of what was pending at the end of each window.
func (r run) pending(class string) float64 {
	sum := 0.0
	for i := range r.w {
		sum += float64(r.w[i].Class(class).Pending)
	}
	return sum / float64(len(r.w))
}

// p99 is the mean of the p99 of a service over the windows.
func (r run) p99(service string) float64 {
	sum := 0.0
	for i := range r.w {
		sum += r.w[i].Service(service).Latency.P99.Seconds()
	}
	return sum / float64(len(r.w))
}

// above is the first and the last second in which the ratio of a class is above
// a number; -1 where it never is.
func (r run) above(class string, ratio float64) (first, last int) {
	first, last = -1, -1
	for i := range r.w {
		if a, ok := r.w[i].Class(class).Amplification(); ok && a > ratio {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}

// peak is the highest ratio of a class in any window.
func (r run) peak(class string) float64 {
	high := 0.0
	for i := range r.w {
		if a, ok := r.w[i].Class(class).Amplification(); ok {
			high = max(high, a)
		}
	}
	return high
}

// fires is the number of windows in which the retry rate of a class at its last
// hop is above 10 %, and of those with requests at limit there.
func (r run) fires(class, from, to string) (retryRate, atLimit int) {
	for i := range r.w {
		h := r.w[i].Hop(class, from, to)
		if h.Attempts > 0 && float64(h.Retries()) > 0.1*float64(h.Attempts) {
			retryRate++
		}
		if h.AtLimit > 0 {
			atLimit++
		}
	}
	return retryRate, atLimit
}

// near fails unless a number is within a share of what it should be.
func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*want {
		t.Errorf("%s is %.4g, want %.4g within %.0f %%", what, got, want, 100*share)
	}
}

// within fails unless a number lies in a range.
func within(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	if !(got >= low && got <= high) {
		t.Errorf("%s is %.4g, want %.4g to %.4g", what, got, low, high)
	}
}
