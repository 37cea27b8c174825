package labcmd

import (
	"fmt"
	"strconv"
	"strings"

	"stormtop/collector"
	"stormtop/simfeed/lab"
	"stormtop/simfeed/table"
)

func writePolicies(b *strings.Builder, chosen []lab.Strategy) {
	heading(b, "STRATEGIES")
	t := table.Table{Left: 1}
	t.Add("", "attempts", "retries", "backoff", "jitter", "budget", "deadline", "breaker")
	for _, s := range chosen {
		c := s.Config
		backoff, budget, breaker := "at once", "none", "off"
		if c.Base > 0 {
			backoff = collector.FormatInterval(c.Base) + " x2"
		}
		if c.BudgetPct < 100 {
			budget = collector.FormatThreshold(c.BudgetPct/100, collector.Fraction)
		}
		if c.Breaker {
			breaker = fmt.Sprintf("> %s failures", collector.FormatCount(float64(c.BreakerThreshold)))
		}
		t.Add(s.ID, strconv.Itoa(c.Attempts()), strconv.Itoa(c.Retries), backoff, c.Jitter.String(), budget,
			collector.FormatInterval(c.Deadline), breaker)
	}
	t.Write(b)
}

func writeResults(b *strings.Builder, title string, rows []row) {
	heading(b, title)
	t := table.Table{Left: 1}
	t.Add("", "ampli-", "deliv-", "", "over-", "p50", "p99", "", "at", "wrongly")
	t.Add("", "fication", "ered", "peak/s", "load s", "ms", "ms", "trips", "second", "refused")
	for _, r := range rows {
		t.Add(r.name, amplification(r.Result), fraction(r.DeliveredPct/100), count(r.PeakQPS), strconv.Itoa(r.OverloadSeconds),
			millis(r.P50Ms), millis(r.P99Ms), strconv.Itoa(r.BreakerTrips), trips(r.TripSeconds), count(r.WronglyRefused))
	}
	t.Write(b)
}

// writeRecovery shows the attempts of the last second of the outage and of the
// three after it.
func writeRecovery(b *strings.Builder, rows []row) {
	c := rows[0].Config
	if rows[0].Recovery == nil {
		return
	}
	to := min(c.OutageTo+3, c.Seconds)
	heading(b, fmt.Sprintf("RECOVERY  attempts that arrive once the dependency is back, capacity %s", rate(int64(c.Capacity))))
	t := table.Table{Left: 1}
	header := []string{"second", strconv.Itoa(c.OutageTo-1) + " (down)"}
	for s := c.OutageTo; s < to; s++ {
		header = append(header, strconv.Itoa(s))
	}
	t.Add(append(header, fmt.Sprintf("%d..%d", c.OutageTo, to-1))...)
	for _, r := range rows {
		cells := []string{r.name}
		for _, n := range r.PerSecond[c.OutageTo-1 : to] {
			cells = append(cells, count(n))
		}
		t.Add(append(cells, count(*r.Recovery))...)
	}
	t.Write(b)
}

// writeSeeds shows how far the amplification depends on chance.
func writeSeeds(b *strings.Builder, chosen []lab.Strategy, results []lab.Result) {
	heading(b, "SEEDS  amplification")
	t := table.Table{Left: 1}
	header := []string{"seed"}
	for _, s := range chosen {
		header = append(header, s.ID)
	}
	t.Add(header...)
	n := len(chosen)
	lowest, highest := append([]lab.Result{}, results[:n]...), append([]lab.Result{}, results[:n]...)
	for i := 0; i < len(results); i += n {
		for j, r := range results[i : i+n] {
			if r.Amplification < lowest[j].Amplification {
				lowest[j] = r
			}
			if r.Amplification > highest[j].Amplification {
				highest[j] = r
			}
		}
		t.Add(amplifications(whole(results[i].Seed), results[i:i+n])...)
	}
	t.Add(amplifications("lowest", lowest)...)
	t.Add(amplifications("highest", highest)...)
	t.Write(b)
}

func amplifications(first string, results []lab.Result) []string {
	cells := []string{first}
	for _, r := range results {
		cells = append(cells, amplification(r))
	}
	return cells
}

// writeControls shows the published controls beside the strategies that they
// are compared with, by what they change.
func writeControls(b *strings.Builder, first, results []lab.Result) {
	strategy, controls := named(first), named(results)
	for i, s := range lab.Controls() {
		controls[i].name = s.Title
	}
	writeResults(b, "BUDGET OFF  without its budget S4 is S3 in every figure",
		[]row{strategy[2], strategy[3], controls[0], strategy[4], controls[1]})
	writeResults(b, "BREAKER  alone it never trips; a low threshold refuses what could be served\n(S6 > 100 is S6 with a threshold of 100 failures in a row)",
		append(strategy[2:3:3], controls[2:]...))
}
