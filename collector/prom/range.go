package prom

import (
	"context"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
)

// Range reads a stretch of the past, at every step from one time to another
// (both included, aligned to the step), of all targets that were there. It is
// asked before the first Next, in the same goroutine. Values are divided by the
// present baselines. An error is a *Refused, or that of the context.
func (s *Source) Range(ctx context.Context, from, to time.Time, step time.Duration) ([]*collector.Reading, error) {
	cost := &collector.Reading{}
	if fail := s.prepare(ctx, cost); fail != nil {
		return nil, s.refusal(ctx, fail)
	}
	step = max(step.Truncate(time.Second), time.Second)
	sp := span{pace.Slot(from.Add(s.drift), step), pace.Slot(to.Add(s.drift), step), step}
	if sp.points() < 1 || sp.points() > maxSteps {
		return nil, &Refused{collector.Rejected, "the range holds no step, or more of them than a server answers at once"}
	}
	s.describe(cost)
	p := &past{source: s, origin: s.origin, spans: []span{sp}}
	for _, sys := range s.systems {
		pt, fail := s.rangeOf(ctx, sys, sp, cost)
		if fail != nil {
			return nil, s.refusal(ctx, fail)
		}
		p.parts = append(p.parts, pt)
	}
	var out []*collector.Reading
	for r := p.next(); r != nil; r = p.next() {
		out = append(out, r)
	}
	return out, nil
}

func (s *Source) refusal(ctx context.Context, f *failure) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return refused(f)
}

// rangeOf reads all signals of one system.
func (s *Source) rangeOf(ctx context.Context, sys *system, sp span, cost *collector.Reading) (*part, *failure) {
	pt := &part{system: sys}
	place := map[string]int{}
	answers := map[collector.Signal]*answer{}
	for _, sig := range sys.plan.Signals {
		res := s.q.ranged(ctx, sys.plan.query(sig, s.rate()), sp)
		addCost(cost, res.cost)
		if res.fail != nil {
			return nil, res.fail
		}
		answers[sig] = res.ans
		for _, se := range res.ans.series {
			if t := sys.plan.target(se.labels); place[t.ID] == 0 {
				pt.targets = append(pt.targets, t)
				place[t.ID] = len(pt.targets)
			}
		}
	}
	ps := pass{span: sp, columns: map[collector.Signal]*pastColumn{}}
	for sig, ans := range answers {
		col := newPastColumn(len(pt.targets))
		col.partial = len(ans.warnings) > 0
		for _, se := range ans.series {
			col.put(place[sys.plan.target(se.labels).ID]-1, ans.points[se.start:se.end], sp)
		}
		ps.columns[sig] = col
	}
	pt.passes = []pass{ps}
	return pt, nil
}
