package report

import (
	"fmt"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// targets is the table of targets, worst first, and the total.
func (t Text) targets(s watch.Snapshot) string {
	if s.Good == nil || len(s.Good.Targets) == 0 || s.Good.Blind() {
		return ""
	}
	marks := map[string]verdict.Mark{}
	for _, st := range s.Statuses {
		if _, marked := marks[st.Target.ID]; !marked && st.Active() {
			marks[st.Target.ID] = verdict.MarkOf(st)
		}
	}
	tab := grid{ascii: t.ASCII, right: "  rrrrrrrr"}
	tab.add(" ", "TARGET", "INGRESS", "ATTEMPTS", "AMPL", "RETRIES", "DELIVERED", "AT LIMIT", "POOL", "QUEUE")
	rows := 0
	for _, i := range s.Order {
		if rows == t.rows() {
			break
		}
		rows++
		row := s.Good.Targets[i]
		mark := ""
		if m, ok := marks[row.Target.ID]; ok {
			mark = m.String()
		}
		tab.add(cells(s, mark, row)...)
	}
	if rest := len(s.Good.Targets) - rows; rest > 0 {
		tab.add("", more(rest))
	}
	if verdict.HasTotal(s.Good) {
		total := s.Good.Total
		total.Target.Name = "total"
		if total.Target.Kind == collector.Edge {
			total.Target.Name = "edge"
		}
		tab.add(cells(s, "", total)...)
	}
	return tab.String()
}

// columns are the signals of the table of targets.
var columns = []collector.Signal{
	collector.Ingress, collector.Downstream, collector.Amplification, collector.RetryRate,
	collector.Delivered, collector.AtLimit, collector.PoolWait, collector.QueueDepth,
}

func cells(s watch.Snapshot, mark string, row collector.Row) []string {
	out := []string{mark, verdict.Named(row.Target, origin(s.Good))}
	for _, sig := range columns {
		out = append(out, against(s.Rules, row, sig))
	}
	return out
}

func more(n int) string { return "and " + collector.FormatCount(float64(n)) + " more" }

// rules is the table of rules: each rule's worst target, and every other target
// that is not calm.
func (t Text) rules(s watch.Snapshot) string {
	if len(s.Statuses) == 0 {
		return ""
	}
	tab := grid{ascii: t.ASCII, right: "     rr"}
	tab.add(" ", "RULE", "SEVERITY", "TARGET", "STATE", "SINCE", "VALUE", "THRESHOLD", "FOR", "REASON")
	rows := min(len(s.Statuses), t.rows())
	for _, st := range s.Statuses[:rows] {
		tab.add(
			verdict.MarkOf(st).String(), st.Rule.Name, st.Rule.Severity.String(), target(st, origin(s.Good)), verdict.StateOf(st),
			since(st, t.now(s)), st.Value.Against(st.Rule.Threshold), threshold(st), wait(st.Rule), reason(st, t.now(s)),
		)
	}
	if rest := len(s.Statuses) - rows; rest > 0 {
		tab.add("", more(rest))
	}
	return tab.String()
}

// target is the name of a status's target; a rule that nothing can be judged by
// has none.
func target(st alerts.Status, o *collector.Origin) string {
	if st.Shown == alerts.Unknown {
		return "–"
	}
	return verdict.Named(st.Target, o)
}

func threshold(st alerts.Status) string {
	if st.Rule.Both[0] != "" {
		return "both of two"
	}
	return verdict.Threshold(st.Rule, st.Value.Unit)
}

func wait(r collector.RuleSpec) string {
	if r.Both[0] != "" {
		return "–"
	}
	return collector.FormatInterval(r.For)
}

// since is how long the shown state lasts.
func since(st alerts.Status, now time.Time) string {
	from := st.Since
	switch {
	case st.Shown == alerts.Firing:
		from = st.FiredAt
	case st.Shown == alerts.Pending:
		from = st.ActiveAt
	}
	if from.IsZero() {
		return "–"
	}
	text := collector.FormatDuration(max(now.Sub(from), 0))
	if st.AtLeast && st.Active() {
		text = "≥" + text
	}
	return text
}

// reason says what decided a state, and why it is kept.
func reason(st alerts.Status, now time.Time) string {
	switch {
	case st.Held:
		return fmt.Sprintf("kept for %s: %s", collector.FormatDuration(max(now.Sub(st.HeldSince), 0)), st.HeldWhy)
	case st.Rule.Both[0] != "" && st.Shown == alerts.Firing:
		return st.Rule.Both[0] + " and " + st.Rule.Both[1] + " fire"
	}
	return st.Why.String()
}
