package alerts

import (
	"fmt"
	"math"
	"time"

	"stormtop/collector"
)

// within is the change, as a fraction, below which a rate counts as the same.
const within = 0.10

// Diagnose says in words why a target's attempts are what they are: from the
// change of attempts and ingress since its ratio was last calm (calm.go says
// what that is). A target that is not known has no cause.
func (e *Engine) Diagnose(targetID string) Diagnosis {
	t := e.tracks[targetID]
	if t == nil {
		return Diagnosis{}
	}
	row := e.rowOf(t)
	if row == nil {
		return unclear("it is not in the last reading")
	}
	v := &row.Values
	in, down := v[collector.Ingress], v[collector.Downstream]
	switch {
	case v[collector.Amplification].State == collector.Idle:
		return Diagnosis{}
	case !in.State.HasNumber():
		return unclear("ingress is " + in.State.String())
	case !down.State.HasNumber():
		return unclear("attempts are " + down.State.String())
	case in.State == collector.Partial || down.State == collector.Partial:
		return unclear("the data is partial")
	case max(in.V, down.V) < DefaultMinTraffic:
		return Diagnosis{}
	case in.V == 0:
		return e.noIngress(t)
	}
	now := level{in.V, down.V, v[collector.Retries].V}
	measured := v[collector.Retries].State.HasNumber()
	switch {
	case t.calm.now && t.calm.n > 0 && t.settled(e):
		if d := diagnose(now, t.calm.earlier.level, measured, t.calm.earlier.at); d.Cause == CauseTraffic {
			return d
		}
		return Diagnosis{} // a calm ratio has nothing else to explain
	case t.calm.now:
		return Diagnosis{}
	case t.calm.n == 0:
		return unclear("no calm moment seen since " + collector.FormatClock(e.first))
	case !t.settled(e):
		return unclear("its counters are back since " + collector.FormatClock(t.whole) + ", for less than the rate range")
	}
	return diagnose(now, t.calm.recent, measured, t.calm.last)
}

func unclear(why string) Diagnosis {
	return Diagnosis{Cause: CauseUnclear, Text: "cannot tell: " + why}
}

// noIngress is the cause of an infinite ratio.
func (e *Engine) noIngress(t *track) Diagnosis {
	d := Diagnosis{Cause: CauseRetries, Text: "it is retries: no ingress, attempts still burn"}
	if row := e.rowOf(t); t.calm.n > 0 && row != nil {
		d.Since, d.Ingress = t.calm.last, -1
		d.Attempts = change(row.Values[collector.Downstream].V, t.calm.recent.attempts)
	}
	return d
}

// diagnose compares two levels. measured says whether retries were measured, so
// that they must account for the attempts that traffic does not.
func diagnose(now, then level, measured bool, since time.Time) Diagnosis {
	d := Diagnosis{
		Since: since, Attempts: change(now.attempts, then.attempts), Ingress: change(now.ingress, then.ingress),
	}
	ratio := (1 + d.Attempts) / (1 + d.Ingress)
	switch {
	case d.Ingress > within && ratio <= 1+within:
		d.Cause = CauseTraffic
	case d.Ingress > within:
		d.Cause = CauseBoth
	case d.Attempts-d.Ingress >= within:
		d.Cause = CauseRetries
	}
	if measured && (d.Cause == CauseRetries || d.Cause == CauseBoth) && !explained(now, then, 1+d.Ingress) {
		d.Cause = CauseFanOut
	}
	d.Text = d.sentence()
	return d
}

// explained reports whether the measured retries account for at least half of
// the attempts that the growth of traffic does not.
func explained(now, then level, growth float64) bool {
	extra := now.attempts - then.attempts*growth
	return now.retries-then.retries*growth >= extra/2
}

func change(now, then float64) float64 {
	if then <= 0 {
		return 0
	}
	return now/then - 1
}

func (d Diagnosis) sentence() string {
	attempts, ingress := "attempts "+percent(d.Attempts), "ingress "+percent(d.Ingress)
	changes := fmt.Sprintf("%s, %s since %s", attempts, ingress, collector.FormatClock(d.Since))
	switch d.Cause {
	case CauseRetries:
		return "it is retries: " + changes
	case CauseTraffic:
		return fmt.Sprintf("it is traffic: %s, %s since %s", ingress, attempts, collector.FormatClock(d.Since))
	case CauseBoth:
		return "it is both, retries and traffic: " + changes
	case CauseFanOut:
		return "the fan-out changed, retries did not: " + changes
	}
	return ""
}

// percent formats a relative change with its sign: "+148%", "-3%", "+0%".
func percent(f float64) string {
	p := math.Round(f * 100)
	if p < 0 {
		return "-" + collector.FormatCount(-p) + "%"
	}
	return "+" + collector.FormatCount(p+0) + "%"
}
