package views

import (
	"math"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/views/chart"
)

// charts holds the canvases, so that drawing again allocates nothing.
type charts struct {
	main, flow, spark, small chart.Canvas
}

// timing is the time that every chart of the screen shows.
func (m *Model) timing() chart.Timing {
	t := chart.Timing{Span: m.time.span, Zone: m.zone}
	v := m.base.History
	if v.Len() > 0 {
		t.Now = m.edge()
		t.History = t.Now.Sub(v.Time(0))
	}
	if m.shown.Good != nil {
		t.Spacing = m.shown.Good.Origin.Interval
	}
	return t
}

// leadRule is the rule whose threshold stands on the main chart: that of the
// amplification.
func (m *Model) leadRule() (collector.RuleSpec, bool) { return m.ruleAbout(collector.Amplification) }

// ruleAbout is the first rule that is on and looks at a signal by itself.
func (m *Model) ruleAbout(s collector.Signal) (collector.RuleSpec, bool) {
	for _, r := range m.base.Rules {
		if r.Signal == s && !r.Off && r.Both[0] == "" {
			return r, true
		}
	}
	return collector.RuleSpec{}, false
}

// Least widths of the labels at both sides of charts that stand above each
// other, so that an instant has the same column in all of them.
const (
	gutter = len("5,000/s")
	margin = len(" attempts")
)

// ratioChart draws the amplification of the subject with threshold and band;
// aligned makes it fit a chart of rates below it.
func (m *Model) ratioChart(width, height int, timeAxis bool, bands int, aligned bool) []string {
	id := m.subject().Target.ID
	spec := chart.Spec{
		Timing:   m.timing(),
		Unit:     collector.Ratio,
		Curves:   []chart.Curve{{Series: m.base.History.Series(id, collector.Amplification)}},
		Glyphs:   m.set,
		TimeAxis: timeAxis, StateBand: bands > 0,
		Marks: m.chartMarks(), Cursor: m.time.cursor,
	}
	if rule, ok := m.leadRule(); ok {
		spec.Thresholds = []chart.Threshold{{At: rule.Threshold, Compare: rule.Compare}}
		spec.Bands = []chart.Band{m.band(rule, id)}
	}
	if rule, ok := m.ruleAbout(collector.RetryRate); ok && bands > 1 {
		spec.Bands = append(spec.Bands, m.band(rule, id))
	}
	if aligned {
		spec.Gutter, spec.Margin = gutter, margin
	}
	if t, ok := m.retryThreshold(id); ok && height >= 12 {
		spec.Thresholds = append(spec.Thresholds, t)
	}
	m.charts.main.Chart(width, height, &spec)
	return m.paint(&m.charts.main, m.subjectStyle())
}

// retryThreshold is the threshold of the retry rate as a ratio: with a baseline
// of 1 at one hop a retry rate r is an amplification of 1/(1-r).
func (m *Model) retryThreshold(id string) (chart.Threshold, bool) {
	row := m.baseRow(id)
	if row.Target.Kind != collector.Hop || row.Baseline != 0 && row.Baseline != 1 {
		return chart.Threshold{}, false
	}
	if r, ok := m.ruleAbout(collector.RetryRate); ok && r.Threshold < 1 {
		return chart.Threshold{At: 1 / (1 - r.Threshold), Compare: r.Compare, Text: thresholdText(r)}, true
	}
	return chart.Threshold{}, false
}

// baseRow is the row of a target in the picture that the charts are of.
func (m *Model) baseRow(id string) collector.Row {
	if m.base.Good == nil || !m.past() {
		return m.subject()
	}
	row, _ := m.base.Good.Row(id)
	return row
}

// flowChart draws ingress and attempts on one scale.
func (m *Model) flowChart(width, height int) []string {
	id := m.subject().Target.ID
	h := m.base.History
	spec := chart.Spec{
		Timing: m.timing(),
		Unit:   collector.PerSecond,
		Curves: []chart.Curve{
			{Series: h.Series(id, collector.Downstream), Name: "attempts"},
			{Series: h.Series(id, collector.Ingress), Name: "ingress"},
		},
		Glyphs: m.set, TimeAxis: height >= 6, Gutter: gutter, Margin: margin,
		Marks: m.chartMarks(), Cursor: m.time.cursor,
	}
	m.charts.flow.Chart(width, height, &spec)
	return m.paint(&m.charts.flow, m.styles.area)
}

// thresholdText names a rule at the edge of a chart: ">10%".
func thresholdText(r collector.RuleSpec) string {
	return r.Compare.String() + collector.FormatThreshold(r.Threshold, r.Signal.Unit())
}

// band turns the states of a rule on a target into a row below the chart, which
// is named after the threshold.
func (m *Model) band(rule collector.RuleSpec, id string) chart.Band {
	phases := m.base.Phases(rule.Name, id)
	out := make([]chart.Interval, 0, len(phases))
	begin := m.base.History.Time(0)
	for _, p := range phases {
		if !p.To.IsZero() && p.To.Before(begin) {
			continue
		}
		if p.From.Before(begin) {
			p.From = begin
		}
		iv := chart.Interval{From: p.From, To: p.To, State: chart.OK}
		switch {
		case p.State == alerts.Unknown:
			iv.State = chart.Blind
		case p.Held && p.State >= alerts.Pending:
			iv.State = chart.Held
		case p.State == alerts.Firing:
			iv.State = chart.Firing
		case p.State == alerts.Pending:
			iv.State = chart.Pending
		}
		out = append(out, iv)
	}
	return chart.Band{Intervals: out, Text: thresholdText(rule)}
}

// subjectStyle is the colour of what is above the threshold now.
func (m *Model) subjectStyle() style {
	shown := m.stateNow(m.subject().Target.ID)
	if shown < alerts.Pending {
		return m.styles.area
	}
	return m.stateStyle(shown)
}

// paint turns a canvas into rows. above is the style of what passes the
// threshold.
func (m *Model) paint(c *chart.Canvas, above style) []string {
	_, h := c.Size()
	out := make([]string, 0, h)
	for y := range h {
		l := m.line()
		for _, run := range c.Row(y) {
			l.runes(m.classStyle(run, above), run.Text)
		}
		out = append(out, l.String())
	}
	return out
}

func (m *Model) classStyle(run chart.Run, above style) style {
	s := &m.styles
	if m.tooOld() && run.Class != chart.Cursor && run.Class != chart.Under && run.Class != chart.BandFiring && run.Class != chart.BandPending {
		return s.dim
	}
	switch run.Class {
	case chart.Cursor, chart.MarkSign:
		return s.strong
	case chart.Under:
		return s.inverted
	case chart.Area, chart.Line:
		return s.area
	case chart.Above, chart.Capped:
		return above
	case chart.Second:
		return s.second
	case chart.ThresholdLine, chart.ThresholdLabel, chart.Label, chart.Rule, chart.BandOK, chart.IdleMark, chart.Name:
		return s.dim
	case chart.GapMark, chart.DoubtMark, chart.BandBlind, chart.BandPending:
		return s.pending
	case chart.BandHeld, chart.BandFiring:
		return s.firing
	}
	return s.plain
}

// sparkline draws the course of a signal in one row.
func (m *Model) sparkline(l *line, id string, s collector.Signal, width int) {
	spec := chart.SparkSpec{
		Timing: m.timing(), Series: m.base.History.Series(id, s), Glyphs: m.set, Range: m.sparkRange(id, s),
		Low: lowFirst(s), Course: m.course(id, s, width), Cursor: m.time.cursor,
	}
	above := m.styles.area
	if s == collector.Amplification {
		if rule, ok := m.leadRule(); ok {
			spec.Above = rule.Threshold
		}
		shown := m.stateNow(id)
		if above = m.stateStyle(shown); shown < alerts.Pending {
			above = m.styles.area
		}
	}
	m.charts.spark.Spark(width, &spec)
	for _, run := range m.charts.spark.Row(0) {
		l.runes(m.classStyle(run, above), run.Text)
	}
}

// sparkRange is the scale of a small chart: one for all amplifications of the
// screen, one for ingress and attempts, 0 to 100 % for shares.
func (m *Model) sparkRange(id string, s collector.Signal) chart.Range {
	switch s {
	case collector.Amplification:
		return m.trend
	case collector.Ingress, collector.Downstream, collector.Arrived:
		return chart.Range{Hi: max(m.peak(id, collector.Ingress), m.peak(id, collector.Downstream))}
	}
	if s.Unit() == collector.Fraction {
		return chart.Range{Hi: 1}
	}
	return chart.Range{Hi: m.peak(id, s)}
}

// trendScale is the scale that all courses of the amplification share: from 1 to
// the larger of twice the threshold and the highest value in view, so that 1.02x
// never looks like a storm.
func (m *Model) trendScale() chart.Range {
	hi := 3.0
	if rule, ok := m.leadRule(); ok && rule.Threshold > 0.5 {
		hi = 2 * rule.Threshold
	}
	for _, i := range m.base.Order[:min(len(m.base.Order), 8)] {
		hi = max(hi, m.peak(m.base.Good.Targets[i].Target.ID, collector.Amplification))
	}
	return chart.Range{Lo: 1, Hi: math.Ceil(hi*10) / 10}
}
