package verdict

import "stormtop/collector"

// HasTotal reports whether the total of a reading says something that its
// targets do not: targets of several systems have no sum, and an edge pair that
// is a target already would stand there twice.
func HasTotal(r *collector.Reading) bool {
	switch {
	case r == nil || len(r.Targets) < 2:
		return false
	case r.Total.Target.Kind == collector.Edge:
		return !holdsEdge(r)
	}
	return r.Origin == nil || !r.Origin.Several()
}

func holdsEdge(r *collector.Reading) bool {
	for i := range r.Targets {
		if r.Targets[i].Target.Kind == collector.Edge {
			return true
		}
	}
	return false
}
