package watchtest

import (
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// film is a course of readings, made when it is played.
type film func() []*collector.Reading

func (s Storm) film(from, to time.Duration) film {
	return func() []*collector.Reading { return s.Readings(from, to) }
}

func (f film) edit(change func(row *collector.Row)) film {
	return func() []*collector.Reading { return EditAll(f(), change) }
}

func (f film) then(next film) film {
	return func() []*collector.Reading { return append(f(), next()...) }
}

// each changes every reading, which the film has just made.
func (f film) each(change func(r *collector.Reading)) film {
	return func() []*collector.Reading {
		rs := f()
		for _, r := range rs {
			change(r)
		}
		return rs
	}
}

func blindFor(from, to time.Duration, f collector.Failure, o *collector.Origin) film {
	return func() (out []*collector.Reading) {
		for at := from; at <= to; at += Step {
			r := Blind(at, f)
			if r.Origin = o; f.Retry.IsZero() && f.Kind == collector.ServerError {
				r.Failures[0].Retry = r.At.Add(6 * time.Second)
			}
			out = append(out, r)
		}
		return out
	}
}

// only are the documented rules with all others switched off.
func only(names ...string) []collector.RuleSpec {
	rules := alerts.Documented()
	for i := range rules {
		rules[i].Off = true
		for _, n := range names {
			rules[i].Off = rules[i].Off && rules[i].Name != n
		}
	}
	return rules
}

func scripts(many int) []script {
	rules, ratio := alerts.Documented(), only(alerts.RetryAmplificationHigh)
	storm, calm, few := Storm{Targets: many}, Storm{Targets: many, Calm: true}, Storm{Targets: 3, Calm: true}
	out := []script{
		{"waiting", rules, func() []*collector.Reading { return nil }},
		{"calm", rules, calm.film(0, Plateau)},
		{"calm-one-target", rules, Storm{Targets: 1, Calm: true}.film(Plateau, Plateau)},
		{"not-all-seen", rules, calm.film(0, Plateau).edit(drop(collector.AtLimit))},
		{"early", rules, storm.film(0, Breach+20*time.Second)},
		{"retry-rate", rules, storm.film(0, Rise+15*time.Second)},
		{"pending", ratio, storm.film(0, Breach+20*time.Second)},
		{"firing", rules, storm.film(0, Plateau)},
		{"firing-at-start", rules, storm.film(Plateau, Plateau)},
		{"firing-not-all-seen", rules, storm.film(0, Plateau).edit(drop(collector.AtLimit))},
		{"at-limit", only(alerts.AttemptLimitReached), storm.film(0, Plateau)},
		{"resolved", rules, storm.film(Rise-time.Minute, Subsides+4*time.Minute+20*time.Second)},
		{"no-rules", only(), few.film(Plateau-2*time.Minute, Plateau)},
	}
	out = append(out, blindScripts(rules, storm, few)...)
	return append(out, oddScripts(rules, ratio, storm, few)...)
}

func blindScripts(rules []collector.RuleSpec, storm, few Storm) []script {
	timedOut := collector.Failure{Kind: collector.ServerError, Text: `503 "query timed out"`}
	forbidden := collector.Failure{Kind: collector.Forbidden, Text: "401: the server wants credentials (--prom.http-config)"}
	nothing := collector.Failure{
		Kind: collector.NothingFound, Retry: Start.Add(time.Minute),
		Text: `connected to prom.example:9090; none of 50 known systems has data here (tenant "ops"?). stormtop doctor says what is missing`,
	}
	lost := blindFor(Plateau+Step, Plateau+40*time.Second, timedOut, Origin())
	return []script{
		{"blind", rules, few.film(0, Plateau).then(lost)},
		{"blind-in-storm", rules, storm.film(0, Plateau).then(lost)},
		{"blind-from-start", rules, blindFor(0, 10*time.Second, timedOut, Origin())},
		{"forbidden", rules, blindFor(0, 0, forbidden, Origin())},
		{"nothing-found", rules, blindFor(0, 0, nothing, &collector.Origin{Source: "prom.example:9090", Interval: Step})},
	}
}

func oddScripts(rules, ratio []collector.RuleSpec, storm, few Storm) []script {
	const in, down = collector.Ingress, collector.Downstream
	// short is a film of two minutes in which payments-channel is changed.
	short := func(s Storm, change func(v *collector.Values)) film {
		return s.film(Plateau-2*time.Minute, Plateau).edit(func(row *collector.Row) {
			if row.Target.Name == Payments {
				change(&row.Values)
			}
		})
	}
	everywhere := func(change func(v *collector.Values)) film {
		return few.film(Plateau-time.Minute, Plateau).edit(func(row *collector.Row) { change(&row.Values) })
	}
	return []script{
		{"partial", rules, storm.film(0, Plateau).then(partial(storm))},
		{"idle", rules, everywhere(rates(0, 0))},
		{"low-traffic", rules, everywhere(rates(0.2, 0.4))},
		{"infinite", rules, short(few, rates(0, 212))},
		{"stale", rules, short(storm, func(v *collector.Values) { v[in].State, v[down].State = collector.Stale, collector.Stale })},
		{"on-threshold", ratio, short(few, rates(2.4, 3.6))},
		{"just-above", ratio, short(few, rates(10000, 15004))},
		{"breaker", rules, short(few, rates(1998, 1878))},
		{"unknown", rules, few.film(Plateau-time.Minute, Plateau).edit(drop(in, down, collector.Retries, collector.AtLimit))},
		{"one-signal-failed", rules, few.film(Plateau-time.Minute, Plateau-Step).then(poolFailed(few))},
		{"hostile", rules, hostile(Storm{Targets: 3})},
	}
}

// drop leaves signals out.
func drop(signals ...collector.Signal) func(row *collector.Row) {
	return func(row *collector.Row) {
		for _, s := range signals {
			row.Values[s] = collector.Value{}
		}
	}
}

// rates sets the traffic of a target on which nothing is rescued or at its limit.
func rates(ingress, attempts float64) func(v *collector.Values) {
	return func(v *collector.Values) {
		v[collector.Ingress].V, v[collector.Downstream].V = ingress, attempts
		v[collector.Retries].V, v[collector.Successes].V = max(attempts-ingress, 0), ingress
		v[collector.Rescued].V, v[collector.AtLimit].V = 0, 0
	}
}

// partial is what follows the plateau when some reporters no longer answer.
func partial(s Storm) film {
	return s.film(Plateau+Step, Plateau+40*time.Second).edit(func(row *collector.Row) {
		row.Values[collector.Ingress].State = collector.Partial
	}).each(func(r *collector.Reading) {
		r.Reporters = []collector.Reporters{
			{System: "envoy", Side: collector.Ingress, Now: 32, Usual: 40}, {System: "envoy", Side: collector.Downstream, Now: 40, Usual: 40},
		}
	})
}

// poolFailed is the reading of the plateau with one query that failed.
func poolFailed(s Storm) film {
	return s.film(Plateau, Plateau).edit(func(row *collector.Row) {
		row.Values[collector.PoolWait] = row.Values[collector.PoolWait].With(collector.Failed)
	}).each(func(r *collector.Reading) {
		r.Failures = []collector.Failure{{
			Signal: collector.PoolWait, Kind: collector.TimedOut, Text: "no answer within 5s", Retry: r.At.Add(10 * time.Second),
		}}
	})
}

// hostile is a storm whose labels try to take over the terminal.
func hostile(s Storm) film {
	return s.film(Plateau-2*time.Minute, Plateau).edit(func(row *collector.Row) {
		if row.Target.Name == Payments {
			row.Target = Service("pay\x1b[31m\x1b]52;c;eA==\a\r\nments\u202e\u009b\xff")
		}
	}).each(func(r *collector.Reading) {
		r.Warnings = []string{collector.Clean("server says \x1b]0;owned\a")}
	})
}
