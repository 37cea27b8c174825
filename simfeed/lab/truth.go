package lab

import "stormtop/collector"

// Truth tells from a reading of a feed whether a target of it was overloaded in
// that second: more attempts arrived than its capacity. What a rule should have
// warned of is known so, and not guessed from the signals that it looks at.
func (c FeedConfig) Truth() func(*collector.Reading) bool {
	capacity := make(map[string]float64, len(c.Targets))
	for _, t := range c.Targets {
		capacity[collector.Clean(t.Name)] = float64(t.Config.Capacity)
	}
	return func(r *collector.Reading) bool {
		for i := range r.Targets {
			row := &r.Targets[i]
			arrived, ok := row.Values[collector.Downstream].Number()
			if most, known := capacity[row.Target.Name]; ok && known && arrived > most {
				return true
			}
		}
		return false
	}
}
