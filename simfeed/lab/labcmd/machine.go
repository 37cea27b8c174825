package labcmd

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"stormtop/simfeed/lab"
)

// writeJSON writes an array with one run a line.
func writeJSON(w io.Writer, results []lab.Result) error {
	for i, r := range results {
		text, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("writing run %s as JSON: %w", r.ID, err)
		}
		before := ",\n"
		if i == 0 {
			before = "[\n"
		}
		if _, err := fmt.Fprintf(w, "%s%s", before, text); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "\n]\n")
	return err
}

// writeCSV writes a header and a row for each run, with the names of the JSON.
func writeCSV(w io.Writer, results []lab.Result) error {
	out := csv.NewWriter(w)
	for i, r := range results {
		columns := csvColumns(r)
		names, cells := make([]string, len(columns)), make([]string, len(columns))
		for c, column := range columns {
			names[c], cells[c] = column.name, column.text
		}
		if i == 0 {
			if err := out.Write(names); err != nil {
				return err
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

type csvColumn struct{ name, text string }

func csvColumns(r lab.Result) []csvColumn {
	return []csvColumn{
		{"id", r.ID},
		{"seed", whole(r.Seed)},
		{"maxRetry", whole(r.MaxRetry)},
		{"baseMs", whole(r.BaseMs)},
		{"jitter", r.Jitter},
		{"budgetPct", float(r.BudgetPct)},
		{"deadlineMs", whole(r.DeadlineMs)},
		{"breaker", strconv.FormatBool(r.Breaker)},
		{"breakerThreshold", whole(r.BreakerThreshold)},
		{"attempts", whole(r.Attempts)},
		{"delivered", whole(r.Delivered)},
		{"failed", whole(r.Failed)},
		{"amplification", float(r.Amplification)},
		{"deliveredPct", float(r.DeliveredPct)},
		{"peakQPS", whole(r.PeakQPS)},
		{"overloadSeconds", whole(r.OverloadSeconds)},
		{"p50Ms", maybe(r.P50Ms)},
		{"p90Ms", maybe(r.P90Ms)},
		{"p99Ms", maybe(r.P99Ms)},
		{"latencySumMs", whole(r.LatencySumMs)},
		{"breakerTrips", whole(r.BreakerTrips)},
		{"tripSeconds", list(r.TripSeconds)},
		{"harmfulRejections", whole(r.WronglyRefused)},
		{"arrivalsSeconds26to28", maybe(r.Recovery)},
		{"perSecond", list(r.PerSecond)},
	}
}

func whole[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

func float(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func maybe(n *int64) string {
	if n == nil {
		return ""
	}
	return whole(*n)
}

func list[T int | int64](numbers []T) string {
	items := make([]string, len(numbers))
	for i, n := range numbers {
		items[i] = whole(n)
	}
	return strings.Join(items, " ")
}
