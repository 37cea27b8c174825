package lab

import "time"

// Told is the moment that a single reading of a feed should be of: the last second
// of the last outage; the end without one. It is 0 where targets loop, which are
// watched with what was before filled in.
func (c FeedConfig) Told() time.Duration {
	outage, end := 0, 0
	for _, t := range c.Targets {
		if t.Loop {
			return 0
		}
		if end = max(end, t.Config.Seconds); t.Config.Outage() {
			outage = max(outage, t.Config.OutageTo)
		}
	}
	if outage > 0 {
		end = outage
	}
	return time.Duration(end) * time.Second
}
