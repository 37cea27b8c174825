package verdict

import "stormtop/collector"

// poor is the share of the requests below which a calm verdict tells that they are
// not delivered: no rule is about that, and an "ok" alone would hide an outage.
const poor = 0.5

// tellingWait is the wait for a pool, in seconds, from which on it is told beside
// requests that are not delivered: a shorter one is no reason for it.
const tellingWait = 0.1

// undelivered tells in a calm moment which target delivers least, where that is
// less than half of what is asked of it. The floor is the traffic below which a
// rule judges nothing.
func (b *builder) undelivered(floor float64) {
	if b.v.Cause != "" {
		return
	}
	least, lowest := -1, poor
	rows := b.rows()
	for i := range rows {
		v := &rows[i].Values
		share, told := v[collector.Delivered].Number()
		requests, counted := v[collector.Ingress].Number()
		if told && counted && requests > 0 && requests >= floor && share < lowest {
			least, lowest = i, share
		}
	}
	if least < 0 {
		return
	}
	row := rows[least]
	b.v.Undelivered = true
	b.v.Cause = "no retry storm, and yet " + b.named(row.Target) + " delivers only " + row.Values[collector.Delivered].String() + " of its requests"
	if row.Target.Name == "" {
		b.v.Cause = "no retry storm, and yet only " + row.Values[collector.Delivered].String() + " of the requests are delivered"
	}
	if wait, ok := row.Values[collector.PoolWait].Number(); ok && wait >= tellingWait {
		b.v.Cause += "; they wait " + row.Values[collector.PoolWait].String() + " for a pool"
	}
}
