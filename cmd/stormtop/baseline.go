package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// baseline is what --baseline says: a number for all targets, or a stretch of
// the past to learn one from for each.
type baseline struct {
	number float64       // 0 where it is learned
	window time.Duration // the length of the stretch; 0: not learned
	offset time.Duration // from the end of the stretch to now
}

var baselineNumber = usage.Number("", 0.001, 1e6, "3.63")

// parseBaseline reads a number, or a stretch as PromQL writes it: "1h offset 1d".
func parseBaseline(text string) (baseline, error) {
	n, notNumber := baselineNumber(text)
	if notNumber == nil {
		return baseline{number: n}, nil
	}
	window, rest, found := strings.Cut(strings.TrimSpace(text), " ")
	if !strings.ContainsAny(window, "smhd") {
		return baseline{}, notNumber
	}
	length := usage.Duration(time.Minute, 7*day)
	w, err := length(window)
	if err != nil {
		return baseline{}, fmt.Errorf("%w; a stretch to learn from is written like 1h, or like 1h offset 1d", err)
	}
	out := baseline{window: w}
	if !found {
		return out, nil
	}
	word, offset, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if word != "offset" {
		return baseline{}, fmt.Errorf("%s: behind the length stands offset and how long ago it ended, as in 1h offset 1d", collector.Quote(text))
	}
	if out.offset, err = usage.Duration(0, 31*day)(strings.TrimSpace(offset)); err != nil {
		return baseline{}, fmt.Errorf("%s: %w", collector.Quote(text), err)
	}
	return out, nil
}

func formatBaseline(b baseline) string {
	switch {
	case b == (baseline{}):
		return ""
	case b.window == 0:
		return shortest(b.number)
	case b.offset == 0:
		return usage.Days(b.window)
	}
	return usage.Days(b.window) + " offset " + usage.Days(b.offset)
}

// checkBaselineOf looks at a NAME=NUMBER.
func checkBaselineOf(p pair) error {
	if strings.TrimSpace(p.value) == "" {
		return errors.New(collector.Clean(p.name) + " has no number: write it like payments=3.63")
	}
	if _, err := baselineNumber(p.value); err != nil { // what was written may be anything
		return errors.New("takes NAME=NUMBER with a number from 0.001 to 1000000, like payments=3.63")
	}
	return nil
}

// baselines is what amplifications are divided by at the start.
func (s settings) baselines() collector.Baselines {
	out := collector.Baselines{Number: s.baseline.number}
	for _, p := range s.baselinesOf {
		if n, err := baselineNumber(p.value); err == nil {
			if out.Of == nil {
				out.Of = map[string]float64{}
			}
			out.Of[p.name] = n
		}
	}
	return out
}
