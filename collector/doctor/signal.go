package doctor

import (
	"context"
	"math"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/collector/prom"
)

// SignalState says what there is of a signal.
type SignalState uint8

// The states of a signal.
const (
	NotExported SignalState = iota // the system has no such metric
	Present                        // there are numbers
	Idle                           // its series are there, but nothing happens that could be measured (0/0)
	Zero                           // no such series yet, which this system means as 0
	Computed                       // made of two other signals
	NoSeries                       // there is no such series
	NoRate                         // its series are there, but no rate comes of them
	Failed                         // the query failed
)

var stateNames = [...]string{
	NotExported: "not_exported", Present: "ok", Idle: "idle", Zero: "zero", Computed: "computed",
	NoSeries: "no_series", NoRate: "no_rate", Failed: "failed",
}

// String is the name used in JSON.
func (s SignalState) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "?"
}

// Signal is what was found out about one signal of a system.
type Signal struct {
	Finding // Topic is the signal's name; Text may be "" where there is a number
	Signal  collector.Signal
	State   SignalState
	Query   string          // as it was sent, or ""
	Found   int             // series behind the query, where they were counted
	Targets int             // series in its answer
	Value   collector.Value // the sum over the targets; of a pool wait, the worst
	Cost    collector.Cost  // of the query
}

// usual are the signals of which it is worth saying that a system has none.
var usual = []collector.Signal{
	collector.Ingress, collector.Downstream, collector.Retries, collector.Successes,
	collector.Rescued, collector.AtLimit, collector.PoolWait, collector.QueueDepth,
}

// plainlyAbsent is said of a signal where the profile gives no better reason.
const plainlyAbsent = "not exported by this system"

func (x *exam) askSignals(ctx context.Context) {
	for _, s := range collector.Signals() {
		if sig, ok := x.signal(ctx, s); ok {
			sig.Finding = sig.cleaned()
			sig.Query = collector.Clean(sig.Query)
			x.sys.Signals = append(x.sys.Signals, sig)
		}
	}
}

func (x *exam) signal(ctx context.Context, s collector.Signal) (Signal, bool) {
	p := x.sys.profile
	out := Signal{Finding: Finding{Topic: s.String()}, Signal: s, Query: x.ex.Queries[s]}
	switch {
	case out.Query != "":
		x.measure(ctx, &out)
	case s == collector.Downstream && p.Sum && x.ex.Queries[collector.Retries] != "":
		out.State, out.Text = Computed, "ingress + retries"
	case p.Signals[s] != "":
		out.State, out.Level, out.Text = Failed, Broken, "it was not asked"
		out.Remedy = "Ask its query by hand: " + p.Signals[s] + "."
	case p.Absent[s] != "":
		out.Level, out.Text, out.Remedy = Note, absence(p.Absent[s]), known(p.Name, s)
	case slices.Contains(usual, s) && p.Name != "":
		out.Level, out.Text, out.Remedy = Note, plainlyAbsent, known(p.Name, s)
	default:
		return out, false
	}
	return out, true
}

// absence is a profile's reason why a signal is absent, as a sentence of its own.
func absence(reason string) string {
	if strings.HasPrefix(reason, "not ") {
		return reason
	}
	return "not exported: " + reason
}

// measure asks the query of a signal and says what came of it.
func (x *exam) measure(ctx context.Context, out *Signal) {
	ans, err := x.ask(ctx, out.Query)
	out.Cost = ans.Cost
	x.addPoll(ans.Cost)
	if err != nil {
		out.State, out.Level, out.Text, out.Remedy = Failed, Broken, err.Error(), queryRemedy(err)
		return
	}
	x.answers[out.Signal] = ans
	for _, w := range ans.Warnings {
		x.partial(w)
	}
	parts := dissect(out.Query)
	if out.Targets = len(ans.Samples); out.Targets == 0 {
		x.explainEmpty(ctx, out, parts)
	} else {
		out.State, out.Value = Present, x.sum(out.Signal, ans)
		if out.Value.State == collector.Idle {
			out.State = Idle
		}
	}
	x.checkTypes(ctx, out, parts)
}

// sum is the total of a signal: the sum over its targets, of a pool wait and of
// what is a ratio the worst.
func (x *exam) sum(s collector.Signal, ans prom.Answer) collector.Value {
	unit := s.Unit()
	if u, ok := x.sys.profile.Units[s]; ok {
		unit = u
	}
	worst := s == collector.PoolWait || s.Derived()
	total, any := 0.0, false
	for _, sample := range ans.Samples {
		switch v := sample.V; {
		case math.IsNaN(v):
		case !any:
			total, any = v, true
		case worst:
			total = max(total, v)
		default:
			total += v
		}
	}
	if !any {
		total = math.NaN()
	}
	return collector.Num(total, unit, x.sys.Trust)
}

// count is the number in an answer that is one number, 0 where it is empty.
func count(ans prom.Answer) int {
	n := 0.0
	for _, s := range ans.Samples {
		if s.V > 0 && !math.IsInf(s.V, 0) {
			n += s.V
		}
	}
	return int(min(n, math.MaxInt32))
}
