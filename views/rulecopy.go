package views

import (
	"strings"

	"stormtop/alerts/tune"
	"stormtop/collector"
)

// ruleLines are the rules with their states, one a line.
func (m *Model) ruleLines() []string {
	out := []string{m.stamped()}
	for _, r := range m.rulesNow() {
		st, known := m.worstOf(r.Name)
		_, state := m.ruleState(r, st, known)
		where, is, numbers := "", "", m.numbersOf(r)
		if known && st.Active() {
			where, is = collector.Clean(st.Target.Name), st.Value.Against(r.Threshold)
		}
		if r.Both[0] != "" {
			is, numbers = "", "both of "+collector.Clean(r.Both[0])+" and "+collector.Clean(r.Both[1])
		}
		out = append(out, strings.Join(nonEmpty(collector.Clean(r.Name), state, where, is, numbers), "  "))
	}
	return append(out, m.ownLines()...)
}

// tuneLines are what the numbers in force and those that are turned would have
// done.
func (m *Model) tuneLines() []string {
	out := []string{m.stamped(), m.nameOf(m.ruling.rule)}
	a, ok := m.ruling.answers[m.ruling.rule]
	if !ok {
		return out
	}
	evidence := "no incident is marked"
	if a.Now.Incidents > 0 {
		evidence = a.Evidence
	}
	out = append(out, m.ruleTime(a.From, a.To)+", "+evidence)
	for _, r := range []struct {
		word   string
		result tune.Result
	}{{"before", a.Before}, {"now", a.Now}} {
		f := r.result.Figures
		parts := []string{r.word + " " + m.numbersOf(r.result.Rule), firings(f.Firings) + ", " + collector.FormatDuration(f.Firing)}
		if f.Incidents > 0 {
			parts = append(parts, collector.FormatCount(float64(f.Found))+" of "+collector.FormatCount(float64(f.Incidents))+" found", "false alarm "+collector.FormatDuration(f.False))
		}
		if f.Found > 0 {
			parts = append(parts, "after "+collector.FormatDuration(f.Lead))
		}
		out = append(out, strings.Join(parts, "  "))
	}
	return append(out, nonEmpty(changeOf(a.Before.Figures, a.Now.Figures))...)
}

func firings(n int) string {
	if n == 1 {
		return "1 firing"
	}
	return collector.FormatCount(float64(n)) + " firings"
}
