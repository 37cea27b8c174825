package prom

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"stormtop/collector"
	"stormtop/collector/measure"
	"stormtop/collector/pace"
)

// job is one query of a poll and what became of it.
type job struct {
	system *system
	name   string // of the signal, for warnings
	query  string
	signal collector.Signal // NoSignal for an age query
	side   int              // of an age query
	health *health
	result
}

// poll reads all signals for the time of r. A failure means that nothing could
// be read; else r is complete.
func (s *Source) poll(ctx context.Context, r *collector.Reading) *failure {
	var signals, ages []*job
	for _, sys := range s.systems {
		of, old := sys.jobs(r.At, s.rate())
		signals, ages = append(signals, of...), append(ages, old...)
	}
	if s.down && len(signals) > 0 {
		// One query finds out whether the others are worth sending; a
		// different one each time, for the first may be what is wrong.
		probe := signals[s.tries%len(signals)]
		s.run(ctx, r, []*job{probe})
		if probe.fail != nil {
			return probe.fail
		}
	}
	s.run(ctx, r, append(signals, ages...))
	if ctx.Err() != nil {
		return nil
	}
	if f := nothing(signals); f != nil {
		return f
	}
	s.rise()
	s.assemble(r, func(sys *system) measure.Part { return s.read(ctx, sys, signals, ages, r) })
	r.Warnings = append(r.Warnings, s.unused(r)...)
	if !s.seen && len(r.Targets) == 0 && len(r.Failures) == 0 {
		return s.emptyStart(ctx, r)
	}
	return nil
}

// read makes the rows of one system of the answers.
func (s *Source) read(ctx context.Context, sys *system, signals, ages []*job, r *collector.Reading) measure.Part {
	sh := sys.sheet()
	for _, j := range signals {
		if j.system == sys {
			s.settle(j, sh, r)
		}
	}
	for _, sig := range sys.plan.Signals {
		if h := &sys.signals[sig]; h.fail != nil {
			sh.fail(sig)
			r.Failures = append(r.Failures, s.signalFailure(sys, sig, r.At))
		}
	}
	if sys.hasFailed() {
		for _, t := range sys.known {
			sh.rows.Row(t)
		}
	} else if sys.cover.due(sh.rows.List) {
		s.look(ctx, sys, r, sh.rows.List)
	}
	c := conditions{old: s.settleAges(sys, ages, r), baselines: *s.dividing(), short: sys.cover.short}
	part, remark := sh.finish(c)
	sys.remember(part.Rows)
	r.Warnings = append(r.Warnings, sys.remarks...)
	if remark != "" {
		r.Warnings = append(r.Warnings, remark)
	}
	r.Reporters = append(r.Reporters, sys.cover.reporters(sys.plan)...)
	return part
}

// named is the name of a system where several stand side by side, else "".
func (s *Source) named(sys *system) string {
	if len(s.systems) < 2 {
		return ""
	}
	return sys.plan.Name()
}

// A poll is quick whose queries take less than a fifth of the interval together,
// and less than half a second: it is done one by one, for handing queries from one
// thread to the next costs more than such a server takes to answer.
const (
	quickShare = 5
	quickPoll  = 500 * time.Millisecond
)

// parallel is how many queries are under way at once.
func (s *Source) parallel() int {
	if typical := s.load.typical(); typical > 0 && typical < min(quickPoll, s.interval()/quickShare) && !s.down {
		return 1
	}
	return maxParallel
}

// run sends the jobs that were not sent yet, a few at a time. Where there is no
// connection at all, the server refuses us as such, a second query is one too
// many for it (the first may be about that query alone), or as many as are sent
// at once time out before any was answered, the rest is not sent.
func (s *Source) run(ctx context.Context, r *collector.Reading, jobs []*job) {
	var (
		wg                      sync.WaitGroup
		mu                      sync.Mutex
		common                  *failure
		late, limited, answered int
		slots                   = make(chan struct{}, maxParallel)
		held                    = maxParallel - s.parallel() // places that are not used while all is quick
	)
	for range held {
		slots <- struct{}{}
	}
	for _, j := range jobs {
		if j.ans != nil || j.fail != nil {
			continue
		}
		slots <- struct{}{}
		mu.Lock()
		stop := common
		mu.Unlock()
		if stop != nil {
			j.fail = stop
			<-slots
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() { <-slots }()
			defer func() {
				if p := recover(); p != nil {
					j.fail = &failure{kind: collector.NotPrometheus, text: collector.Clean(fmt.Sprintf("internal error: %v", p))}
				}
			}()
			j.result = s.q.instant(ctx, j.query, r.At, j.health.hint)
			mu.Lock()
			defer mu.Unlock()
			addCost(r, j.cost)
			if j.signal != collector.NoSignal && j.ans != nil {
				r.Asked = append(r.Asked, collector.Asked{System: j.system.plan.Name(), Signal: j.signal, Series: len(j.ans.series), Cost: j.cost})
			}
			switch {
			case j.fail == nil:
				answered++
			case j.fail.kind == collector.TimedOut:
				late++
				for ; held > 0; held-- {
					<-slots
				}
			case j.fail.kind == collector.RateLimited:
				limited++
			}
			if j.fail != nil && (j.fail.dial || j.fail.code == 401 || limited > 1 || late >= maxParallel && answered == 0) {
				common = j.fail
			}
		}()
	}
	wg.Wait()
}

// nothing is the failure of a poll in which no signal could be read, or nil.
// It is the one that keeps us waiting longest, since it concerns all.
func nothing(signals []*job) *failure {
	var worst *failure
	for _, j := range signals {
		if j.fail == nil {
			return nil
		}
		if worst == nil || j.fail.kind == collector.RateLimited && worst.kind != collector.RateLimited {
			worst = j.fail
		}
	}
	if worst == nil {
		worst = &failure{kind: collector.Rejected, text: "no query is left that the server answers"}
	}
	return worst
}

// settle enters what became of a signal's query and decides when it is due again.
func (s *Source) settle(j *job, sh *sheet, r *collector.Reading) {
	h := j.health
	fail := j.fail
	if fail == nil {
		h.hint = len(j.ans.series)
		for _, w := range j.ans.warnings {
			r.Warnings = append(r.Warnings, j.name+": "+w)
		}
		if n := j.ans.histograms; n > 0 && len(j.ans.series) == 0 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s: %d native histograms are not numbers: use histogram_count(...) or histogram_sum(...)", j.name, n))
		}
		fail = sh.fill(j.signal, j.ans)
	}
	s.judge(h, fail, r.At)
}

// judge remembers a failure and when its query is sent again.
func (s *Source) judge(h *health, fail *failure, at time.Time) {
	h.fail = fail
	if fail == nil {
		h.back.Reset()
		h.due = time.Time{}
		return
	}
	switch fail.kind {
	case collector.Forbidden, collector.TooLarge:
		h.blocked = true
	case collector.Rejected:
		h.due = time.Time{} // the next slot
	case collector.RateLimited:
		if until := s.now().Add(max(fail.wait, h.back.Next(s.interval(), maxBackoff, s.cfg.Rand()))); until.After(s.wait) {
			s.wait = until
		}
	default:
		h.due = at.Add(max(fail.wait, h.back.Next(s.interval(), maxBackoff, s.cfg.Rand())))
	}
}

func (s *Source) signalFailure(sys *system, sig collector.Signal, at time.Time) collector.Failure {
	h := &sys.signals[sig]
	f := collector.Failure{Signal: sig, System: sys.plan.Name(), Kind: h.fail.kind, Text: h.fail.text}
	if !h.blocked {
		f.Retry, _ = s.slotAfter(at)
		if h.due.After(f.Retry) {
			step := s.interval()
			f.Retry = pace.Slot(h.due.Add(step-1), step)
		}
	}
	return f
}

// settleAges takes the newest samples of both sides from the age queries and
// says which side is older than it should be. A side whose series have ended
// answers nothing while rates still reach back to it: that is old as well.
func (s *Source) settleAges(sys *system, jobs []*job, r *collector.Reading) ages {
	var now [2]time.Time
	var old [2]bool
	var asked [2]bool
	for _, j := range jobs {
		if j.system != sys {
			continue
		}
		s.judge(j.health, j.fail, r.At)
		if j.fail != nil {
			r.Warnings = append(r.Warnings, "the age of the data is not known: "+j.fail.text)
			continue
		}
		asked[j.side] = true
		if len(j.ans.points) > 0 {
			if v := j.ans.points[0].v; v > 0 && v < 1e11 {
				now[j.side] = time.UnixMilli(int64(v * 1000)).UTC()
				sys.newest[j.side] = now[j.side]
			}
		}
	}
	allowed := max(2*s.interval(), 3*s.spacing)
	if s.spacing == 0 {
		allowed = max(allowed, 3*assumedInterval)
	}
	for side := range old {
		old[side] = asked[side] && (now[side].IsZero() || r.At.Sub(now[side]) > allowed)
	}
	if sys.filled.ages[1] == "" {
		old[1] = old[0]
	} else if sys.filled.ages[0] == "" {
		old[0] = old[1]
	}
	if asked[0] || asked[1] {
		r.Newest = oldest(r.Newest, oldest(sys.newest[0], sys.newest[1]))
	}
	return ages{ingress: old[0], downstream: old[1]}
}

// emptyStart tells an empty start apart: no series at all, as a wrong tenant
// or a wrong name gives, or series that have no rate yet.
func (s *Source) emptyStart(ctx context.Context, r *collector.Reading) *failure {
	sels := s.selectors(20)
	if len(sels) == 0 {
		return nil
	}
	for i, sel := range sels {
		sels[i] = "count(" + sel + ")"
	}
	res := s.q.instant(ctx, strings.Join(sels, " or "), r.At, 1)
	addCost(r, res.cost)
	switch {
	case res.fail != nil:
		return nil // the signals themselves were answered
	case len(res.ans.series) == 0:
		return &failure{kind: collector.NothingFound, text: s.nothingThere()}
	}
	if rateWarning(s.rate(), s.spacing) == "" { // else that says more, and waiting would not help
		r.Warnings = append(r.Warnings, "the series are there, but have no rate yet: it takes two samples within "+collector.FormatInterval(s.rate()))
	}
	return nil
}
