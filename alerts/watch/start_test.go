package watch_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/collector/prom"
)

// server is a Prometheus, as far as a start needs one, in which the attempts of
// one target rise from 202 to 496 a second for 200 requests a second at storm.
// It answers 503 before up.
type server struct {
	mu        sync.Mutex
	now       time.Time // also the clock of the source
	up, storm time.Time
}

func (s *server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// After jumps to the end of every wait.
func (s *server) After(d time.Duration) <-chan time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(max(d, 0))
	ch := make(chan time.Time, 1)
	ch <- s.now
	return ch
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query, now := r.FormValue("query"), s.Now()
	seconds := func(name string, or time.Time) float64 {
		if f, err := strconv.ParseFloat(r.FormValue(name), 64); err == nil {
			return f
		}
		return float64(or.UnixMilli()) / 1000
	}
	value := func(at float64) float64 {
		switch {
		case strings.Contains(query, "in_total"):
			return 200
		case at < float64(s.storm.Unix()):
			return 202
		}
		return 496
	}
	at := seconds("time", now)
	kind, result := "vector", fmt.Sprintf(`[{"metric":{"service":"payments"},"value":[%f,"%f"]}]`, at, value(at))
	switch {
	case now.Before(s.up):
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case query == "time()":
		kind, result = "scalar", fmt.Sprintf(`[%f,"%f"]`, seconds("", now), seconds("", now))
	case strings.Contains(query, "timestamp("):
		result = fmt.Sprintf(`[{"metric":{"service":"payments"},"value":[%f,"%f"]}]`, at, math.Floor(at))
	case strings.HasSuffix(query, "m]"):
		kind, result = "matrix", fmt.Sprintf(`[{"metric":{},"values":[[%f,"1"],[%f,"2"],[%f,"3"]]}]`, at-10, at-5, at)
	case strings.HasSuffix(r.URL.Path, "query_range"):
		var points []string
		for t := seconds("start", now); t <= seconds("end", now)+1e-6; t += seconds("step", now) {
			points = append(points, fmt.Sprintf(`[%f,"%f"]`, t, value(t)))
		}
		kind, result = "matrix", `[{"metric":{"service":"payments"},"values":[`+strings.Join(points, ",")+`]}]`
	}
	fmt.Fprintf(w, `{"status":"success","data":{"resultType":%q,"result":%s}}`, kind, result)
}

// TestAServerThatComesUpInMidStormIsJudgedAsIfItHadBeenWatched: it was down for
// the first half minute, and the storm is older than that.
func TestAServerThatComesUpInMidStormIsJudgedAsIfItHadBeenWatched(t *testing.T) {
	start := time.Date(2026, 5, 4, 12, 0, 0, 300e6, time.UTC)
	s := &server{now: start, up: start.Add(30 * time.Second), storm: time.Date(2026, 5, 4, 11, 55, 0, 0, time.UTC)}
	web := httptest.NewServer(s)
	defer web.Close()
	src, _, err := prom.Open(prom.Config{
		URL: web.URL, Clock: s, By: []string{"service"}, Span: 15 * time.Minute, Rules: alerts.Documented(),
		Signals: map[collector.Signal]string{
			collector.Ingress:    "sum by ($by) (rate(in_total[$window]))",
			collector.Downstream: "sum by ($by) (rate(down_total[$window]))",
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := watch.New(alerts.Documented(), 15*time.Minute, watch.DefaultTargets)
	var blind int
	for w.Snapshot().Last == nil || w.Snapshot().Last.Empty() || w.Snapshot().Last.Past {
		r, err := src.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if r.Blind() {
			blind++
		}
		w.Add(r)
	}
	got := w.Snapshot()
	id := got.Good.Targets[0].Target.ID
	if blind < 2 || !got.BlindSince.IsZero() || got.Last != got.Good || got.Last.At.Before(s.up.Add(-5*time.Second)) {
		t.Fatalf("%d blind readings, blind since %v, last %v", blind, got.BlindSince, got.Last.At)
	}
	st := got.Statuses[0]
	if st.Rule.Name != alerts.RetryAmplificationHigh || st.Shown != alerts.Firing || st.Held || st.AtLeast ||
		!st.ActiveAt.Equal(s.storm) || !st.FiredAt.Equal(s.storm.Add(time.Minute)) {
		t.Errorf("%s %v held %v, above since %v, fired at %v", st.Rule.Name, st.Shown, st.Held, st.ActiveAt, st.FiredAt)
	}
	if got.Cause.Cause != alerts.CauseRetries {
		t.Errorf("cause %q", got.Cause.Text)
	}
	series := got.History.Series(id, collector.Amplification)
	if series.Len() != 180 && series.Len() != 181 {
		t.Errorf("%d points in the span", series.Len())
	}
	for i := range series.Len() {
		if series.State(i) != collector.Ok || i > 0 && series.Time(i).Sub(series.Time(i-1)) != 5*time.Second {
			t.Fatalf("point %d at %v is %v", i, series.Time(i), series.State(i))
		}
	}
	var told []collector.EventKind
	for i, e := range got.Events {
		told = append(told, e.Kind)
		if i > 0 && e.At.Before(got.Events[i-1].At) {
			t.Errorf("event %d at %v comes after one at %v", i, e.At, got.Events[i-1].At)
		}
	}
	want := []collector.EventKind{
		collector.EventStart, collector.EventPending, collector.EventFiring, collector.EventFiring, collector.EventBlind, collector.EventSighted,
	}
	if fmt.Sprint(told) != fmt.Sprint(want) {
		t.Errorf("events %v, want %v", told, want)
	}
	phases := got.Phases(alerts.RetryAmplificationHigh, id)
	if n := len(phases); n != 3 || phases[2].State != alerts.Firing || !phases[2].To.IsZero() {
		t.Errorf("the blind time was filled in, but the phases are %+v", phases)
	}
}

func past(rs []*collector.Reading) []*collector.Reading {
	out := make([]*collector.Reading, len(rs))
	for i, r := range rs {
		c := *r
		c.Past = true
		out[i] = &c
	}
	return out
}

// TestOnlyEmptyReadingsMakeRoomForThePast: of anything that was read before,
// nothing may be lost.
func TestOnlyEmptyReadingsMakeRoomForThePast(t *testing.T) {
	storm := watchtest.Storm{Targets: 3}
	back := past(storm.Readings(0, time.Minute))
	lost := watchtest.Blind(90*time.Second, collector.Failure{Kind: collector.Unreachable, Text: "down"})
	nobody := *storm.Reading(80 * time.Second)
	nobody.Targets, nobody.Total = nil, collector.Total(nil)
	for name, c := range map[string]struct {
		before []*collector.Reading
		points int
	}{
		"nothing":          {nil, 13},
		"a blind reading":  {[]*collector.Reading{lost}, 13},
		"no targets":       {[]*collector.Reading{&nobody, lost}, 13},
		"a reading":        {[]*collector.Reading{storm.Reading(70 * time.Second)}, 1},
		"one, then blind":  {[]*collector.Reading{storm.Reading(70 * time.Second), lost}, 2},
		"the past already": {past(storm.Readings(0, 30*time.Second)), 13},
	} {
		s := watchtest.Play(alerts.Documented(), append(append([]*collector.Reading{}, c.before...), back...)...)
		if got := s.History.Len(); got != c.points {
			t.Errorf("%s: %d points, want %d", name, got, c.points)
		}
		starts := 0
		for _, e := range s.Events {
			if e.Kind == collector.EventStart {
				starts++
			}
		}
		if starts != 1 {
			t.Errorf("%s: %d starts", name, starts)
		}
	}
}

// TestABlindTimeLongerThanTheSpanIsUnknownBeforeIt: what was filled in begins
// after the view was lost.
func TestABlindTimeLongerThanTheSpanIsUnknownBeforeIt(t *testing.T) {
	storm := watchtest.Storm{Targets: 3, Calm: true}
	rs := []*collector.Reading{watchtest.Blind(0, collector.Failure{Kind: collector.Unreachable})}
	rs = append(rs, past(storm.Readings(30*time.Minute, 44*time.Minute))...)
	rs = append(rs, storm.Reading(45*time.Minute))
	s := watchtest.Play(alerts.Documented(), rs...)
	got := s.Phases(alerts.RetryAmplificationHigh, watchtest.Service(watchtest.Payments).ID)
	if len(got) != 2 || got[0].State != alerts.Unknown || got[1].State != alerts.Inactive || !got[1].From.Equal(watchtest.Start.Add(30*time.Minute)) {
		t.Errorf("%+v", got)
	}
}
