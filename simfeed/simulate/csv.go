package simulate

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"

	"stormtop/simfeed/chain"
	"stormtop/simfeed/play"
)

// writeSeries writes a run as CSV: a header and a row a window.
func (p *plan) writeSeries(out *bytes.Buffer, r outcome) error {
	var classes []string
	for _, c := range r.Scenario.Classes {
		classes = append(classes, c.Name)
	}
	var attempts []int // the most at each hop
	for i := range r.Windows {
		for j := range r.Windows[i].Hops {
			if j == len(attempts) {
				attempts = append(attempts, 1)
			}
			h := &r.Windows[i].Hops[j]
			attempts[j] = max(attempts[j], len(counts(h.ByAttempt)), len(counts(h.SuccessBy)))
		}
	}
	course := play.NewCourse(&p.scenario)
	return writeRows(out, len(r.Windows), func(i int) []column {
		s := secondOf(course, &r.Windows[i])
		return columnsOf(&s, classes, attempts)
	})
}

// writeRunsCSV writes a row a run.
func (p *plan) writeRunsCSV(out *bytes.Buffer, runs []figuresOf) error {
	return writeRows(out, len(runs), func(i int) []column {
		r := &runs[i]
		return append([]column{{"seed", strconv.FormatInt(r.seed, 10)}, {"verdict", r.verdict.String()}, {"event_hash", fmt.Sprintf("%016x", r.hash)}},
			figureColumns(r.figures)...)
	})
}

// writeComparisonCSV writes a row for each run of each policy.
func (p *plan) writeComparisonCSV(out *bytes.Buffer, all []compared) error {
	type one struct {
		name string
		run  *figuresOf
	}
	var rows []one
	for i := range all {
		for j := range all[i].runs {
			rows = append(rows, one{all[i].name, &all[i].runs[j]})
		}
	}
	return writeRows(out, len(rows), func(i int) []column {
		r := rows[i].run
		return append([]column{{"policy", rows[i].name}, {"seed", strconv.FormatInt(r.seed, 10)}, {"verdict", r.verdict.String()}},
			figureColumns(r.figures)...)
	})
}

func figureColumns(figures []chain.Figure) []column {
	var out []column
	for i := range figures {
		c := column{name: figures[i].Name}
		if figures[i].Known {
			c.text = text(&figures[i].Value)
		}
		out = append(out, c)
	}
	return out
}

func writeRows(out *bytes.Buffer, n int, row func(int) []column) error {
	w := csv.NewWriter(out)
	for i := range n {
		columns := row(i)
		names, cells := make([]string, len(columns)), make([]string, len(columns))
		for c, column := range columns {
			names[c], cells[c] = column.name, column.text
		}
		if i == 0 {
			if err := w.Write(names); err != nil {
				return fmt.Errorf("writing CSV: %w", err)
			}
		}
		if err := w.Write(cells); err != nil {
			return fmt.Errorf("writing CSV: %w", err)
		}
	}
	w.Flush()
	return w.Error()
}
