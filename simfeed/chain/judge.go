package chain

import (
	"math"
	"time"
)

// How many windows in a row decide.
const (
	recoveredAfter = 3
	stuckAfter     = 10
)

// level is how a run does over some windows: per class the share of the
// answers that are successes and the amplification, and the worst p99. It is of
// the answers, not of the requests as the signal delivered is: requests of a
// window are mostly answered in later ones, and by chance one has more of them
// than the next.
type level struct {
	delivered, ratio []float64
	p99              time.Duration
}

func levelOf(windows []Window) level {
	var l level
	if len(windows) == 0 {
		return l
	}
	for i := range windows[0].Classes {
		var requests, attempts, delivered, failed int64
		for k := range windows {
			c := &windows[k].Classes[i]
			requests += c.Requests
			attempts += c.Attempts
			delivered += c.Delivered
			failed += c.Failed
			l.p99 = max(l.p99, c.Latency.P99)
		}
		// No answers to requests is the worst that can be; no requests is well.
		share, ratio := 1.0, 1.0
		if answers := delivered + failed; answers > 0 {
			share = float64(delivered) / float64(answers)
		} else if requests > 0 {
			share = 0
		}
		if requests > 0 {
			ratio = float64(attempts) / float64(requests)
		} else if attempts > 0 {
			ratio = math.Inf(1)
		}
		l.delivered, l.ratio = append(l.delivered, share), append(l.ratio, ratio)
	}
	return l
}

// inside reports whether a window is as the baseline was.
func (j Judge) inside(base level, w *Window) bool {
	now := levelOf([]Window{*w})
	for i := range now.delivered {
		if now.delivered[i] < base.delivered[i]-j.Tolerance || now.ratio[i] > base.ratio[i]*(1+j.Ratio) {
			return false
		}
	}
	return j.Latency == 0 || float64(now.p99) <= j.Latency*float64(base.p99)
}

// idle reports whether a window has nothing to judge by: nobody asked, nobody
// was answered, and nothing was tried again.
func (w *Window) idle() bool {
	for i := range w.Classes {
		if c := &w.Classes[i]; c.Requests+c.Attempts+c.Delivered+c.Failed > 0 {
			return false
		}
	}
	return true
}

// before is the windows that end before an instant.
func before(windows []Window, t time.Duration) []Window {
	for i := range windows {
		if windows[i].End > t {
			return windows[:i]
		}
	}
	return windows
}

// calmStart is how many windows are the baseline of a run without a trigger,
// or with one at its very start.
func calmStart(windows []Window) []Window {
	return windows[:min(len(windows), max(recoveredAfter, min(stuckAfter, len(windows)/10)))]
}

// judge reaches the verdict on a run. Metastable is what stays outside by itself:
// not while something of the trigger, or what an operator did about it, is in
// force. What was metastable before an operator came stays so unless it
// recovers. control are the windows of the control run (nil when there was none).
func (s *Scenario) judge(windows, control []Window) (Verdict, Judged) {
	from, to, triggered := s.Trigger()
	calm := before(windows, from)
	if !triggered || len(calm) == 0 {
		calm = calmStart(windows)
	}
	if len(windows) == 0 {
		return NotJudged, Judged{}
	}
	base := levelOf(calm)
	out := Judged{From: from, To: to, Delivered: 1, P99: base.p99}
	for i, c := range s.Classes {
		if class, _ := s.Watched(); c.Name == class {
			out.Delivered, out.Amplification = base.delivered[i], base.ratio[i]
		}
	}
	if !triggered {
		if at, left := s.Judge.leaves(base, windows[len(calm):]); left {
			out.ControlFailed = at
			return UnstableWithout, out
		}
		return NoTrigger, out
	}
	if len(control) > len(calm) {
		if at, left := s.Judge.leaves(base, control[len(calm):]); left {
			out.ControlFailed = at
			return UnstableWithout, out
		}
	}
	verdict := NotJudged
	inside, outside, held := 0, 0, 0 // held: outside while something is in force
	var insideFrom time.Duration
	force := newForces(s)
	for i := range windows {
		w := &windows[i]
		force.before(w.End)
		if w.Start < to || w.idle() {
			continue
		}
		if s.Judge.inside(base, w) {
			if inside == 0 {
				insideFrom = w.Start
			}
			inside, outside, held = inside+1, 0, 0
			out.OutsideFor = 0
		} else {
			inside = 0
			out.OutsideFor++
			switch {
			case len(force.on) > 0:
				outside, held = 0, held+1
			case w.Start >= max(to, force.clear)+s.Judge.Settle:
				outside, held = outside+1, 0
			}
		}
		switch {
		case inside == recoveredAfter:
			if verdict != Recovered {
				out.RecoveredAt = insideFrom
			}
			verdict = Recovered
		case outside == stuckAfter:
			verdict, out.RecoveredAt = Metastable, 0
		case held == stuckAfter && verdict == Recovered:
			verdict, out.RecoveredAt = NotJudged, 0
		}
	}
	if verdict == NotJudged && out.OutsideFor > 0 {
		out.TriggerOn, out.OperatorOn = force.fields(false), force.fields(true)
	}
	return verdict, out
}

// leaves reports whether and when so many windows in a row begin to be outside
// that the run left its baseline.
func (j Judge) leaves(base level, windows []Window) (time.Duration, bool) {
	outside := 0
	for i := range windows {
		if j.inside(base, &windows[i]) {
			outside = 0
		} else if outside++; outside == stuckAfter {
			return windows[i+1-stuckAfter].Start, true
		}
	}
	return 0, false
}
