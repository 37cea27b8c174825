package export

import (
	"cmp"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/promql"
	"stormtop/collector/rulefile"
)

// metrics are the middle parts of the names of recording rules; ratios say what
// they are of.
var metrics = map[collector.Signal]string{
	collector.Ingress: "ingress", collector.Downstream: "downstream", collector.Retries: "retries",
	collector.Successes: "successes", collector.Rescued: "rescued", collector.AtLimit: "at_limit",
	collector.PoolWait: "pool_wait", collector.QueueDepth: "queue_depth", collector.Arrived: "arrived",
	collector.Overflow: "overflow", collector.Amplification: "downstream_per_ingress",
	collector.RetryRate: "retries_per_downstream", collector.RescuedShare: "rescued_per_successes",
	collector.Delivered: "successes_per_ingress",
}

// namer names the recording rules of one system: level:metric:operations.
type namer struct {
	level, system string
	window        string
	units         [collector.NumSignals]collector.Unit
}

func newNamer(x *collector.Expressions, rate time.Duration) namer {
	n := namer{system: word(cmp.Or(x.Profile, "own")), window: "rate" + promql.Duration(rate), units: x.Units}
	switch {
	case x.By == nil:
		n.level = "series"
	case len(x.By) == 0:
		n.level = "edge"
	default:
		n.level = word(strings.Join(x.By, "_"))
	}
	return n
}

// of is the name of a signal.
func (n namer) of(s collector.Signal) string {
	operation := n.window
	switch unit := cmp.Or(n.units[s], s.Unit()); {
	case s >= collector.Amplification:
		operation = "ratio_" + n.window
	case unit == collector.Seconds:
		operation = "mean_" + n.window
	case unit == collector.Count:
		operation = "sum"
	}
	return n.level + ":" + n.system + "_" + metrics[s] + ":" + operation
}

// baseline is the name of the healthy fan-out of single targets.
func (n namer) baseline() string { return n.level + ":" + n.system + "_healthy_fanout:constant" }

// word is a text as a part of a metric's name.
func word(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, text)
}

// on is the clause by which two sides are matched, with a blank behind it.
func on(x *collector.Expressions) string {
	if x.By == nil {
		return ""
	}
	return "on (" + promql.By(x.By) + ") "
}

func number(f float64) string { return rulefile.Number(f) }
