package learn

import (
	"stormtop/collector"
)

// FromView learns as Learn does from what is on the screen: the courses of
// targets that a history holds. Targets of which it holds none are refused. origin
// is that of the newest reading.
func FromView(view collector.View, targets []collector.Target, origin *collector.Origin, rules []collector.RuleSpec, from string) (collector.Baselines, []Refusal, error) {
	var held []collector.Target
	var strangers []Refusal
	for _, t := range targets {
		if view.Has(t.ID) && t.ID != collector.TotalID {
			held = append(held, t)
			continue
		}
		strangers = append(strangers, Refusal{t, collector.Clean(t.Name) + ": its past is not kept; open it first, or learn from a range"})
	}
	readings := make([]*collector.Reading, view.Len())
	for i := range readings {
		r := &collector.Reading{At: view.Time(i), Origin: origin, Past: true}
		for _, t := range held {
			if v := view.Values(t.ID, i); known(&v) {
				r.Targets = append(r.Targets, collector.Row{Target: t, Values: v})
			}
		}
		readings[i] = r
	}
	b, refused, err := learn(readings, origin, rules, from)
	return b, append(refused, strangers...), err
}

// known reports whether the target was there at all.
func known(v *collector.Values) bool {
	for _, x := range v {
		if x.State != collector.Missing {
			return true
		}
	}
	return false
}
