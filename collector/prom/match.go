package prom

import (
	"fmt"
	"regexp"

	"github.com/prometheus/prometheus/model/labels"

	"stormtop/collector"
	"stormtop/collector/measure"
	"stormtop/collector/promql"
)

// twice is how a Prometheus names the two series that a join found where it
// needs one.
var twice = regexp.MustCompile(`found duplicate series for the match group .*? operation: \[(\{.*\}), (\{.*\})\];`)

// joined puts a refusal of a join in front of the server's words: two series for
// the same match, and the label in which they differ. Others stay as they are.
func joined(text string) string {
	m := twice.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	var sets [2][]collector.Label
	for i, one := range m[1:] {
		list, err := promql.Language.ParseMetric(one)
		if err != nil {
			return text
		}
		list.Range(func(l labels.Label) { sets[i] = append(sets[i], collector.Label{Name: l.Name, Value: l.Value}) })
	}
	return fmt.Sprintf("two series for the same match, differing in label %s: aggregate both sides before they are joined (%s)",
		measure.Difference(sets[0], sets[1]), text)
}
