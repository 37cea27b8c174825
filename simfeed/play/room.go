package play

import (
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// room is what the retries that are permitted leave of the last service for the
// requests of users: the worst case and what budgets leave of it are already in
// the picture. The zero value where the service has no limit.
func room(rig *collector.Rig, now *chain.Scenario, at time.Duration) collector.RigRoom {
	class, service := now.Watched()
	m := now.Margin(class, service, at)
	if !m.Known || len(rig.Hops) == 0 {
		return collector.RigRoom{}
	}
	most := max(min(rig.Worst, rig.Bound)/rig.FanOut(), 1) // the fan-out is in the organic load; a forced breaker adds no capacity
	return collector.RigRoom{
		Service: service, Organic: m.Organic, System: rig.Hops[len(rig.Hops)-1].Attempts,
		Capacity: m.Capacity, Most: most, Hidden: m.Capacity / most,
	}
}
