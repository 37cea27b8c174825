package doctor

import (
	"fmt"
	"time"

	"stormtop/collector"
)

// Poll is what one poll of the dashboard asks of the server, by what its queries
// cost during the examination.
type Poll struct {
	Cost     collector.Cost // of the queries of all signals
	Interval time.Duration  // time between polls; 0: there is none to compare with
}

// Share is the part of the interval that is spent waiting for answers; 0 where
// there is no interval.
func (p Poll) Share() float64 {
	if p.Interval <= 0 {
		return 0
	}
	return float64(p.Cost.Took) / float64(p.Interval)
}

const (
	mostShare       = 0.1              // of the interval may be spent in queries
	assumedInterval = 15 * time.Second // while no spacing is known
	leastInterval   = time.Second
)

func (d *doctor) addPoll(c collector.Cost) {
	d.report.Poll.Cost.Queries += c.Queries
	d.report.Poll.Cost.Bytes += c.Bytes
	d.report.Poll.Cost.Took += c.Took
}

// judgePoll compares a poll with the time there is for it.
func (d *doctor) judgePoll() {
	p := &d.report.Poll
	if p.Cost.Queries == 0 {
		return
	}
	spacing := d.spacingOfAll()
	p.Interval = d.cfg.Interval
	if p.Interval == 0 {
		p.Interval = max(spacing, leastInterval)
		if spacing == 0 {
			p.Interval = assumedInterval
		}
	}
	f := Finding{Topic: TopicPoll, Text: fmt.Sprintf("%s, %s, %s: %s of the interval of %s",
		plural(p.Cost.Queries, "query", "queries"), took(p.Cost.Took), size(p.Cost.Bytes),
		collector.Num(p.Share(), collector.Fraction, collector.Exact), collector.FormatInterval(p.Interval))}
	switch {
	case p.Share() > mostShare:
		f.Level = Gap
		f.Text += "; above 10% the interval is stretched"
		f.Remedy = "Select less with --select, read recording rules with --signal, or poll less often with --interval."
	case d.cfg.Interval > 0 && d.cfg.Interval < spacing:
		f.Level = Note
		f.Text += fmt.Sprintf("; samples come only every %s", seconds(spacing))
	}
	d.note(f)
}

// spacingOfAll is the shortest spacing of any side.
func (d *doctor) spacingOfAll() time.Duration {
	var out time.Duration
	for _, sys := range d.report.Systems {
		for _, s := range sys.Sides {
			if s.Spacing > 0 && (out == 0 || s.Spacing < out) {
				out = s.Spacing
			}
		}
	}
	return out
}

// partial reports a warning of the server, once.
func (d *doctor) partial(warning string) {
	f := Finding{Level: Gap, Topic: TopicPartial, Text: "the server says that answers are incomplete: " + warning,
		Remedy: "Repair what it names; on Thanos, --prom.param=partial_response=false refuses such answers."}.cleaned()
	for _, g := range d.report.Findings {
		if g == f {
			return
		}
	}
	d.report.Findings = append(d.report.Findings, f)
}

func took(d time.Duration) string {
	return collector.Num(d.Seconds(), collector.Seconds, collector.Exact).String()
}

func size(bytes int64) string {
	switch {
	case bytes < 1000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1e6:
		return collector.FormatCount(float64(bytes)/1e3) + " kB"
	}
	return collector.FormatCount(float64(bytes)/1e6) + " MB"
}
