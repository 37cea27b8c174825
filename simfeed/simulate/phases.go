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
	classes  []phaseClass
	p99      map[string]meanTime // of each service
}

// meanTime is a mean over the windows that have such a time.
type meanTime struct {
	sum     time.Duration
	windows int
}

func (m meanTime) mean() (mean time.Duration, known bool) {
	if m.windows == 0 {
		return 0, false
	}
	return m.sum / time.Duration(m.windows), true
}

type phaseClass struct {
	requests, attempts, delivered int64
	pending                       int64 // at the end
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
	end := r.Windows[len(r.Windows)-1].End
	out[len(out)-1].to = end
	for i := range out {
		out[i].to = min(out[i].to, end) // it may have been stopped
	}
	out = slices.DeleteFunc(out, func(p phase) bool { return p.to <= p.from })
	if len(out) > mostPhases {
		out = out[:mostPhases]
		out[mostPhases-1].to = end
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
			what := began(c)
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

// began is a change in words: its note, else its field with the values.
func began(c chain.Applied) string {
	what := c.Note
	switch {
	case what == "" && c.Ended:
		what = c.Field
	case what == "":
		what = c.Field + ": " + c.From + " → " + c.To
	}
	if c.Ended {
		return "end of: " + what
	}
	return what
}

func (p *phase) sum(windows []chain.Window) {
	p.p99 = map[string]meanTime{}
	for i := range windows {
		w := &windows[i]
		if w.Start < p.from || w.End > p.to {
			continue
		}
		if p.classes == nil {
			p.classes = make([]phaseClass, len(w.Classes))
		}
		for j, c := range w.Classes {
			q := &p.classes[j]
			q.requests += c.Requests
			q.attempts += c.Attempts
			q.delivered += c.Delivered
			q.pending = c.Pending
		}
		for _, v := range w.Services {
			if v.Latency.Count > 0 {
				m := p.p99[v.Service]
				p.p99[v.Service] = meanTime{m.sum + v.Latency.P99, m.windows + 1}
			}
		}
	}
}

// worst is the service of a path, behind the first one, with the highest p99 (a
// mean over the windows in which it completed something), which is not known where
// none did. The first one waits for all others.
func (p *phase) worst(path []string) (service string, p99 time.Duration, known bool) {
	for _, name := range path[min(1, len(path)-1):] {
		mean, ok := p.p99[name].mean()
		if service == "" || ok && (!known || mean > p99) {
			service, p99, known = name, mean, ok
		}
	}
	return service, p99, known
}
