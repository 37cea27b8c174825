package watchtest

import (
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
)

// Moment is a snapshot with a name and the time at which it is looked at, two
// seconds after its reading.
type Moment struct {
	Name     string
	Snapshot watch.Snapshot
	Now      time.Time
}

// Play feeds readings to a new watch and returns its snapshot.
func Play(rules []collector.RuleSpec, readings ...*collector.Reading) watch.Snapshot {
	w := watch.New(rules, 15*time.Minute, watch.DefaultTargets)
	for _, r := range readings {
		w.Add(r)
	}
	return w.Snapshot()
}

// Many is the number of targets of the sketches.
const Many = 212

// Moments are the moments of a dashboard's life, each under a name of its own,
// with Many targets where the name of the moment does not say otherwise.
func Moments() []Moment { return MomentsOf(Many) }

// MomentsOf are the Moments with another number of targets, at least 3.
func MomentsOf(targets int) []Moment {
	var out []Moment
	for _, m := range scripts(targets) {
		out = append(out, m.play())
	}
	return out
}

// At is the moment of a name, with Many targets; ok is false when there is none.
func At(name string) (m Moment, ok bool) {
	for _, m := range scripts(Many) {
		if m.name == name {
			return m.play(), true
		}
	}
	return Moment{}, false
}

// script is a moment that was not played yet.
type script struct {
	name  string
	rules []collector.RuleSpec
	film  film
}

func (m script) play() Moment {
	s := Play(m.rules, m.film()...)
	now := Start
	if s.Last != nil {
		now = s.Last.At.Add(2 * time.Second)
	}
	return Moment{Name: m.name, Snapshot: s, Now: now}
}
