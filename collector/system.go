package collector

import "slices"

// System is one kind of software whose metrics a source reads, as the profile
// in use knows it: what its ratio is of, how far it is to be trusted, and what
// it cannot show. It is part of an Origin and immutable.
type System struct {
	Profile   string    // the profile's name: "haproxy"; "" for signals that were named one by one
	Title     string    // one line for people, or ""
	Kind      RatioKind // what its amplification is a ratio of
	Trust     Trust     // how far its amplification is retry amplification
	Unproven  bool      // the profile was never run against the system itself or its exact shape
	By        []string  // the labels that make a target; nil: all of them
	CannotSee string    // a sentence: which retries these numbers cannot show
	Notes     string    // what else somebody should know of these metrics

	Explain [NumSignals]string // the query or formula behind each signal, or why there is none
	Asked   [NumSignals]bool   // it has a query: that there is no number does not mean that none is exported
}

// System is the system that a target was found by (Target.System), else the
// first one, else one that says nothing.
func (o *Origin) System(name string) System { return o.Of(Target{System: name}) }

// Of is the system of a target: the edge pair of a system is described apart
// from its hops.
func (o *Origin) Of(t Target) System {
	best, rank := System{}, -1
	for _, sys := range o.Systems {
		at := 0
		if sys.Profile == t.System {
			at = 1
			if sys.Kind == t.Kind {
				at = 2
			}
		}
		if at > rank {
			best, rank = sys, at
		}
	}
	return best
}

// Several reports whether targets of more than one system stand side by side,
// so that a target's name alone does not say which one it is.
func (o *Origin) Several() bool {
	for _, sys := range o.Systems {
		if sys.Profile != o.Systems[0].Profile {
			return true
		}
	}
	return false
}

// Grouping is what makes a target of the series of a system.
type Grouping uint8

// The groupings. A source offers those that its metrics have labels for.
const (
	ByService  Grouping = iota // as the profile says: by the dependency that is called
	ByCaller                   // by the caller as well, since the fix is made at the caller
	ByCluster                  // by cluster or region
	ByInstance                 // by the process that reports
)

var groupingNames = [...]string{
	ByService: "service", ByCaller: "caller", ByCluster: "cluster", ByInstance: "instance",
}

// String is the word on the screen and in flags.
func (g Grouping) String() string {
	if int(g) < len(groupingNames) {
		return groupingNames[g]
	}
	return "?"
}

// Reporters is how many of its usual reporters (instances that export it) one
// side of a ratio contains, of a system as a whole or of one target that lacks
// some. Fewer than usual make the numbers of a target's side Partial.
type Reporters struct {
	System string // the profile's name
	Target string // Target.ID of the target concerned; "": all of the system's together
	Side   Signal // Ingress or Downstream
	Now    int    // reporters that the newest look found
	Usual  int    // reporters that are usually there; 0: not known
}

// tolerated is the share of the usual reporters that may be away before a side
// counts as partial: one of forty restarts all the time.
const tolerated = 0.05

// Short reports whether so many of the usual reporters are away that the side
// cannot be judged by.
func (r Reporters) Short() bool {
	return r.Usual > 0 && float64(r.Now) < float64(r.Usual)*(1-tolerated)
}

// Asked is what one query of a reading cost.
type Asked struct {
	System string // the profile's name
	Signal Signal
	Series int // series in the answer
	Cost   Cost
}

// Wish is how somebody would like a running source to look at its data. The
// zero Wish is how it starts.
type Wish struct {
	Systems  []string // profiles to judge by; nil: what the source chooses by itself
	Grouping Grouping
}

// Same reports whether two wishes ask for the same.
func (w Wish) Same(o Wish) bool {
	return w.Grouping == o.Grouping && slices.Equal(w.Systems, o.Systems)
}

// Steered is a source that can be looked at in another way without a restart.
// Steer may be called from any goroutine and does not block; the first reading
// that follows the wish has Begins set.
type Steered interface{ Steer(Wish) }

// Rebased is a source whose baselines can be changed while it runs. SetBaselines
// may be called from any goroutine; readings taken later use them.
type Rebased interface{ SetBaselines(Baselines) }
