package labcmd

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// value is a flag that is checked as it is set. It shows no default: where it
// is not given, the strategy's own counts.
type value struct {
	kind string
	set  func(string) error
}

func (v *value) String() string     { return "" }
func (v *value) Set(s string) error { return v.set(strings.TrimSpace(s)) }
func (v *value) Type() string       { return v.kind }

func parseCount(s string) (int, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, errors.New("give a whole number")
	}
	return int(n), nil
}

func parseSeeds(s string) ([]int64, error) {
	var out []int64
	for _, item := range strings.Split(s, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(item), 10, 64)
		if err != nil {
			return nil, errors.New("give whole numbers of at most 64 bits, separated by commas, such as 4242,1")
		}
		out = append(out, n)
	}
	return out, nil
}

func parseTime(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, errors.New("give a time with its unit, such as 500ms or 3s")
	}
	return d, nil
}

func parseSeconds(s string) (int, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d%time.Second != 0 || d.Abs() > math.MaxInt32*time.Second {
		return 0, errors.New("give whole seconds with their unit, such as 60s or 5m")
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
	if !ok || err1 != nil || err2 != nil {
		return 0, 0, errors.New("give it in whole seconds, such as 20s..26s, or none")
	}
	if from >= to {
		return 0, 0, fmt.Errorf("it must begin before it ends, such as 20s..26s; none is no outage")
	}
	return from, to, nil
}

func parsePercent(s string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, errors.New("give a percentage, such as 20%")
	}
	return f, nil
}
