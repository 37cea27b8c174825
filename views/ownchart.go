package views

import (
	"stormtop/alerts"
	"stormtop/alerts/trial"
	"stormtop/collector"
	"stormtop/views/chart"
)

// ownChart draws what one of people's own rules looks at, with its threshold and
// its states; draft adds what other numbers would have done.
func (m *Model) ownChart(width, height int, own *OwnRule, r collector.RuleSpec, draft *collector.RuleSpec, a trial.Answer) []string {
	values, where, id := own.Course, own.CourseOf, ""
	if draft != nil && a.Own != nil {
		values, where, id = a.Own.Values, collector.Clean(a.Own.Target.Name), a.Own.Target.ID
	}
	spec := chart.Spec{
		Timing: m.timing(), Unit: collector.NoUnit, Curves: []chart.Curve{{Series: values}},
		Glyphs: m.set, TimeAxis: true, Marks: m.chartMarks(), Cursor: m.time.cursor,
	}
	if draft != nil {
		m.compared(&spec, r, *draft, a, id)
	} else {
		spec.Thresholds = []chart.Threshold{m.thresholdOf(r, "")}
		if !r.Off {
			spec.Bands = []chart.Band{ownBand(own)}
		}
	}
	what := "what it compares"
	if !own.Tunable {
		spec.Thresholds, what = nil, "its samples"
	}
	var out []string
	if height >= 5 {
		title := m.line().put(m.styles.strong, " "+m.text(fit(where, max(width-20, 1), m.glyphs.ellipsis)))
		if where != "" {
			title.put(m.styles.plain, "  ")
		}
		out = append(out, title.put(m.styles.dim, what).String())
		height--
	}
	spec.StateBand = len(spec.Bands) > 0 && height >= 6
	m.charts.main.Chart(width, height, &spec)
	above := m.styles.area
	switch {
	case draft != nil:
		above = m.styles.pending
	case own.State >= alerts.Pending && !own.Off:
		above = m.stateStyle(own.State)
	}
	return append(out, m.paint(&m.charts.main, above)...)
}

// ownBand is the history of an own rule.
func ownBand(r *OwnRule) chart.Band {
	var b chart.Band
	for _, p := range r.History {
		s := chart.OK
		switch p.State {
		case alerts.Unknown:
			s = chart.Blind
		case alerts.Pending:
			s = chart.Pending
		case alerts.Firing:
			s = chart.Firing
		}
		b.Intervals = append(b.Intervals, chart.Interval{From: p.From, To: p.To, State: s})
	}
	return b
}
