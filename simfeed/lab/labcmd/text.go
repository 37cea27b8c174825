package labcmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/lab"
)

// writeText writes the tables for people.
func writeText(w io.Writer, p plan, results []lab.Result) error {
	var b strings.Builder
	b.WriteString(scriptLine(results[0].Config))
	strategies, rest := results, []lab.Result(nil)
	if p.published {
		n := len(p.chosen) * len(lab.Seeds())
		strategies, rest = results[:n], results[n:]
	}
	first := strategies[:len(p.chosen)] // those of the first seed
	writePolicies(&b, p.chosen)
	switch seeds := len(strategies) / len(first); {
	case seeds == 1 || p.published:
		writeResults(&b, fmt.Sprintf("RESULTS, seed %d", first[0].Seed), named(first))
		writeRecovery(&b, named(first))
	default:
		for i := range seeds {
			part := named(strategies[i*len(first) : (i+1)*len(first)])
			writeResults(&b, fmt.Sprintf("RESULTS, seed %d", part[0].Seed), part)
			writeRecovery(&b, part)
		}
	}
	if len(strategies) > len(first) {
		writeSeeds(&b, p.chosen, strategies)
	}
	if p.published {
		writeControls(&b, first, rest)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// row is a result with what its line is called.
type row struct {
	name string
	lab.Result
}

func named(results []lab.Result) []row {
	out := make([]row, len(results))
	for i, r := range results {
		out[i] = row{r.ID, r}
	}
	return out
}

func heading(b *strings.Builder, title string) { b.WriteString("\n" + title + "\n") }

func scriptLine(c lab.Config) string {
	outage := "no outage"
	switch {
	case c.OutageTo == c.OutageFrom+1:
		outage = fmt.Sprintf("total outage in second %d", c.OutageFrom)
	case c.Outage():
		outage = fmt.Sprintf("total outage in seconds %d to %d", c.OutageFrom, c.OutageTo-1)
	}
	return fmt.Sprintf("OUTAGE LAB  %s clients, a request a second each, for %s; capacity %s;\n            %s\n",
		collector.FormatCount(float64(c.Clients)), collector.FormatInterval(time.Duration(c.Seconds)*time.Second),
		rate(int64(c.Capacity)), outage)
}
