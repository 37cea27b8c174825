package measure

import (
	"fmt"

	"stormtop/collector"
)

// unheard is how far attempts may pass requests before a counter of retries that
// reads 0 is not believed.
const unheard = 1.05

// deaf says that the counter of retries reads 0 although more attempts are made
// than requests, as one does that is exported and not enabled; "" where all is
// well.
func (y *System) deaf(rows []collector.Row) string {
	if !y.Has(collector.Retries) {
		return ""
	}
	attempts := collector.Downstream
	if y.Sum {
		attempts = collector.Arrived
	}
	var in, down, retries float64
	for i := range rows {
		v := &rows[i].Values
		n, ok := v[collector.Retries].Number()
		d, okDown := v[attempts].Number()
		r, okIn := v[collector.Ingress].Number()
		if ok && okDown && okIn {
			retries, down, in = retries+n, down+d, in+r*max(rows[i].Baseline, 1)
		}
	}
	if retries > 0 || in <= 0 || down <= unheard*in {
		return ""
	}
	return fmt.Sprintf("retries: the counter reads 0 while %s attempts are made for a request: probably not enabled; the retry rate follows from attempts and requests",
		collector.Num(down/in, collector.Ratio, collector.Approx))
}
