package simulate

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/play"
)

// epoch is when a run begins for those who need a time: OpenMetrics.
var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// series is the samples of one set of labels, in their order.
type series struct {
	labels string
	lines  bytes.Buffer
}

// family is the series of one metric.
type family struct {
	name, kind, help string
	order            []*series
	by               map[string]*series
}

func newFamily(name, kind, help string) *family {
	return &family{name: name, kind: kind, help: help, by: map[string]*series{}}
}

func (f *family) put(suffix, labels string, value float64, at float64) {
	key := suffix + labels
	s := f.by[key]
	if s == nil {
		s = &series{labels: labels}
		f.by[key] = s
		f.order = append(f.order, s)
	}
	fmt.Fprintf(&s.lines, "%s%s{%s} %s %s\n", f.name, suffix, labels,
		strconv.FormatFloat(value, 'g', -1, 64), strconv.FormatFloat(at, 'f', -1, 64))
}

func (f *family) write(out *bytes.Buffer) {
	fmt.Fprintf(out, "# TYPE %s %s\n# HELP %s %s\n", f.name, f.kind, f.name, f.help)
	for _, s := range f.order {
		out.Write(s.lines.Bytes())
	}
}

func label(name, value string) string {
	value = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(strings.ToValidUTF8(value, "\uFFFD"))
	return name + `="` + value + `"`
}

// writeOpenMetrics writes the counters of every hop as a scrape at the end of
// each window would have found them, under the names of --listen.
func (p *plan) writeOpenMetrics(out *bytes.Buffer, r outcome) error {
	requests := newFamily("stormtop_requests", "counter", collector.HelpRequests)
	attempts := newFamily("stormtop_attempts", "counter", collector.HelpAttempts)
	successes := newFamily("stormtop_successes", "counter", collector.HelpSuccesses)
	atLimit := newFamily("stormtop_at_limit", "counter", collector.HelpAtLimit)
	pool := newFamily("stormtop_pool_wait_seconds", "summary", collector.HelpPoolWait)
	queue := newFamily("stormtop_queue_depth", "gauge", collector.HelpQueueDepth)
	signal := newFamily("stormtop_signal", "gauge", "A signal of a window, in its own unit; what is no finite number is absent. target=\"\" is what the scenario watches.")
	tally, course := play.NewTally(&p.scenario), play.NewCourse(&p.scenario)
	for i := range r.Windows {
		w := &r.Windows[i]
		at := float64(epoch.Add(w.End).UnixMilli()) / 1000
		rows, watched := course.Rows(w)
		tally.Add(course.Now(), w, false)
		if p.scenario.IsBlind(w.End) {
			continue // nobody could scrape it
		}
		for _, c := range tally.Counters() {
			service := label("service", c.Service)
			requests.put("_total", service, float64(c.Requests), at)
			atLimit.put("_total", service, float64(c.AtLimit), at)
			for k, n := range c.Attempts {
				attempts.put("_total", service+","+label("attempt", strconv.Itoa(k+1)), float64(n), at)
			}
			for k, n := range c.Successes {
				successes.put("_total", service+","+label("attempt", strconv.Itoa(k+1)), float64(n), at)
			}
			if c.HasPool {
				pool.put("_sum", service, c.PoolWaitSeconds, at)
				pool.put("_count", service, float64(c.PoolWaits), at)
			}
			if n, ok := c.QueueDepth.Number(); ok {
				queue.put("", service, n, at)
			}
		}
		signalRow(signal, "", &watched.Values, at)
		for j := range rows {
			signalRow(signal, rows[j].Target.Name, &rows[j].Values, at)
		}
	}
	for _, f := range []*family{requests, attempts, successes, atLimit, pool, queue, signal} {
		f.write(out)
	}
	out.WriteString("# EOF\n")
	return nil
}

func signalRow(f *family, target string, v *collector.Values, at float64) {
	for _, s := range collector.Signals() {
		if n, ok := v[s].Number(); ok {
			f.put("", label("signal", s.String())+","+label("target", target), n, at)
		}
	}
}
