package prom

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stormtop/collector"
)

const s = time.Second

func TestSpacingIsTheMedianDistance(t *testing.T) {
	at := func(seconds ...float64) (out []point) {
		for _, x := range seconds {
			out = append(out, point{t: int64(x * 1000)})
		}
		return out
	}
	for name, c := range map[string]struct {
		points []point
		want   time.Duration
	}{
		"regular":         {at(0, 15, 30, 45), 15 * s},
		"a gap":           {at(0, 15, 30, 300, 315), 15 * s},
		"jitter":          {at(0, 1.003, 1.999, 3.001), 1 * s},
		"two samples":     {at(0, 15), 0},
		"none":            {nil, 0},
		"the same time":   {at(1, 1, 1), 0},
		"very fast":       {at(0, 0.01, 0.02), 100 * time.Millisecond},
		"half a second":   {at(0, 0.5, 1, 1.5), 500 * time.Millisecond},
		"half minute off": {at(0, 60.2, 120.1, 180), 59900 * time.Millisecond},
	} {
		if got := spacingOf(c.points); got.Round(time.Second) != c.want.Round(time.Second) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestStretchKeepsQueriesUnderATenthOfTheInterval(t *testing.T) {
	const ms = time.Millisecond
	var l stretch
	for _, c := range []struct {
		polls int
		took  time.Duration
		want  time.Duration
	}{
		{20, 50 * ms, s},
		{20, 100 * ms, s},
		{2, 350 * ms, s}, // it may be nothing
		{1, 350 * ms, 4 * s},
		{20, 350 * ms, 4 * s},
		{3, 650 * ms, 8 * s}, // 7 is no step
		{4, 90 * ms, 8 * s},
		{1, 90 * ms, 2 * s}, // five quick ones: at once to where they fit, with room
		{20, 90 * ms, 2 * s},
		{5, 70 * ms, s},
		{50, time.Hour, time.Minute}, // beyond the largest step
		{5, 70 * ms, s},
	} {
		for range c.polls {
			l.add(c.took, s)
		}
		if got := l.interval(s); got != c.want || (l.note(s) == "") != (got == s) {
			t.Errorf("after %d polls of %v: %v, want %v, %q", c.polls, c.took, got, c.want, l.note(s))
		}
	}
}

func TestOneQueryThatHangsDoesNotCoarsenThePicture(t *testing.T) {
	var l stretch
	for i := range 100 {
		took := 40 * time.Millisecond
		if i%5 == 0 {
			took = 10 * s
		}
		if l.add(took, 5*s); l.interval(5*s) != 5*s {
			t.Fatalf("poll %d: %v", i, l.interval(5*s))
		}
	}
}

// TestASlowServerStretchesTheIntervalSaysSoAndReturns: ten queries of 15ms are
// more than a tenth of a second.
func TestASlowServerStretchesTheIntervalSaysSoAndReturns(t *testing.T) {
	f := newFake(t)
	src := f.open(t, func(c *Config) {
		c.Interval = s
		for _, sig := range collector.Inputs()[:8] {
			c.Signals[sig] = "sum by ($by) (rate(down_total[$window]))"
		}
		c.Signals[collector.Ingress] = "sum by ($by) (rate(in_total[$window]))"
	})
	var slow atomic.Int64 // nanoseconds of each query
	slow.Store(int64(15 * time.Millisecond))
	f.on(func(q request) *canned {
		f.clock.advance(time.Duration(slow.Load()))
		return nil
	})
	var r *collector.Reading
	for range 5 {
		r = next(t, src)
	}
	// The queries overlap in the fake's time, so that each takes up to four times as long.
	step := r.Origin.Interval
	if step < 2*s || step > 6*s || !strings.HasPrefix(r.Origin.Note, "polling every "+collector.FormatInterval(step)+" instead of 1s: the queries take ") {
		t.Fatalf("%v %q", step, r.Origin.Note)
	}
	before := r.At
	if r = next(t, src); r.At.Sub(before) != step || r.Missed != 0 {
		t.Errorf("%v later, %d missed", r.At.Sub(before), r.Missed)
	}
	slow.Store(0)
	for range 6 {
		r = next(t, src)
	}
	if r.Origin.Interval != s || strings.Contains(r.Origin.Note, "instead of") {
		t.Errorf("after it became quick again: %v %q", r.Origin.Interval, r.Origin.Note)
	}
}

// TestAServerSlowerThanTheIntervalBuildsNothingUp: each poll begins after the
// one before has ended, at a slot, and what was left out is counted.
func TestAServerSlowerThanTheIntervalBuildsNothingUp(t *testing.T) {
	f := newFake(t)
	src := f.open(t, func(c *Config) { c.Interval = s })
	next(t, src)
	f.on(func(q request) *canned {
		if strings.HasPrefix(q.query, "sum by") {
			f.clock.advance(1700 * time.Millisecond)
		}
		return nil
	})
	last := f.clock.Now()
	for i := range 30 {
		r := next(t, src)
		if age := f.clock.Now().Sub(r.At); age > 5*s || r.At.UnixNano()%int64(r.Origin.Interval) != 0 && i > 5 {
			t.Errorf("poll %d: the reading of %v came at %v", i, r.At, f.clock.Now())
		}
		last = r.At
	}
	if r := next(t, src); r.Missed != 0 || r.At.Sub(last) != r.Origin.Interval || r.Origin.Interval < 30*s {
		t.Errorf("in the end %v later, every %v, %d missed", r.At.Sub(last), r.Origin.Interval, r.Missed)
	}
}

func TestIntervalFollowsTheSpacing(t *testing.T) {
	for name, c := range map[string]struct {
		spacing, interval, rate   time.Duration
		wantInterval, wantRate    time.Duration
		wantNote, wantWarningPart string
	}{
		"automatic":            {15 * s, 0, 0, 15 * s, 60 * s, "", ""},
		"fast":                 {500 * time.Millisecond, 0, 0, s, 2 * s, "", ""},
		"named below spacing":  {15 * s, s, 0, s, 60 * s, "polled every 1s as asked", ""},
		"range is too short":   {60 * s, 0, 60 * s, 60 * s, 60 * s, "holds fewer than 2", "rate range 1m holds fewer than 2 samples: they come about every 1m; try --rate=5m"},
		"range holds just two": {30 * s, 0, 60 * s, 30 * s, 60 * s, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.spacing = c.spacing
			r := next(t, f.open(t, func(cfg *Config) { cfg.Interval, cfg.Rate = c.interval, c.rate }))
			if r.Origin.Interval != c.wantInterval || r.Origin.RateRange != c.wantRate || !strings.Contains(r.Origin.Note, c.wantNote) {
				t.Errorf("%v %v %q", r.Origin.Interval, r.Origin.RateRange, r.Origin.Note)
			}
			if got := strings.Join(r.Warnings, ";"); got != c.wantWarningPart {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestTheSpacingIsLookedAtAgain(t *testing.T) {
	f := newFake(t)
	src := f.open(t, nil)
	if r := next(t, src); r.Origin.Scrape != 5*s {
		t.Fatal(r.Origin.Scrape)
	}
	f.spacing = 30 * s
	f.clock.advance(11 * time.Minute)
	if r := next(t, src); r.Origin.Scrape != 30*s || r.Origin.RateRange != 2*time.Minute {
		t.Errorf("%v %v", r.Origin.Scrape, r.Origin.RateRange)
	}
}
