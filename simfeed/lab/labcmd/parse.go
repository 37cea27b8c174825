package labcmd

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
)

// Parsers of single values, beside those of package usage. Their errors begin
// with the value and end with the remedy.

func parseCount(s string) (int, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s is no whole number: write it like 200", collector.Quote(s))
	}
	return int(n), nil
}

func parseSeeds(s string) ([]int64, error) {
	var out []int64
	for _, item := range strings.Split(s, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(item), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s is no list of seeds: write whole numbers of at most 64 bits like 4242,1", collector.Quote(s))
		}
		out = append(out, n)
	}
	return out, nil
}

func parseSeconds(s string) (int, error) {
	d, err := collector.ParseDuration(s)
	switch {
	case err != nil:
		return 0, err
	case d%time.Second != 0 || d > math.MaxInt32*time.Second:
		return 0, fmt.Errorf("%s is no whole number of seconds: write it like 60s or 5m", collector.Quote(s))
	}
	return int(d / time.Second), nil
}

func parseOutage(s string) (from, to int, err error) {
	if s == "none" {
		return 0, 0, nil
	}
	a, b, ok := strings.Cut(s, "..")
	from, err1 := parseSeconds(a)
	to, err2 := parseSeconds(b)
	switch {
	case !ok:
		return 0, 0, fmt.Errorf("%s is no outage: write it like 20s..26s, or none", collector.Quote(s))
	case errors.Join(err1, err2) != nil:
		return 0, 0, fmt.Errorf("%s is no outage of whole seconds: write it like 20s..26s, or none", collector.Quote(s))
	case from >= to:
		return 0, 0, fmt.Errorf("%s must begin before it ends: write it like 20s..26s; none is no outage", collector.Quote(s))
	}
	return from, to, nil
}

func parsePercent(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%s is no percentage: write it like 20%%", collector.Quote(s))
	}
	return f, nil
}
