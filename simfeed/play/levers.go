package play

import (
	"slices"
	"strconv"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/chain/policy"
)

// ladders are the values that keys go through; what stands between two of them
// goes to the nearest one in the direction of the key.
var (
	deadlines = []time.Duration{0, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second,
		2 * time.Second, 3 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second}
	bulkheads = []int{10, 20, 50, 100, 200, 500, 1000, 2000, 6000, 10_000, 20_000, 50_000}
	backoffs  = []string{"none", "fixed", "exponential"}
	jitters   = []string{"none", "equal", "full", "decorrelated"}
	budgets   = []string{"none", "attempts", "originals", "finagle", "envoy"}
)

// levers are those of the hops of a class, by row and then by layer. inFlight tells
// of a layer how many attempts are waited for.
func levers(s *chain.Scenario, class string, path []string, inFlight func(layer int) int) []collector.Lever {
	var out []collector.Lever
	rows := []struct {
		name  string
		lever func(prefix string, p *policy.Policy, layer int) collector.Lever
	}{
		{"attempts", func(prefix string, p *policy.Policy, _ int) collector.Lever {
			l := collector.Lever{Field: prefix + "attempts", Value: strconv.Itoa(p.Permitted())}
			if p.Attempts > 1 {
				l.Less = strconv.Itoa(p.Attempts - 1)
			}
			if p.Attempts < policy.MaxAttempts {
				l.More = strconv.Itoa(p.Attempts + 1)
			}
			return l
		}},
		{"backoff", func(prefix string, p *policy.Policy, _ int) collector.Lever {
			l := choice(prefix+"backoff.kind", p.Backoff.Growth.String(), backoffs)
			if !p.Backoff.Instant() {
				l.Value += " " + collector.FormatInterval(p.Backoff.Base)
			}
			return l
		}},
		{"jitter", func(prefix string, p *policy.Policy, _ int) collector.Lever {
			return choice(prefix+"backoff.jitter", p.Backoff.Jitter.String(), jitters)
		}},
		{"budget", func(prefix string, p *policy.Policy, _ int) collector.Lever {
			l := choice(prefix+"budget.kind", p.Budget.Kind.String(), budgets)
			switch p.Budget.Kind {
			case policy.OfAttempts, policy.OfOriginals, policy.Deposits, policy.Concurrent, policy.Answers:
				l.Value += " " + collector.FormatThreshold(p.Budget.Share, collector.Fraction)
			case policy.Refill:
				l.Value += " " + collector.FormatThreshold(p.Budget.Refill, collector.PerSecond)
			case policy.Seconds:
				l.Value += " " + collector.FormatThreshold(p.Budget.Tokens, collector.PerSecond)
			}
			return l
		}},
		{"deadline", func(prefix string, p *policy.Policy, _ int) collector.Lever {
			return deadline(prefix+"deadline", p.Deadline)
		}},
		{"breaker", func(prefix string, p *policy.Policy, _ int) collector.Lever {
			l := collector.Lever{Field: prefix + "breaker.on", Value: "off", More: "on"}
			if p.Breaker.On {
				l.Value, l.Less, l.More = "on", "off", ""
			}
			return l
		}},
		{"bulkhead", func(prefix string, p *policy.Policy, layer int) collector.Lever {
			return bulkhead(prefix+"bulkhead", p.Bulkhead, inFlight(layer))
		}},
	}
	for _, row := range rows {
		for layer := range len(path) - 1 {
			prefix, p := policyAt(s, class, path[layer], path[layer+1])
			if p == nil {
				continue
			}
			l := row.lever(prefix, p, layer)
			if row.name == "bulkhead" {
				l = ownPool(s, class, path[layer], l)
			}
			l.Row, l.Layer = row.name, layer
			out = append(out, l)
		}
	}
	return out
}

// policyAt is the policy of a class at a hop, with the path of its fields.
func policyAt(s *chain.Scenario, class, from, to string) (prefix string, p *policy.Policy) {
	for i := range s.Edges {
		e := &s.Edges[i]
		if e.From != from || e.To != to {
			continue
		}
		prefix = "edges." + e.Name()
		if slices.ContainsFunc(e.Classes, func(c chain.ClassPolicy) bool { return c.Class == class }) {
			prefix += "[" + class + "]"
		}
		return prefix + ".", e.PolicyOf(class)
	}
	return "", nil
}

// choice is a lever over a few words. A word that is none of them has its
// place in front of the first.
func choice(field, value string, words []string) collector.Lever {
	l := collector.Lever{Field: field, Value: value}
	i := slices.Index(words, value)
	if i > 0 {
		l.Less = words[i-1]
	}
	if i+1 < len(words) {
		l.More = words[i+1]
	}
	return l
}

func deadline(field string, d time.Duration) collector.Lever {
	l := collector.Lever{Field: field, Value: "none"}
	if d > 0 {
		l.Value = collector.FormatInterval(d)
	}
	for _, step := range deadlines {
		if step < d {
			l.Less = collector.FormatInterval(step)
		}
		if step > d && l.More == "" {
			l.More = collector.FormatInterval(step)
		}
	}
	return l
}

// ownPool is the lever of the slots that a class has for itself at the service
// that a layer is, where it has some: then they are its bulkhead, with what it may
// have in flight at the hop beside it.
func ownPool(s *chain.Scenario, class, service string, hop collector.Lever) collector.Lever {
	for i := range s.Services {
		v := &s.Services[i]
		j := slices.IndexFunc(v.Own, func(p chain.ClassPool) bool { return p.Class == class && p.Workers > 0 })
		if v.Name != service || j < 0 {
			continue
		}
		l := bulkhead("services."+service+"["+class+"].workers", v.Own[j].Workers, 0)
		if v.Workers != chain.Unlimited { // one slot remains for the others
			if n, err := strconv.Atoi(l.More); err == nil && n >= v.Workers {
				l.More = "unlimited"
			}
		}
		if l.More == "unlimited" {
			l.More, l.MoreWord = "0", "none" // it shares those of the service
		}
		l.Value = "own " + l.Value
		if hop.Value != "none" {
			l.Value += ", " + hop.Value
		}
		return l
	}
	return hop
}

// bulkhead is the lever of a limit on what is in flight. From no limit the first
// step leads below what is in flight now, so that it does something.
func bulkhead(field string, n, inFlight int) collector.Lever {
	if n == chain.Unlimited {
		l := collector.Lever{Field: field, Value: "none"}
		lessOf(&l, bulkheads[0])
		for _, step := range bulkheads {
			if step < inFlight {
				lessOf(&l, step)
			}
		}
		return l
	}
	l := collector.Lever{Field: field, Value: collector.FormatCount(float64(n)), More: "unlimited", MoreWord: "none"}
	for _, step := range slices.Backward(bulkheads) {
		if step > n {
			l.More, l.MoreWord = strconv.Itoa(step), collector.FormatCount(float64(step))
		}
		if step < n && l.Less == "" {
			lessOf(&l, step)
		}
	}
	return l
}

// lessOf makes a count the next value below.
func lessOf(l *collector.Lever, n int) {
	l.Less, l.LessWord = strconv.Itoa(n), collector.FormatCount(float64(n))
}
