package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
)

var noon = time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)

// readings is a source with a reading a second; past ones come first.
func readings(past, live int) collector.Source {
	origin := &collector.Origin{Source: "test", Interval: time.Second}
	next := -past
	return collector.SourceFunc(func(ctx context.Context) (*collector.Reading, error) {
		if next == live {
			return nil, io.EOF
		}
		next++
		return &collector.Reading{At: noon.Add(time.Duration(next) * time.Second), Past: next <= 0, Origin: origin}, ctx.Err()
	})
}

func TestThePumpEndsInOrderOrSaysWhyNot(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name string
		src  collector.Source
		emit error
		want error
		seen int
	}{
		{"the source ends", readings(2, 3), nil, nil, 5},
		{"enough was seen", readings(2, 3), errDone, nil, 1},
		{"the output is broken", readings(2, 3), broken, broken, 1},
		{"the source is broken", collector.SourceFunc(func(context.Context) (*collector.Reading, error) { return nil, broken }), nil, broken, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := &diary{Watch: watch.New(alerts.Documented(), time.Minute, 1)}
			seen := 0
			err := pump(t.Context(), test.src, w, func(r *collector.Reading, _ []collector.Event) error {
				seen++
				return test.emit
			})
			if !errors.Is(err, test.want) || seen != test.seen {
				t.Errorf("%v after %d readings, want %v after %d", err, seen, test.want, test.seen)
			}
		})
	}
}

func TestAPanicInASourceIsACrashWithItsTrace(t *testing.T) {
	src := collector.SourceFunc(func(context.Context) (*collector.Reading, error) { panic("oh") })
	err := pump(t.Context(), src, watch.New(nil, time.Minute, 1), nil)
	var c *crash
	if !errors.As(err, &c) || !strings.Contains(err.Error(), "oh") || !strings.Contains(err.Error(), "pump_test.go") {
		t.Errorf("%v", err)
	}
}

func TestTheLimitCountsLiveDataOnly(t *testing.T) {
	for _, test := range []struct {
		limit time.Duration
		want  int
	}{
		{0, 4 + 9}, {time.Nanosecond, 4 + 1}, {time.Second, 4 + 1}, {1500 * time.Millisecond, 4 + 2}, {5 * time.Second, 4 + 5}, {time.Hour, 4 + 9},
	} {
		src := limited(readings(4, 9), test.limit)
		n := 0
		for {
			if _, err := src.Next(t.Context()); err != nil {
				if !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				break
			}
			n++
		}
		if n != test.want {
			t.Errorf("with %v: %d readings, want %d", test.limit, n, test.want)
		}
	}
}

type retrying struct {
	collector.Source
	asked *bool
}

func (r retrying) Retry() { *r.asked = true }

func TestADecoratedSourceCanStillBeAskedToTryAgain(t *testing.T) {
	asked := false
	again, ok := limited(retrying{readings(0, 1), &asked}, time.Second).(collector.Retrier)
	if !ok {
		t.Fatal("it cannot")
	}
	if again.Retry(); !asked {
		t.Error("the source was not asked")
	}
	if _, ok := limited(readings(0, 1), time.Second).(collector.Retrier); ok {
		t.Error("a source that cannot try again pretends to")
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestEndsThatAreNotInOrderHaveAStatusOfTheirOwn(t *testing.T) {
	fails := func(err error) collector.Source {
		return collector.SourceFunc(func(context.Context) (*collector.Reading, error) { return nil, err })
	}
	for _, test := range []struct {
		name   string
		src    collector.Source
		stdout io.Writer
		want   int
		says   string
	}{
		{"a bug", collector.SourceFunc(func(context.Context) (*collector.Reading, error) { panic("oh") }), io.Discard, exitCrashed, "pump_test.go"},
		{"a source that cannot work as configured", fails(errors.New("a setting is wrong")), io.Discard, exitUsage, "a setting is wrong"},
		{"an output that cannot be written to", readings(0, 3), brokenPipe{}, exitCrashed, "broken pipe"},
		{"a source that ends before it began", readings(0, 0), io.Discard, exitNoData, ""},
		{"a source without a value", readings(0, 3), io.Discard, exitNoData, ""},
	} {
		for name, run := range map[string]func(context.Context, program) int{"once": runOnce, "plain": runPlain} {
			t.Run(test.name+" "+name, func(t *testing.T) {
				var stderr strings.Builder
				got := run(t.Context(), program{
					source: test.src, watch: &diary{Watch: watch.New(alerts.Documented(), time.Minute, 1)},
					stdout: test.stdout, stderr: &stderr,
				})
				if got != test.want || !strings.Contains(stderr.String(), test.says) {
					t.Errorf("exit status %d, %q, want %d, %q", got, stderr.String(), test.want, test.says)
				}
			})
		}
	}
}

func TestOneReadingOfEndpointsTakesTheRangeOfTheRates(t *testing.T) {
	for _, test := range []struct {
		name   string
		scrape []string
		fails  bool
		want   int
	}{
		{"a server has the past", nil, false, 1},
		{"endpoints have none", []string{"127.0.0.1:9477"}, false, 5},
		{"endpoints that cannot be read", []string{"127.0.0.1:9477"}, true, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			taken := 0
			src := collector.SourceFunc(func(ctx context.Context) (*collector.Reading, error) {
				r := &collector.Reading{
					At:     noon.Add(time.Duration(taken) * time.Second),
					Origin: &collector.Origin{Source: "test", Interval: time.Second, RateRange: 4 * time.Second},
				}
				if taken++; test.fails {
					r.Failures = []collector.Failure{{Text: "no connection"}}
				}
				return r, ctx.Err()
			})
			p := program{source: src, watch: &diary{Watch: watch.New(nil, time.Minute, 1)}, stdout: io.Discard, stderr: io.Discard}
			p.settings.scrape = test.scrape
			runOnce(t.Context(), p)
			if taken != test.want {
				t.Errorf("%d readings were taken, want %d", taken, test.want)
			}
		})
	}
}

func TestAnInterruptionBeforeTheFirstReadingIsNoData(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	src := collector.SourceFunc(func(ctx context.Context) (*collector.Reading, error) {
		cancel()
		return nil, ctx.Err()
	})
	var stderr strings.Builder
	got := runOnce(ctx, program{source: src, watch: &diary{Watch: watch.New(nil, time.Minute, 1)}, stdout: io.Discard, stderr: &stderr})
	if got != exitNoData || !strings.Contains(stderr.String(), "interrupted before the first reading") {
		t.Errorf("exit status %d, %q", got, stderr.String())
	}
}
