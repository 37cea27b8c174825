package scrape

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/collector/measure"
	"stormtop/collector/profile"
	"stormtop/collector/promql"
	"stormtop/collector/scrape/eval"
)

// Supports says which signals of a profile can be read without a Prometheus, in
// their fixed order, and of the others why not. The reason of NoSignal is that of
// the detection query: the profile is then used only where it is named.
func Supports(p profile.Profile) (signals []collector.Signal, reasons map[collector.Signal]string) {
	reasons = map[collector.Signal]string{}
	for _, s := range slices.Sorted(maps.Keys(p.Signals)) {
		if _, err := eval.Compile(promql.Fill(p.Signals[s], time.Minute, p.By)); err != nil {
			reasons[s] = fmt.Sprintf("%s: %s", measure.Where(p.Name, s, false), err)
			continue
		}
		signals = append(signals, s)
	}
	if p.Sum && slices.Contains(signals, collector.Ingress) && slices.Contains(signals, collector.Retries) {
		signals = append(signals, collector.Downstream)
		slices.Sort(signals)
	}
	if _, err := eval.Compile(p.Detect); err != nil {
		reasons[collector.NoSignal] = fmt.Sprintf("profile %s, detection: %s", p.Name, err)
	}
	return signals, reasons
}

// unsupported reports whether an error is of a query that needs a Prometheus.
func unsupported(err error) bool {
	var u *eval.Unsupported
	return errors.As(err, &u)
}
