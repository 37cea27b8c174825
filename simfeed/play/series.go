package play

import (
	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/scenario"
)

// Course gives the windows of a run, in their order, as rows of signals: what
// a Feed would have handed out.
type Course struct {
	scenario *scenario.Scenario
	subjects []subject
	now      chain.Scenario
}

// NewCourse is at the start of a run.
func NewCourse(s *scenario.Scenario) *Course {
	return &Course{scenario: s, subjects: subjects(s), now: s.Clone()}
}

// Now is the scenario as it was at the end of the last window.
func (c *Course) Now() *chain.Scenario { return &c.now }

// Rows are all targets in the next window, by name, and the watched one.
// Nothing is known of either while the scenario is blind.
func (c *Course) Rows(w *chain.Window) (rows []collector.Row, watched collector.Row) {
	for _, change := range w.Changes {
		if c.now.Set(change.Field, change.To) != nil {
			continue // a restart, which has no value
		}
	}
	if c.scenario.IsBlind(w.End) {
		return nil, watched
	}
	return rowsOf(c.subjects, w, &c.now)
}

// rowsOf are the subjects in a window, and the watched one.
func rowsOf(subjects []subject, w *chain.Window, now *chain.Scenario) (rows []collector.Row, watched collector.Row) {
	policies := policiesOf(now)
	rows = make([]collector.Row, 0, len(subjects))
	for i := range subjects {
		t := &subjects[i]
		row := collector.Row{Target: t.target, Values: t.values(w, policies), Baseline: t.baseline}
		row.Values.Derive(t.baseline)
		rows = append(rows, row)
		if t.watched {
			watched = row
		}
	}
	return rows, watched
}

// OfClass is the row of a class from its users to the last service of its path.
func (c *Course) OfClass(rows []collector.Row, class string) (collector.Row, bool) {
	for i := range c.subjects {
		if c.subjects[i].class == class && c.subjects[i].edge && i < len(rows) {
			return rows[i], true
		}
	}
	return collector.Row{}, false
}
