package main

import (
	"fmt"
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/lab"
)

const (
	demoSim   = "demo"
	labPrefix = "lab:"
)

// simulations are names that --sim takes, for completion; lists and ranges of
// strategies are more of them.
func simulations() []string {
	out := []string{demoSim}
	for _, s := range lab.Strategies() {
		out = append(out, labPrefix+s.ID)
	}
	return out
}

func parseSim(text string) (string, error) {
	if text == demoSim {
		return text, nil
	}
	list, ok := strings.CutPrefix(text, labPrefix)
	if !ok {
		return "", fmt.Errorf("%s is no simulation%s: it is demo, or strategies of the lab like lab:S3 or lab:S1..S6",
			collector.Quote(text), usage.DidYouMean(text, simulations()))
	}
	if _, err := lab.ParseStrategies(list); err != nil {
		return "", fmt.Errorf("%s: %w", collector.Quote(text), err)
	}
	return text, nil
}
