package recording

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"time"

	"stormtop/collector"
)

// WriteCSV writes readings as CSV by RFC 4180, one value a line, readings in
// their order: time, target, system, signal, value, state, unit, trust. The sum
// over the targets has an empty target. A value that is no finite number is
// empty, and its state says why; what is missing is left out.
func WriteCSV(w io.Writer, readings iter.Seq[*collector.Reading]) error {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	record := []string{"time", "target", "system", "signal", "value", "state", "unit", "trust"}
	if err := c.Write(record); err != nil {
		return fmt.Errorf("the CSV cannot be written: %w", err)
	}
	var number []byte
	for r := range readings {
		record[0] = r.At.UTC().Format(time.RFC3339Nano)
		for i := -1; i < len(r.Targets); i++ {
			row := &r.Total
			record[1], record[2] = "", ""
			if i >= 0 {
				row = &r.Targets[i]
				record[1], record[2] = collector.Clean(row.Target.Name), collector.Clean(row.Target.System)
			}
			for s := collector.Ingress; s < collector.NumSignals; s++ {
				v := plain(row.Values[s])
				if v.State == collector.Missing {
					continue
				}
				number = number[:0]
				if v.State.HasNumber() {
					number = appendNumber(number, v.V)
				}
				record[3], record[4], record[5] = s.String(), string(number), v.State.String()
				record[6], record[7] = nameOf(v.Unit), nameOf(v.Trust)
				if err := c.Write(record); err != nil {
					return fmt.Errorf("the CSV cannot be written: %w", err)
				}
			}
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("the CSV cannot be written: %w", err)
	}
	return nil
}
