package prom

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
)

// probeView is what questions from other goroutines are answered by. It shares
// nothing with the poll that changes.
type probeView struct {
	systems   []*system // copies: plans of their own, nothing known
	q         *querier
	rate      time.Duration
	interval  time.Duration
	baselines collector.Baselines
	origin    *collector.Origin
}

func (s *Source) probeView(b collector.Baselines) *probeView {
	v := &probeView{q: s.q, rate: s.rate(), interval: s.interval(), baselines: b, origin: s.origin}
	for _, sys := range s.systems {
		v.systems = append(v.systems, &system{plan: sys.plan.regroup(sys.plan.By)})
	}
	return v
}

// errNotYet says that nothing was read so far.
var errNotYet = errors.New("nothing was read yet: ask again when the first numbers are there")

// of finds the system of a target.
func (s *Source) of(t collector.Target) (*probeView, *plan, error) {
	v := s.probed.Load()
	if v == nil || len(v.systems) == 0 {
		return nil, nil, errNotYet
	}
	for _, sys := range v.systems {
		if p := sys.plan; p.Profile.Name == t.System && p.Kind == t.Kind {
			own, q := *v, *v.q
			q.in = newInterner() // what it remembers belongs to one goroutine
			own.q = &q
			return &own, p.regroup(p.By), nil
		}
	}
	return nil, nil, fmt.Errorf("%s is not read any more", t.Name)
}

// Course implements collector.Prober.
func (s *Source) Course(ctx context.Context, t collector.Target, from, to time.Time) ([]*collector.Reading, error) {
	v, p, err := s.of(t)
	if err != nil {
		return nil, err
	}
	step := v.interval
	sp := span{pace.Slot(from, step), pace.Slot(to, step), step}
	if coarse := (sp.end.Sub(sp.start)/maxSteps + step - 1) / step * step; coarse > step {
		sp = span{pace.Slot(from, coarse), pace.Slot(to, coarse), coarse}
	}
	if sp.points() < 1 {
		return nil, nil
	}
	sys := &system{plan: p}
	pt := &part{system: sys, targets: []collector.Target{t}}
	ps := pass{span: sp, columns: map[collector.Signal]*pastColumn{}}
	one := &Source{cfg: s.cfg, q: v.q, systems: []*system{sys}}
	for _, sig := range p.Signals {
		query := p.query(sig, v.rate)
		res := one.rangedFor(ctx, &collector.Reading{}, p, query, sp, pt.targets, true)
		if res.fail != nil {
			return nil, fmt.Errorf("the past of %s could not be read: %s", t.Name, res.fail.text)
		}
		col := newPastColumn(1)
		for _, se := range res.ans.series {
			if p.Target(se.labels.labels).ID == t.ID {
				col.put(0, res.ans.points[se.start:se.end], sp)
			}
		}
		ps.columns[sig] = col
	}
	var out []*collector.Reading
	for i := range sp.points() {
		part, _ := pt.sheet(&ps, i).finish(conditions{baselines: v.baselines})
		if rows := part.Rows; len(rows) > 0 {
			out = append(out, &collector.Reading{At: sp.start.Add(time.Duration(i) * sp.step).UTC(), Origin: v.origin, Past: true, Targets: rows})
		}
	}
	return out, nil
}

// Callers implements collector.Prober.
func (s *Source) Callers(ctx context.Context, t collector.Target) ([]collector.Row, error) {
	v, p, err := s.of(t)
	if err != nil || len(p.callers) == 0 || p.Fixed != nil {
		return nil, err
	}
	wide := p.with(p.callers...)
	if len(wide.By) == len(p.By) {
		return nil, nil // they are the targets already
	}
	sh := newSheet(wide, 8)
	for _, sig := range p.Signals {
		if sig > collector.Rescued {
			continue
		}
		query, ok := restrict(wide.query(sig, v.rate), valuesOf([]collector.Target{t}, p.By))
		if !ok {
			continue
		}
		res := v.q.instant(ctx, query, time.Time{}, 8)
		if res.fail == nil {
			res.fail = sh.fill(sig, res.ans)
		}
		if res.fail != nil {
			return nil, fmt.Errorf("the callers of %s could not be read: %s", t.Name, res.fail.text)
		}
	}
	part, _ := sh.finish(conditions{baselines: v.baselines})
	rows := part.Rows
	for i := range rows {
		var labels []collector.Label
		for _, l := range rows[i].Target.Labels {
			if slices.Contains(p.callers, l.Name) {
				labels = append(labels, l)
			}
		}
		rows[i].Target = collector.NewTarget(t.Kind, labels...).In(t.System)
	}
	slices.SortStableFunc(rows, func(a, b collector.Row) int {
		return cmp.Compare(b.Values[collector.Downstream].V, a.Values[collector.Downstream].V)
	})
	return rows, nil
}
