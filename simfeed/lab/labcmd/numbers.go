package labcmd

import (
	"fmt"
	"strings"

	"stormtop/collector"
	"stormtop/simfeed/lab"
)

// trips are the seconds in which a breaker tripped, at most three of them.
func trips(seconds []int) string {
	const most = 3
	switch n := len(seconds); {
	case n == 0:
		return "–"
	case n > most:
		return trips(seconds[:most]) + fmt.Sprintf(" +%d", n-most)
	}
	return strings.ReplaceAll(list(seconds), " ", ",")
}

func amplification(r lab.Result) string {
	return collector.Num(r.Amplification, collector.Ratio, collector.Exact).String()
}

func fraction(f float64) string {
	return collector.Num(f, collector.Fraction, collector.Exact).String()
}

func rate(n int64) string {
	return collector.Num(float64(n), collector.PerSecond, collector.Exact).String()
}

func count(n int64) string { return collector.FormatCount(float64(n)) }

func millis(n *int64) string {
	if n == nil {
		return "–"
	}
	return count(*n)
}
