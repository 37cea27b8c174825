// Package alertstest turns series in a compact notation into readings, so that
// a test of rules reads like the picture it is about.
//
// A series is a list of samples, one for each reading:
//
//	75 85 70x3   numbers; x3 makes three of them
//	_            no sample
//	!            the query failed
//	inf nan      x/0 and 0/0
//	s2.0 p2.0    stale, partial
//
// Readings come from lines of a target, a signal and its series.
package alertstest

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"stormtop/collector"
)

// Series reads the notation of one series. The values have the unit of the
// signal. The error names the token that cannot be read.
func Series(sig collector.Signal, text string) ([]collector.Value, error) {
	var out []collector.Value
	for _, token := range strings.Fields(text) {
		v, n, err := sample(token)
		if err != nil {
			return nil, fmt.Errorf("reading a series of %s: %w", sig, err)
		}
		v.Unit = sig.Unit()
		if v.State != collector.Missing {
			v.Trust = collector.Exact
		}
		for range n {
			out = append(out, v)
		}
	}
	return out, nil
}

// sample reads one token: a value and how often it comes.
func sample(token string) (v collector.Value, n int, err error) {
	word, times, repeated := strings.Cut(token, "x")
	n = 1
	if repeated {
		if n, err = strconv.Atoi(times); err != nil || n < 1 || n > 1_000_000 {
			return v, 0, fmt.Errorf("%q: the number of times after x must be 1 to 1000000", token)
		}
	}
	switch word {
	case "_":
		return collector.Value{}, n, nil
	case "!":
		return collector.Value{State: collector.Failed}, n, nil
	case "inf":
		return collector.Value{State: collector.Infinite}, n, nil
	case "nan":
		return collector.Value{State: collector.Idle}, n, nil
	}
	v.State = collector.Ok
	switch {
	case strings.HasPrefix(word, "s"):
		v.State, word = collector.Stale, word[1:]
	case strings.HasPrefix(word, "p"):
		v.State, word = collector.Partial, word[1:]
	}
	v.V, err = strconv.ParseFloat(word, 64)
	if err != nil || math.IsNaN(v.V) || math.IsInf(v.V, 0) {
		return v, 0, fmt.Errorf("%q is no sample: write a number, _, !, inf, nan, s2.0 or p2.0", token)
	}
	return v, n, nil
}
