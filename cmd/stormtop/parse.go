package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
)

// Parsers of single values. Their errors begin with the value and end with the
// remedy; the place is put in front by the caller.

const maxDuration = 10 * 365 * 24 * time.Hour

const day = 24 * time.Hour

var units = map[string]time.Duration{
	"ns": 1, "us": time.Microsecond, "µs": time.Microsecond, "μs": time.Microsecond, "ms": time.Millisecond,
	"s": time.Second, "m": time.Minute, "h": time.Hour, "d": day, "w": 7 * day, "y": 365 * day,
}

// parseDuration reads Go's and Prometheus's ways of writing a duration that is
// not negative: "1m30s", "1.5h", "1d12h", "0".
func parseDuration(text string) (time.Duration, error) {
	bad := func() (time.Duration, error) {
		return 0, fmt.Errorf("%q is no duration: write it like 500ms, 30s, 1m30s, 2h or 1d", collector.Clean(text))
	}
	if text == "0" {
		return 0, nil
	}
	var sum time.Duration
	rest := text
	for rest != "" {
		digits := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if digits == 0 {
			return bad()
		}
		if digits < 0 {
			return 0, fmt.Errorf("%q has no unit: write %ss for seconds, %sm for minutes", collector.Clean(text), text, text)
		}
		unit := rest[digits:]
		if end := strings.IndexAny(unit, "0123456789."); end >= 0 {
			unit = unit[:end]
		}
		number := rest[:digits]
		rest = rest[digits+len(unit):]
		f, err := strconv.ParseFloat(number, 64)
		size, ok := units[unit]
		if err != nil || !ok {
			return bad()
		}
		piece := maxDuration + 1
		switch {
		case f > float64(maxDuration/size):
		case size < day:
			if piece, err = time.ParseDuration(number + unit); err != nil {
				return bad()
			}
		default:
			piece = time.Duration(f * float64(size))
		}
		if sum += piece; sum > maxDuration {
			return 0, fmt.Errorf("%q is too long: ten years at most", collector.Clean(text))
		}
	}
	if text == "" {
		return bad()
	}
	return sum, nil
}

// duration makes a parser of durations within bounds, both included.
func duration(least, most time.Duration) func(string) (time.Duration, error) {
	return func(text string) (time.Duration, error) {
		d, err := parseDuration(text)
		if err == nil && (d < least || d > most) {
			err = fmt.Errorf("%q is out of range: %s to %s", collector.Clean(text),
				collector.FormatInterval(least), formatDays(most))
		}
		return d, err
	}
}

func formatDays(d time.Duration) string {
	if d >= day && d%day == 0 {
		return strconv.FormatInt(int64(d/day), 10) + "d"
	}
	return collector.FormatInterval(d)
}

// formatSet formats a duration, "" for one that is not set.
func formatSet(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return formatDays(d)
}

// number parses a number from least to most with an optional unit behind it.
func number(unit string, least, most float64, example string) func(string) (float64, error) {
	return func(text string) (float64, error) {
		f, err := strconv.ParseFloat(strings.TrimSuffix(text, unit), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, fmt.Errorf("%q is no number: write it like %s", collector.Clean(text), example)
		}
		if f < least || f > most {
			return 0, fmt.Errorf("%q is out of range: %s%s to %s%s", collector.Clean(text),
				shortest(least), unit, shortest(most), unit)
		}
		return f, nil
	}
}

// parseShare reads a part of a whole as 10% or as 0.1.
func parseShare(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%q is no share: write it like 10%% or 0.1", collector.Clean(text))
	}
	if percent {
		f /= 100
	}
	if f > 1 && !percent {
		return 0, fmt.Errorf("%q is more than all: write %s%% or %s", collector.Clean(text), digits, shortest(f/100))
	}
	if f < 0 || f > 1 {
		return 0, fmt.Errorf("%q is out of range: 0%% to 100%%", collector.Clean(text))
	}
	return f, nil
}

func shortest(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func inUnit(u collector.Unit) func(float64) string {
	return func(f float64) string { return collector.FormatThreshold(f, u) }
}

func parseSeed(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number: write it like 4242", collector.Clean(text))
	}
	return n, nil
}

func formatSeed(n int64) string { return strconv.FormatInt(n, 10) }

func parseText(text string) (string, error) { return text, nil }

func same(text string) string { return text }

// oneOf parses one of a few words.
func oneOf(words ...string) func(string) (string, error) {
	return func(text string) (string, error) {
		for _, w := range words {
			if w == text {
				return text, nil
			}
		}
		return "", fmt.Errorf("%q is not known%s: it is %s", collector.Clean(text),
			didYouMean(text, words), strings.Join(words, ", "))
	}
}

func parseSwitch(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", collector.Clean(text))
}

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
