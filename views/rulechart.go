package views

import (
	"slices"

	"stormtop/alerts/trial"
	"stormtop/collector"
	"stormtop/views/chart"
	"stormtop/views/verdict"
)

// ruleChart draws the signal of a rule on a target with its threshold and its
// states; judged adds what other numbers would have done.
func (m *Model) ruleChart(width, height int, r collector.RuleSpec, id string, draft *collector.RuleSpec) []string {
	spec := chart.Spec{
		Timing: m.timing(), Unit: m.ruleUnit(r), Curves: []chart.Curve{{Series: m.base.History.Series(id, r.Signal)}},
		Glyphs: m.set, TimeAxis: true, Marks: m.chartMarks(), Cursor: m.time.cursor,
	}
	if draft == nil {
		spec.Thresholds = []chart.Threshold{m.thresholdOf(r, "")}
		if !r.Off {
			spec.Bands = []chart.Band{m.band(r, id)}
		}
	} else {
		m.compared(&spec, r, *draft, m.ruling.answers[r.Name], id)
	}
	var out []string
	st, known := m.worstOf(r.Name)
	if height >= 5 { // the target may be another one than that of the verdict
		about := verdict.SignalWord(r.Signal)
		if known && !st.Active() && st.Target.ID != id && len(m.disturbed(r.Name, 1)) > 0 {
			about += ", where the rule was active last"
		}
		title := m.line().put(m.styles.strong, " "+m.text(m.targetName(id))).put(m.styles.dim, "  "+m.text(about))
		out = append(out, title.String())
		height--
	}
	spec.StateBand = len(spec.Bands) > 0 && height >= 6
	m.charts.main.Chart(width, height, &spec)
	above := m.styles.area
	if known && st.Active() {
		above = m.stateStyle(st.Shown)
	}
	if draft != nil {
		above = m.styles.pending
	}
	return append(out, m.paint(&m.charts.main, above)...)
}

// thresholdOf is the line of a rule's threshold, with a word in front.
func (m *Model) thresholdOf(r collector.RuleSpec, word string) chart.Threshold {
	return chart.Threshold{At: r.Threshold, Compare: r.Compare, Text: m.text(word + r.Compare.String() + collector.FormatThreshold(r.Threshold, m.ruleUnit(r)))}
}

// compared adds to a chart what the numbers that are turned would have done on a
// target, beside those in force, and the incidents that both are judged by.
func (m *Model) compared(spec *chart.Spec, r, draft collector.RuleSpec, a trial.Answer, id string) {
	spec.Thresholds = []chart.Threshold{m.thresholdOf(draft, "now ")}
	spec.Bands = []chart.Band{{Intervals: m.episodesOf(a.Now.Episodes, id), Text: "now"}}
	if !sameNumbers(r, draft) {
		if r.Threshold != draft.Threshold {
			spec.Thresholds = append(spec.Thresholds, m.thresholdOf(r, "was "))
		}
		spec.Bands = append(spec.Bands, chart.Band{Intervals: m.episodesOf(a.Before.Episodes, id), Text: "before"})
	}
	if known := slices.Concat(a.LeftOut, a.Incidents); len(known) > 0 || a.Sure {
		spec.Marks = nil
		for _, i := range known {
			spec.Marks = append(spec.Marks, chart.Mark{From: i.From, To: i.To})
		}
	}
}

// targetName is the name of a target that may be gone.
func (m *Model) targetName(id string) string {
	if row, ok := m.row(id); ok {
		return m.subjectName(row)
	}
	if id == collector.TotalID {
		return "total"
	}
	for _, t := range m.base.History.Targets() {
		if t.ID == id {
			return m.subjectName(collector.Row{Target: t})
		}
	}
	return "gone"
}
