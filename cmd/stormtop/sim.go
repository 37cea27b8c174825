package main

import (
	"fmt"
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/lab"
	"stormtop/simfeed/scenario"
)

const (
	demoSim   = "demo" // the lab's engine with an outage of a minute
	labPrefix = "lab:"
)

// The default seed of scenarios; the lab has one of its own.
const defaultSeed = 1

// simulations are names that --sim takes, for completion; files, variants, lists
// and ranges of strategies are more of them.
func simulations() []string {
	out := append(scenario.Names(), demoSim)
	for _, s := range lab.Strategies() {
		out = append(out, labPrefix+s.ID)
	}
	return out
}

// parseSim looks at the name of a simulation; a file is looked at when it is
// read.
func parseSim(text string) (string, error) {
	if list, ok := strings.CutPrefix(text, labPrefix); ok {
		if _, err := lab.ParseStrategies(list); err != nil {
			return "", fmt.Errorf("%s: %w", collector.Quote(text), err)
		}
		return text, nil
	}
	if text == demoSim || scenario.IsFile(text) {
		return text, nil
	}
	if name, _, _ := strings.Cut(text, ":"); !scenario.Known(name) {
		return "", fmt.Errorf("%s is no simulation%s: it is a scenario (stormtop scenarios lists them), a FILE.yaml, or strategies of the lab like lab:S3 or lab:S1..S6",
			collector.Quote(text), usage.DidYouMean(text, simulations()))
	}
	if _, err := scenario.Named(text, readScenario); err != nil {
		return "", err
	}
	return text, nil
}
