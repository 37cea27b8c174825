package doctor

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"stormtop/collector"
)

// probed is how far back samples are counted to find their spacing.
const probed = 10 * time.Minute

// explainEmpty says why a query that worked has an empty answer.
func (x *exam) explainEmpty(ctx context.Context, out *Signal, parts anatomy) {
	var there, gone []string
	for _, sel := range parts.selectors {
		ans, err := x.ask(ctx, countNames(sel))
		if err != nil {
			continue
		}
		if n := count(ans); n > 0 {
			there = append(there, sel.text)
			out.Found += n
		} else {
			gone = append(gone, sel.text)
		}
	}
	switch spacing := x.spacing(ctx, out.Signal, parts); {
	case len(there)+len(gone) == 0:
		out.State, out.Level, out.Text = NoSeries, Gap, "the answer is empty"
		out.Remedy = fmt.Sprintf("Look at the query with i, or name another with --signal %s=PROMQL.", out.Signal)
	case len(gone) > 0 && x.zeroFilled(out.Signal):
		out.State, out.Level, out.Text = Zero, OK, "none yet, which counts as 0 where there is ingress"
	case len(gone) > 0:
		out.State, out.Level, out.Text = NoSeries, Gap, "no such series: "+listed(gone)
		out.Remedy = enable(x.sys.profile.Name, out.Signal, gone[0])
	case parts.ranged() && x.ex.Rate > 0 && x.ex.Rate < 2*spacing:
		out.State, out.Level = NoRate, Broken
		out.Text = fmt.Sprintf("%s there, but no rate: a range of %s holds fewer than 2 samples, their real spacing is about %s",
			plural(out.Found, "series is", "series are"), collector.FormatInterval(x.ex.Rate), seconds(spacing))
		out.Remedy = fmt.Sprintf("Try --rate=%s or more.", collector.FormatInterval(least(spacing)))
	case parts.filters:
		out.State, out.Level, out.Text = Idle, OK, "idle: nothing happens now that could be measured"
	case len(there) > 1:
		out.State, out.Level, out.Text = NoRate, Broken, fmt.Sprintf("its parts have series, but share no target: %s", listed(there))
		out.Remedy = "Name in --by only labels that all of them have with the same values."
	default:
		out.State, out.Level = NoRate, Gap
		out.Text = fmt.Sprintf("%s there, but no rate yet: they are younger than two samples", plural(out.Found, "series is", "series are"))
		out.Remedy = "Wait for two scrapes, then run the doctor again."
	}
}

func countNames(s selector) string { return "count by (__name__) (" + s.text + ")" }

func (x *exam) zeroFilled(s collector.Signal) bool {
	for _, z := range x.sys.profile.ZeroFill {
		if z == s {
			return true
		}
	}
	return false
}

// spacing is the distance of the samples behind a query: that of its side, else
// what a count over some minutes tells.
func (x *exam) spacing(ctx context.Context, s collector.Signal, parts anatomy) time.Duration {
	var slowest time.Duration
	for _, side := range x.sys.Sides {
		for _, sel := range parts.selectors {
			if sel.text == side.Selector {
				slowest = max(slowest, side.Spacing)
			}
		}
	}
	if slowest > 0 || !parts.ranged() {
		return slowest
	}
	for _, sel := range parts.selectors {
		ans, err := x.ask(ctx, fmt.Sprintf("max(count_over_time(%s[%dm]))", sel.text, probed/time.Minute))
		if err != nil {
			continue
		}
		if n := count(ans); n >= 2 {
			slowest = max(slowest, (probed / time.Duration(n)).Round(time.Second))
		}
	}
	return slowest
}

// least is the smallest rate range that a spacing allows: four samples, so that
// one of them may come late.
func least(spacing time.Duration) time.Duration { return 4 * spacing }

// checkTypes looks at the types of what rates are taken of: the rate of a gauge
// is a number without a meaning.
func (x *exam) checkTypes(ctx context.Context, out *Signal, parts anatomy) {
	for _, sel := range parts.selectors {
		if !sel.rated || out.State == NoSeries || out.State == Zero {
			continue
		}
		for _, metric := range x.metricNames(ctx, sel) {
			if x.typeOf(ctx, metric) != "gauge" {
				continue
			}
			out.Level = max(out.Level, Gap)
			out.Text = joined(out.Text, fmt.Sprintf("the rate of %s, which the server knows as a gauge", metric))
			out.Remedy = joined(out.Remedy, fmt.Sprintf("Check that %s only ever grows; if not, name the counter: --signal %s=PROMQL.", metric, out.Signal))
			return
		}
	}
}

// metricNames are the names behind a selector, which may be a pattern.
func (x *exam) metricNames(ctx context.Context, sel selector) []string {
	if sel.metric != "" {
		return []string{sel.metric}
	}
	ans, err := x.ask(ctx, countNames(sel))
	if err != nil {
		return nil
	}
	var names []string
	for _, s := range ans.Samples {
		for _, l := range s.Labels {
			if l.Name == "__name__" {
				names = append(names, l.Value)
			}
		}
	}
	return names
}

// queryRemedy is what to do about an error of one signal's query.
func queryRemedy(err error) string {
	text := strings.ToLower(err.Error())
	switch {
	case strings.Contains(text, "many-to-many"), strings.Contains(text, "duplicate series"), strings.Contains(text, "multiple matches"):
		return "Aggregate both parts before they are joined, for instance sum by ($by) (...), or name the label that differs in --by."
	case strings.Contains(text, "timed out"), strings.Contains(text, "too many samples"), strings.Contains(text, "larger than"):
		return "Select less with --select, or read a recording rule with --signal."
	}
	return "Correct what the server complains of, then run the doctor again."
}

// seconds is a spacing as people say it: "60s", "15s", "2m".
func seconds(d time.Duration) string {
	if d <= 2*time.Minute && d%time.Second == 0 {
		return fmt.Sprintf("%ds", int(math.Round(d.Seconds())))
	}
	return collector.FormatInterval(d)
}

func joined(a, b string) string {
	switch {
	case a == "" || b == "":
		return a + b
	case strings.HasSuffix(a, "."):
		return a + " " + b
	}
	return a + "; " + b
}

// plural is a number with the right word behind it.
func plural(n int, one, many string) string {
	if n != 1 {
		one = many
	}
	return collector.FormatCount(float64(n)) + " " + one
}
