package views

import (
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// ruleRows tell the state of each rule on a target, one a line.
func (m *Model) ruleRows(row collector.Row) []string {
	var out []string
	for _, r := range m.shown.Rules {
		if r.Off || r.Scope == collector.ScopeTotal || r.Scope == collector.ScopeEdge && row.Target.Kind != collector.Edge {
			continue
		}
		if st, ok := m.statusOf(r.Name, row.Target.ID); ok {
			out = append(out, m.statusRow(st))
		} else if len(r.Select) == 0 { // whether a selection fits is known to the rules alone
			out = append(out, m.calmRuleRow(r, row))
		}
	}
	return out
}

// statusOf is the status of a rule on a target, where it was told.
func (m *Model) statusOf(rule, id string) (alerts.Status, bool) {
	for _, i := range m.indexed().statuses[id] {
		if st := m.shown.Statuses[i]; st.Rule.Name == rule {
			return st, true
		}
	}
	return alerts.Status{}, false
}

const ruleName = 26 // cells of the name of a rule

func (m *Model) ruleLine(mark string, st style, name, state, rest string) string {
	l := m.line().put(st, " "+mark+" ").cell(st, m.text(collector.Clean(name)), min(ruleName, max(m.width-20, 8)), false)
	return l.put(st, " "+m.text(state)).put(m.styles.plain, m.text(rest)).String()
}

func (m *Model) statusRow(st alerts.Status) string {
	if !st.Active() {
		return m.quietRow(st.Rule, st.Shown == alerts.Unknown, st.Value, st.Why.String())
	}
	look := m.styles.pending
	state, since := st.Shown.String(), st.ActiveAt
	if st.Shown == alerts.Firing {
		look, state, since = m.styles.firing, "FIRING", st.FiredAt
	}
	if st.Held {
		state += " (held)"
	}
	if !since.IsZero() {
		state += " "
		if st.AtLeast {
			state += "≥"
		}
		state += collector.FormatDuration(max(m.at().Sub(since), 0))
	}
	if st.Shown == alerts.Pending && st.Rule.For > 0 {
		state += " of " + collector.FormatDuration(st.Rule.For)
	}
	rest := "  " + st.Value.Against(st.Rule.Threshold) + " " + verdict.Threshold(st.Rule, st.Value.Unit)
	if st.Rule.Both[0] != "" {
		rest = "  both rules that it is made of fire"
	}
	if st.Peak.State.HasNumber() && m.width >= 90 {
		rest += ", peak " + st.Peak.String()
	}
	if !st.ActiveAt.IsZero() && m.width >= 110 {
		rest += ", " + m.aboveSince(st.ActiveAt, st.AtLeast)
	}
	return m.ruleLine(m.glyphs.mark(st.Shown, st.Held), look, st.Rule.Name, state, rest)
}

// calmRuleRow is the row of a rule of which nothing is told on a target, since
// it is not active there.
func (m *Model) calmRuleRow(r collector.RuleSpec, row collector.Row) string {
	v := row.Values[r.Signal]
	why := ""
	switch v.State {
	case collector.Missing:
		why = alerts.WhyNotExported.String()
	case collector.Failed:
		why = alerts.WhyFailed.String()
	}
	return m.quietRow(r, why != "", v, why)
}

func (m *Model) quietRow(r collector.RuleSpec, unknown bool, v collector.Value, why string) string {
	if unknown {
		return m.ruleLine(m.glyphs.unknown, m.styles.dim, r.Name, "cannot be judged", ": "+why)
	}
	rest := "  " + v.Against(r.Threshold) + ", threshold " + verdict.Threshold(r, v.Unit)
	if r.Both[0] != "" {
		rest = ""
	}
	if r.For > time.Duration(0) && m.width >= 90 && rest != "" {
		rest += " for " + collector.FormatDuration(r.For)
	}
	return m.ruleLine(" ", m.styles.dim, r.Name, "ok", rest)
}
