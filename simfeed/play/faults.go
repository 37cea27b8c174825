package play

import (
	"strconv"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// delay is what the fault of that name adds to each answer: half of it on each
// way.
const delay = 300 * time.Millisecond

// growth is what the fault of that name multiplies the load by.
const growth = 2

// faults are those that keys stand for, of the watched class and service. was is
// the scenario as it began.
func faults(was, now *chain.Scenario) []collector.Fault {
	class, service := now.Watched()
	fault := func(kind collector.FaultKind, title, field, on string) (out []collector.Fault) {
		before, err := was.Get(field)
		if err != nil {
			return nil
		}
		is, err := now.Get(field)
		if err != nil {
			return nil
		}
		return []collector.Fault{{Kind: kind, Title: title, Field: field, On: on, Off: before, Is: is == on && on != before}}
	}
	var network time.Duration
	factor := 1.0
	for i := range was.Services {
		if was.Services[i].Name == service {
			network = was.Services[i].Network
		}
	}
	for i := range was.Classes {
		if was.Classes[i].Name == class {
			factor = was.Classes[i].Factor
		}
	}
	out := fault(collector.Outage, service+" is down", "services."+service+".down", "on")
	out = append(out, fault(collector.Delay, service+" answers "+collector.FormatInterval(delay)+" later",
		"services."+service+".network", collector.FormatInterval(network+delay/2))...)
	return append(out, fault(collector.Growth, "twice the load of "+class,
		"classes."+class+".factor", strconv.FormatFloat(factor*growth, 'g', -1, 64))...)
}
