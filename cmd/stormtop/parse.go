package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
	"stormtop/collector/usage"
)

// Parsers of single values, beside those of package usage. Their errors begin
// with the value and end with the remedy; the place is put in front by the
// caller.

const day = 24 * time.Hour

// formatSet formats a duration, "" for one that is not set.
func formatSet(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return usage.Days(d)
}

// parseShare reads a part of a whole as 10% or as 0.1.
func parseShare(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%s is no share: write it like 10%% or 0.1", collector.Quote(text))
	}
	if percent {
		f /= 100
	}
	if f > 1 && f <= 100 && !percent {
		return 0, fmt.Errorf("%s is more than all: write %s%% or %s", collector.Quote(text), usage.Plain(f), shortest(f/100))
	}
	if f < 0 || f > 1 {
		return 0, fmt.Errorf("%s is out of range: 0%% to 100%%", collector.Quote(text))
	}
	return f, nil
}

func shortest(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func inUnit(u collector.Unit) func(float64) string {
	return func(f float64) string { return collector.FormatThreshold(f, u) }
}

func parseSeed(text string) (seed, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return seed{}, fmt.Errorf("%s is no whole number: write it like 4242", collector.Quote(text))
	}
	return seed{true, n}, nil
}

func formatSeed(s seed) string {
	if !s.given {
		return ""
	}
	return strconv.FormatInt(s.n, 10)
}

// checkProfile looks at the name of a profile; a file is looked at when it is
// read.
func checkProfile(text string) error {
	names := profile.Names()
	if profile.IsFile(text) || slices.Contains(names, text) {
		return nil
	}
	return fmt.Errorf("%s is not known%s: stormtop profiles lists those that are, and a file.yaml is one of your own",
		collector.Quote(text), usage.DidYouMean(text, names))
}

func parseSelect(text string) (string, error) { return text, prom.CheckSelect(text) }

func parseQuery(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	return text, prom.CheckQuery(text)
}

func parseText(text string) (string, error) { return text, nil }

func same(text string) string { return text }

func formatSwitch(b bool) string {
	if !b {
		return ""
	}
	return "true"
}

// parsePair never repeats the text in its error: it may be a secret.
func parsePair(text string) (pair, error) {
	name, value, ok := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return pair{}, errors.New("takes NAME=VALUE, with the name in front of the first =")
	}
	return pair{name, value}, nil
}
