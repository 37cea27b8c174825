package eval

import (
	"fmt"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector"
)

// selector notes a selector of the expression; modifiers are refused.
func (e *Expr) selector(n *parser.VectorSelector) (*Selector, error) {
	switch {
	case n.OriginalOffset != 0 || n.OriginalOffsetExpr != nil:
		return nil, &Unsupported{What: "offset"}
	case n.Timestamp != nil || n.StartOrEnd != 0:
		return nil, &Unsupported{What: "@"}
	case n.Anchored:
		return nil, &Unsupported{What: "anchored"}
	case n.Smoothed:
		return nil, &Unsupported{What: "smoothed"}
	}
	s := &Selector{Matchers: n.LabelMatchers}
	e.selectors = append(e.selectors, s)
	return s, nil
}

// instant is the newest value of each series of a selector.
func (e *Expr) instant(n *parser.VectorSelector) (node, error) {
	s, err := e.selector(n)
	if err != nil {
		return nil, err
	}
	return func(r *run) ([]Sample, error) {
		found := r.data.Select(s)
		out := make([]Sample, 0, len(found))
		for _, series := range found {
			if v, ok := series.newest(r.at); ok {
				out = append(out, Sample{series.Labels, v})
			}
		}
		return out, nil
	}, nil
}

// nameless drops the metrics' names, in place. Where that makes two samples the
// same series it is an error, as in Prometheus.
func nameless(list []Sample) ([]Sample, error) {
	first, several := "", false
	for i := range list {
		name := list[i].Labels.Get(metricName)
		if i == 0 {
			first = name
		}
		several = several || name != first
		list[i].Labels = list[i].Labels.DropReserved(isName)
	}
	if !several {
		return list, nil
	}
	return list, distinct(list)
}

// distinct refuses two samples with the same labels.
func distinct(list []Sample) error {
	var buf []byte
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		buf = s.Labels.Bytes(buf)
		if seen[string(buf)] {
			return fmt.Errorf("two series become the same, %s: aggregate them, for instance by sum by (...) (...)", show(s.Labels))
		}
		seen[string(buf)] = true
	}
	return nil
}

// show is a label set for an error.
func show(set labels.Labels) string { return collector.Clean(set.String()) }

// metricName is the label that carries the name of a metric.
const metricName = "__name__"

func isName(label string) bool { return label == metricName }
