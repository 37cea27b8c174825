package scrape

import (
	"math"
	"strconv"
	"strings"

	dto "github.com/prometheus/client_model/go"
)

// sample is one number that an endpoint exposes, under the name that Prometheus
// would give it. extra is a label beside those of the metric: le or quantile.
type sample struct {
	name  string
	extra [2]string
	v     float64
}

// each calls yield for every sample of a metric, histograms and summaries as
// their parts, and stops when it returns false.
func each(mf *dto.MetricFamily, m *dto.Metric, yield func(sample) bool) bool {
	name := mf.GetName()
	switch {
	case m.Counter != nil:
		return yield(sample{name: name, v: m.Counter.GetValue()})
	case m.Gauge != nil:
		return yield(sample{name: name, v: m.Gauge.GetValue()})
	case m.Untyped != nil:
		return yield(sample{name: name, v: m.Untyped.GetValue()})
	case m.Summary != nil:
		s := m.Summary
		for _, q := range s.Quantile {
			if !yield(sample{name, [2]string{"quantile", bound(q.GetQuantile())}, q.GetValue()}) {
				return false
			}
		}
		return yield(sample{name: name + "_sum", v: s.GetSampleSum()}) && yield(sample{name: name + "_count", v: float64(s.GetSampleCount())})
	case m.Histogram != nil:
		return histogram(name, m.Histogram, yield)
	}
	return true
}

func histogram(name string, h *dto.Histogram, yield func(sample) bool) bool {
	count := h.GetSampleCountFloat()
	if h.SampleCountFloat == nil || count == 0 {
		count = float64(h.GetSampleCount())
	}
	infinite := false
	for _, b := range h.Bucket {
		n := b.GetCumulativeCountFloat()
		if b.CumulativeCountFloat == nil || n == 0 {
			n = float64(b.GetCumulativeCount())
		}
		infinite = infinite || math.IsInf(b.GetUpperBound(), 1)
		if !yield(sample{name + "_bucket", [2]string{"le", bound(b.GetUpperBound())}, n}) {
			return false
		}
	}
	if !infinite && !yield(sample{name + "_bucket", [2]string{"le", "+Inf"}, count}) {
		return false
	}
	return yield(sample{name: name + "_sum", v: h.GetSampleSum()}) && yield(sample{name: name + "_count", v: count})
}

// bound writes a bucket's bound or a quantile as Prometheus does: "1.0", "+Inf".
func bound(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "+Inf"
	case math.IsInf(f, -1):
		return "-Inf"
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".eN") {
		s += ".0"
	}
	return s
}
