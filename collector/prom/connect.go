package prom

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector"
	"stormtop/collector/promql"
)

const (
	observeEvery = 10 * time.Minute // how often drift and spacing are looked at again
	observeSoon  = 2 * time.Second  // the same while the spacing is not known, doubling up to a minute
	driftNoted   = 30 * time.Second // a clock difference that is worth a remark
)

// connect asks the server for its time: the cheapest query there is, which
// also finds out whether it can be reached, and by which method.
func (s *Source) connect(ctx context.Context, r *collector.Reading) *failure {
	before := s.cfg.Clock.Now()
	res := s.q.instant(ctx, "time()", time.Time{}, 1)
	addCost(r, res.cost)
	if res.fail != nil {
		return res.fail
	}
	after := s.cfg.Clock.Now()
	if len(res.ans.points) == 0 {
		return nil
	}
	v := res.ans.points[0].v
	if math.IsNaN(v) || v < 1e9 || v > 1e11 {
		return nil // no clock: ours will have to do
	}
	server := time.UnixMilli(int64(v * 1000))
	s.drift = server.Sub(before.Add(after.Sub(before) / 2))
	return nil
}

func (s *Source) driftNote() string {
	if s.drift.Abs() <= driftNoted {
		return ""
	}
	word := "ahead of"
	if s.drift < 0 {
		word = "behind"
	}
	return fmt.Sprintf("the clock of %s is %s %s this machine's; its time is used",
		collector.Clean(s.q.addr.url.Host), collector.FormatDuration(s.drift.Abs()), word)
}

func (s *Source) observationDue() bool {
	every := observeEvery
	if s.spacing == 0 {
		every = min(observeSoon<<min(s.looks, 10), time.Minute)
	}
	return s.observed.IsZero() || s.cfg.Clock.Now().Sub(s.observed) >= every
}

// observe finds out how often samples come, on the slowest side of all systems,
// and how far the clocks are apart. What fails leaves things as they are.
func (s *Source) observe(ctx context.Context, r *collector.Reading) {
	if s.observed.IsZero() {
		s.progress("looking how often samples come", 0, 0)
	} else {
		s.connect(ctx, r)
	}
	s.observed = s.cfg.Clock.Now()
	s.looks++
	if found := s.spacingAt(ctx, r); found > 0 {
		s.spacing, s.looks = found, 0
	}
}

// spacingAt is how often samples come at the time that is looked at, on the
// slowest side of all systems; 0 where that is not known.
func (s *Source) spacingAt(ctx context.Context, r *collector.Reading) time.Duration {
	var sels []string
	for _, sys := range s.systems {
		in, down := sys.plan.sides()
		for _, sel := range []string{in, down} {
			if sel != "" && !slices.Contains(sels, sel) {
				sels = append(sels, sel)
			}
		}
	}
	var found time.Duration
	for _, sel := range sels {
		found = max(found, s.observeSpacing(ctx, sel, r))
	}
	return found
}

// observeSpacing looks at the raw samples of one series of a selector: the one
// with the newest sample.
func (s *Source) observeSpacing(ctx context.Context, sel string, r *collector.Reading) time.Duration {
	res := s.q.instant(ctx, fmt.Sprintf("topk(1, timestamp(%s))", sel), s.looking(), 1)
	addCost(r, res.cost)
	if res.fail != nil || len(res.ans.series) == 0 {
		return 0
	}
	one, ok := exactly(sel, res.ans.series[0].labels)
	if !ok {
		return 0
	}
	for _, back := range []string{"5m", "1h"} {
		res := s.q.instant(ctx, one+"["+back+"]", s.looking(), 1)
		addCost(r, res.cost)
		if res.fail != nil {
			return 0
		}
		if len(res.ans.series) == 0 {
			continue
		}
		first := res.ans.series[0]
		if d := spacingOf(res.ans.points[first.start:first.end]); d > 0 {
			return d
		}
	}
	return 0
}

// exactly narrows a selector down to the one series of a label set.
func exactly(sel string, set *labelSet) (string, bool) {
	expr, err := promql.Language.ParseExpr(sel)
	vs, ok := expr.(*parser.VectorSelector)
	if err != nil || !ok {
		return "", false
	}
	one := parser.VectorSelector{Name: vs.Name, LabelMatchers: vs.LabelMatchers}
	for _, l := range set.labels {
		if l.Name == "__name__" {
			continue
		}
		m, err := labels.NewMatcher(labels.MatchEqual, l.Name, l.Value)
		if err != nil {
			return "", false
		}
		one.LabelMatchers = append(one.LabelMatchers, m)
	}
	return one.String(), true
}
