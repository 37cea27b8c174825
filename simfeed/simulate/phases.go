package simulate

import (
	"slices"
	"time"

	"stormtop/simfeed/chain"
)

// mostPhases is how many rows a table of phases has at most.
const mostPhases = 24

// slicesOf is how many phases a run has in which nothing changes.
const slicesOf = 6

// phase is a part of a run between two changes, with its sums.
type phase struct {
	from, to time.Duration
	what     string // began with it
	windows  int
	classes  []phaseClass
	p99      time.Duration // of the worst service, mean over the windows
	service  string
}

type phaseClass struct {
	requests, attempts, delivered, failed int64
	pending                               int64 // at the end
}

// seconds is the length of a phase.
func (p *phase) seconds() float64 { return (p.to - p.from).Seconds() }

// phases cuts a run at the changes that were made in it.
func phases(r *chain.Result) []phase {
	var out []phase
	for _, c := range cuts(r) {
		if len(out) > 0 {
			out[len(out)-1].to = c.at
		}
		out = append(out, phase{from: c.at, what: c.what})
	}
	if len(r.Windows) == 0 || len(out) == 0 {
		return nil
	}
	out[len(out)-1].to = r.Windows[len(r.Windows)-1].End
	out = slices.DeleteFunc(out, func(p phase) bool { return p.to <= p.from })
	if len(out) > mostPhases {
		out = out[:mostPhases]
		out[mostPhases-1].to = r.Windows[len(r.Windows)-1].End
		out[mostPhases-1].what += ", and more"
	}
	for i := range out {
		out[i].sum(r.Windows)
	}
	return out
}

type cut struct {
	at   time.Duration
	what string
}

// cuts are where phases begin. A change within a window cuts at the start of the
// next one.
func cuts(r *chain.Result) []cut {
	out := []cut{{}}
	every := r.Scenario.Every
	for i := range r.Windows {
		for _, c := range r.Windows[i].Changes {
			at := (c.At + every - 1) / every * every
			what := c.Note
			if what == "" {
				what = c.Field
			}
			if c.Ended {
				what = "end of: " + what
			}
			last := &out[len(out)-1]
			switch {
			case at > last.at || last.what == "" && at == last.at && at > 0:
				out = append(out, cut{at, what})
			case last.what == "":
				last.what = what
			case last.what != what && !slices.ContainsFunc(out, func(o cut) bool { return o.what == what }):
				last.what += "; " + what
			}
		}
	}
	if len(out) > 1 {
		return out
	}
	for i := 1; i < slicesOf; i++ {
		out = append(out, cut{at: (r.Scenario.Length * time.Duration(i) / slicesOf / every) * every})
	}
	return out
}

func (p *phase) sum(windows []chain.Window) {
	worst := map[string]time.Duration{}
	for i := range windows {
		w := &windows[i]
		if w.Start < p.from || w.End > p.to {
			continue
		}
		p.windows++
		if p.classes == nil {
			p.classes = make([]phaseClass, len(w.Classes))
		}
		for j, c := range w.Classes {
			q := &p.classes[j]
			q.requests += c.Requests
			q.attempts += c.Attempts
			q.delivered += c.Delivered
			q.failed += c.Failed
			q.pending = c.Pending
		}
		for _, v := range w.Services {
			worst[v.Service] += v.Latency.P99
		}
	}
	for i := range windows[:min(1, len(windows))] {
		for _, v := range windows[i].Services {
			if mean := worst[v.Service] / time.Duration(max(p.windows, 1)); mean > p.p99 {
				p.p99, p.service = mean, v.Service
			}
		}
	}
}
