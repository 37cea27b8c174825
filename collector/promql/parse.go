package promql

import (
	"maps"

	"github.com/prometheus/prometheus/promql/parser"
)

// Language takes apart PromQL as servers of any version speak it: with what is
// experimental somewhere, and with what has another name now.
var Language = parser.NewParser(parser.Options{
	EnableExperimentalFunctions: true, EnableBinopFillModifiers: true, Functions: functions(),
})

func functions() map[string]*parser.Function {
	out := maps.Clone(parser.Functions)
	if now, ok := out["double_exponential_smoothing"]; ok { // renamed by Prometheus 3.0
		old := *now
		old.Name = "holt_winters"
		out[old.Name] = &old
	}
	return out
}
