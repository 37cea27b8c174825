package watch

import (
	"strings"

	"stormtop/collector"
)

// startText says what a source is read by: "envoy, 212 targets, scraped every
// 15s, rate 1m, poll 15s". What is not known is left out.
func startText(r *collector.Reading) string {
	parts := []string{"first reading"}
	o := r.Origin
	if o == nil {
		return parts[0]
	}
	if o.Profile != "" {
		parts[0] = collector.Clean(o.Profile)
	}
	if n := len(r.Targets); n == 1 {
		parts = append(parts, "1 target")
	} else if n > 1 {
		parts = append(parts, collector.FormatCount(float64(n))+" targets")
	}
	if o.Scrape > 0 {
		parts = append(parts, "scraped every "+collector.FormatInterval(o.Scrape))
	}
	if o.RateRange > 0 {
		parts = append(parts, "rate "+collector.FormatInterval(o.RateRange))
	}
	if o.Interval > 0 {
		parts = append(parts, "poll "+collector.FormatInterval(o.Interval))
	}
	return strings.Join(parts, ", ")
}
