package prom

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"stormtop/collector"
)

func TestTheCourseOfATargetIsReadWhenItIsOpened(t *testing.T) {
	s, f := steered(t)
	r, _ := live(t, s)
	target := targetOf(t, r, "lib", "pay").Target
	course, err := s.Course(context.Background(), target, f.clock.Now().Add(-time.Minute), f.clock.Now())
	if err != nil || len(course) != 13 {
		t.Fatalf("%d readings, %v", len(course), err)
	}
	for i, p := range course {
		if !p.Past || len(p.Targets) != 1 || p.Targets[0].Target.ID != target.ID || p.Targets[0].Values[collector.Amplification].V != 2 {
			t.Fatalf("%d: %+v", i, p)
		}
		if i > 0 && !p.At.After(course[i-1].At) {
			t.Fatal("out of order")
		}
	}
}

func TestCallersComeWithTheMostAttemptsFirst(t *testing.T) {
	s, _ := steered(t)
	r, _ := live(t, s)
	rows, err := s.Callers(context.Background(), targetOf(t, r, "lib", "pay").Target)
	if err != nil || len(rows) != 2 {
		t.Fatalf("%+v %v", rows, err)
	}
	if rows[0].Target.Name != "app" || rows[0].Values[collector.Amplification].V != 3.5 || rows[1].Target.Name != "web" {
		t.Errorf("%+v", rows)
	}
}

func TestQuestionsBeforeTheFirstReadingAreRefused(t *testing.T) {
	s, _ := steered(t)
	if _, err := s.Course(context.Background(), collector.Target{}, epoch, epoch); err == nil {
		t.Error("no error")
	}
}

// TestQuestionsDoNotDisturbThePoll runs both at once, for the race detector.
func TestQuestionsDoNotDisturbThePoll(t *testing.T) {
	s, f := steered(t)
	r, _ := live(t, s)
	target := targetOf(t, r, "lib", "pay").Target
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 10 {
				if _, err := s.Callers(context.Background(), target); err != nil {
					t.Error(err)
				}
				if _, err := s.Course(context.Background(), target, f.clock.Now().Add(-time.Minute), f.clock.Now()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 20 {
		next(t, s)
	}
	wg.Wait()
}

// TestThePastComesInChunksAndKeepsItsGaps: 2 days at 5 s are more steps than a
// server answers at once.
func TestThePastComesInChunksAndKeepsItsGaps(t *testing.T) {
	s, f := steered(t)
	to := f.clock.Now()
	from := to.Add(-10 * time.Hour)
	f.asked()
	var n int
	var last time.Time
	err := s.Through(context.Background(), from, to, func(r *collector.Reading) error {
		if r.Past || !last.IsZero() && r.At.Sub(last) != 5*time.Second || len(r.Targets) != 1 {
			t.Fatalf("%v after %v: %+v", r.At, last, r)
		}
		n, last = n+1, r.At
		return nil
	})
	if err != nil || n != 7201 {
		t.Errorf("%d readings, %v", n, err)
	}
	for _, q := range f.asked() {
		if start := q.form["start"]; start != nil && (number(q.form["end"])-number(start))/number(q.form["step"]) >= 11_000 {
			t.Errorf("more steps than a server takes: %v", q.form)
		}
		if strings.Contains(q.query, detectLabel) && number(q.form["time"]) < float64(to.Unix())-5 {
			t.Errorf("looked for at %v", q.form["time"])
		}
	}
}

// TestASystemThatIsGoneByTheEndIsFoundInItsPast, and what is written of it is of
// what was found there.
func TestASystemThatIsGoneByTheEndIsFoundInItsPast(t *testing.T) {
	f := newFake(t)
	f.metrics = map[string]map[string]string{"stormtop_requests_total": {"a": "10"}, "stormtop_attempts_total": {"a": "20"}, "stormtop_at_limit_total": {"a": "1"}}
	gone := epoch.Add(-30 * time.Minute)
	f.on(func(q request) *canned {
		if q.form["time"] == nil || number(q.form["time"]) > float64(gone.Unix()) {
			return detected()(q)
		}
		return detected("stormtop")(q)
	})
	s := f.openForDetection(t, nil)
	from, n := epoch.Add(-time.Hour), 0
	if err := s.Judgeable(context.Background(), from, epoch); err != nil {
		t.Fatal(err)
	}
	if err := s.Through(context.Background(), from, epoch, func(*collector.Reading) error { n++; return nil }); err != nil || n == 0 {
		t.Fatalf("%d readings, %v", n, err)
	}
	got, rate, err := s.Express(context.Background())
	if err != nil || len(got) != 1 || rate != 20*time.Second || !strings.Contains(got[0].Queries[collector.Ingress], "stormtop_requests_total") {
		t.Errorf("%v, %s, %+v", err, rate, got)
	}
	never := f.openForDetection(t, nil)
	if err := never.Through(context.Background(), gone.Add(time.Minute), epoch, func(*collector.Reading) error { return nil }); err == nil || !strings.Contains(err.Error(), "none of") {
		t.Errorf("where there never was any: %v", err)
	}
}
