package prom

import (
	"context"
	"errors"
	"fmt"
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
	return s.stretchOf(ctx, span{pace.Slot(from.Add(s.drift), step), pace.Slot(to.Add(s.drift), step), step}, false)
}

// stretchOf reads one span. begun is that there was something before it, so that
// steps at which nothing is known are a gap, and not what was before the start.
func (s *Source) stretchOf(ctx context.Context, sp span, begun bool) ([]*collector.Reading, error) {
	cost := &collector.Reading{}
	if sp.points() < 1 || sp.points() > maxSteps {
		return nil, &Refused{collector.Rejected, "the range holds no step, or more of them than a server answers at once"}
	}
	s.describe(cost)
	p := &past{source: s, origin: s.origin, spans: []span{sp}, begun: begun}
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

// pastChunk is how many steps of the past are asked for at once, at most.
const pastChunk = 2000

// Through hands out every reading from one time to another, oldest first, as if
// they had been taken then: at the interval of the source, in chunks that the
// server's limits allow, with progress. Systems are looked for as they were at
// the end, or before where they were gone by then. What is asked and what an error
// means is as in Range; an error of each is returned as it is.
func (s *Source) Through(ctx context.Context, from, to time.Time, each func(*collector.Reading) error) error {
	if fail := s.prepareIn(ctx, from, to); fail != nil {
		return s.refusal(ctx, fail)
	}
	step := max(s.interval().Truncate(time.Second), time.Second)
	from, to = pace.Slot(from, step), pace.Slot(to, step)
	what := "reading " + collector.FormatInterval(to.Sub(from).Truncate(time.Minute)) + " of the past"
	all := int(to.Sub(from)/step) + 1
	chunk, begun := time.Duration(pastChunk), false
	for at := from; !at.After(to); {
		s.progress(what, int(at.Sub(from)/step), all)
		end := at.Add((chunk - 1) * step)
		if end.After(to) {
			end = to
		}
		list, err := s.stretchOf(ctx, span{at, end, step}, begun)
		var no *Refused
		if errors.As(err, &no) && (no.Kind == collector.TooLarge || no.Kind == collector.TimedOut) && chunk > 10 {
			chunk /= 4 // many targets, or a slow server
			continue
		}
		if err != nil {
			return err
		}
		for _, r := range list {
			r.Past = false
			if err := each(r); err != nil {
				return err
			}
		}
		at, begun = end.Add(step), begun || len(list) > 0
	}
	return nil
}

// prepareIn looks for systems as they were at the end of a stretch, or before,
// where they were gone by then.
func (s *Source) prepareIn(ctx context.Context, from, to time.Time) (fail *failure) {
	for i := range time.Duration(5) {
		s.asOf = to.Add(from.Sub(to) / 4 * i)
		if fail = s.prepare(ctx, &collector.Reading{}); fail == nil || fail.kind != collector.NothingFound || ctx.Err() != nil {
			break
		}
	}
	s.asOf = to
	return fail
}

// Judgeable says why rules cannot be judged by the past of a stretch: its
// samples come so seldom that rates are empty, as where a server has kept no
// more than every fifth minute of what is old. It is asked before Through, and
// an error is a *Refused, or that of the context.
func (s *Source) Judgeable(ctx context.Context, from, to time.Time) error {
	if v := s.q.params.all()["max_source_resolution"]; v != "" && v != "0" && v != "0s" {
		return &Refused{collector.Rejected, "max_source_resolution=" + collector.Clean(v) +
			" is asked for: rules are judged by all samples only, leave --prom.param=max_source_resolution out"}
	}
	if fail := s.prepareIn(ctx, from, to); fail != nil {
		return s.refusal(ctx, fail)
	}
	defer func() { s.asOf = to }()
	for i := range time.Duration(4) { // what is old is coarse, where there is something
		s.asOf = from.Add(to.Sub(from) / 4 * i)
		spacing := s.spacingAt(ctx, &collector.Reading{})
		if err := ctx.Err(); err != nil {
			return err
		}
		if rate := s.rate(); spacing > 0 && rate < 2*spacing {
			return &Refused{collector.Rejected, fmt.Sprintf("at %s samples come every %s: rates over %s are empty there; begin later, or take --rate=%s",
				s.asOf.UTC().Format("2006-01-02 15:04Z"), collector.FormatInterval(spacing), collector.FormatInterval(rate),
				collector.FormatInterval(pace.RateRange(spacing)))}
		}
		if spacing > 0 {
			return nil
		}
	}
	return nil
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
