package chain

import (
	"slices"
	"time"
)

// Margin is how much of a service the retries that its callers permit leave for
// the users, in the words of the study of metastable failures.
type Margin struct {
	Organic  float64 // load of the class without any retry, in calls a second at the service, at a time
	Worst    float64 // worst-case amplification: the permitted attempts of all edges on the way, multiplied
	Capacity float64 // what the service can do, in attempts a second
	// Hidden is Capacity / Worst: with a load above it a storm, once begun, can
	// keep itself alive.
	Hidden float64
	Margin float64 // Hidden / Organic; below 1 the system is vulnerable
	Known  bool    // false where the service has no limit, or the class no rate
}

// Margin is that of a class at a service of its path, for the load at a time.
// All classes but this one are left out. It is unknown where the class does not
// pass the service. Budgets are left out, too: they are what makes the worst
// case better than this.
func (s *Scenario) Margin(class, service string, at time.Duration) Margin {
	i := slices.Index(s.classNames(), class)
	if i < 0 {
		return Margin{}
	}
	c := &s.Classes[i]
	hop := slices.Index(c.Path, service)
	k := slices.Index(s.serviceNames(), service)
	if hop < 0 || k < 0 {
		return Margin{}
	}
	m := Margin{Organic: c.Rate.At(at) * c.Factor, Worst: 1}
	for _, name := range c.hops()[:hop] {
		j := slices.Index(s.edgeNames(), name)
		if j < 0 {
			return Margin{}
		}
		e := &s.Edges[j]
		m.Worst *= float64(e.PolicyOf(class).Permitted())
		m.Organic *= e.Calls
	}
	v := &s.Services[k]
	work := v.Time
	for _, w := range v.Classes {
		if w.Class == class {
			work = w.Time
		}
	}
	slots := v.Workers
	if own := v.own(class); own != nil && own.Workers != 0 {
		slots = own.Workers
	}
	if t := work.Average().Seconds() * v.TimeFactor; slots != Unlimited && t > 0 {
		m.Capacity = float64(slots) / t
	}
	if v.Limit > 0 && (m.Capacity == 0 || v.Limit < m.Capacity) {
		m.Capacity = v.Limit
	}
	if m.Capacity == 0 || m.Organic == 0 {
		return m
	}
	m.Known = true
	m.Hidden = m.Capacity / m.Worst
	m.Margin = m.Hidden / m.Organic
	return m
}
