package views

import (
	"strconv"
	"strings"

	"stormtop/collector"
)

// explainRows says of every number of the subject what it is, how far it is to
// be trusted, which query or formula stands behind it and what that costs. Over the
// Lab and the Chain the scenario is told first.
func (m *Model) explainRows() []string {
	var story []string
	if screen := m.path.screen(); screen == chain || screen == lab {
		story = m.storyRows()
	}
	if m.shown.Good == nil {
		return []string{m.line().put(m.styles.dim, " nothing to explain yet").String()}
	}
	row := m.subject()
	t := m.explainer()
	t.out = story
	t.first(m.subjectName(row), labelsOf(row.Target))
	t.system(row)
	for _, s := range explained {
		t.signal(row, s)
	}
	if n := m.shown.Missed; n > 0 {
		t.blank()
		t.say(1, m.styles.plain, strconv.Itoa(n)+" of the polls that were due since the start were left out.")
	}
	return t.out
}

// explained is the order of the explanation: the ratio first, since it is what
// people ask about.
var explained = []collector.Signal{
	collector.Amplification, collector.Ingress, collector.Downstream, collector.Arrived, collector.RetryRate, collector.Retries,
	collector.AtLimit, collector.Overflow, collector.Delivered, collector.Successes, collector.RescuedShare, collector.Rescued,
	collector.PoolWait, collector.QueueDepth,
}

// explainer collects the lines of an explanation.
type explainer struct {
	m   *Model
	out []string
}

func (m *Model) explainer() *explainer { return &explainer{m: m} }

func (t *explainer) blank() { t.out = append(t.out, "") }

// say appends text, broken to lines that begin at a column.
func (t *explainer) say(indent int, st style, text string) {
	for _, part := range wrap(t.m.text(text), t.m.width-indent-1) {
		t.out = append(t.out, t.m.line().put(st, spaces(indent)+part).String())
	}
}

func (t *explainer) first(name string, labels []string) {
	m := t.m
	l := m.line().put(m.styles.strong, " "+m.text(name))
	t.out = append(t.out, l.put(m.styles.dim, "  "+m.text(strings.Join(labels, ", "))).String())
}

// trustSentences say what each level of trust means.
var trustSentences = map[collector.Trust]string{
	collector.Exact:      "exact: counted as it is defined",
	collector.Approx:     "approximate: close, with small differences that are known",
	collector.LowerBound: "lower bound: the truth is this or more",
	collector.Heuristic:  "heuristic: a hint that healthy fan-out is part of; compare it with a baseline",
}

// trustWord is a level of trust for people.
func trustWord(t collector.Trust) string {
	word, _, _ := strings.Cut(trustSentences[t], ":")
	if word == "" {
		return t.String()
	}
	return word
}

// system says what the numbers come from and what they cannot show.
func (t *explainer) system(row collector.Row) {
	m, sys := t.m, t.m.system(row)
	var parts []string
	for _, part := range []string{sys.Title, sys.Profile} {
		if part != "" && !(len(parts) > 0 && strings.EqualFold(parts[0], part)) {
			parts = append(parts, collector.Clean(part))
		}
	}
	if row.Target.Kind != collector.NoRatioKind {
		parts = append(parts, row.Target.Kind.String())
	}
	if len(parts) > 0 {
		t.say(1, m.styles.plain, strings.Join(parts, ", "))
	}
	if s := trustSentences[sys.Trust]; s != "" {
		t.say(3, m.styles.plain, "Trust: "+s+".")
	}
	if sys.Unproven {
		t.say(3, m.styles.pending, "Unproven: this profile was never run against the system itself; compare it with what you know.")
	}
	if sys.CannotSee != "" {
		t.say(3, m.styles.plain, "Reach: "+collector.Clean(sys.CannotSee))
	}
	if sys.Notes != "" {
		t.say(3, m.styles.dim, collector.Clean(sys.Notes))
	}
	for _, r := range m.shown.Good.Reporters {
		if r.System == sys.Profile {
			st := m.styles.dim
			if r.Short() {
				st = m.styles.pending
			}
			t.say(3, st, reporters(r))
		}
	}
	t.blank()
}

// signal says of one number what it is. One that is not there, and of which the
// profile does not say why, is left out.
func (t *explainer) signal(row collector.Row, s collector.Signal) {
	m, v := t.m, row.Values[s]
	known := m.system(row).Explain[s]
	if v.State == collector.Missing && known == "" {
		return
	}
	l := m.line().put(m.styles.plain, " ").cell(m.styles.strong, s.String(), 14, false).
		cell(m.styles.plain, m.text(m.number(row, s)), 12, true)
	l.put(m.styles.dim, "  "+v.State.String())
	if v.State.HasNumber() {
		l.put(m.styles.dim, ", "+trustWord(v.Trust)+", raw "+strconv.FormatFloat(v.V, 'g', 10, 64)+" "+strings.ReplaceAll(v.Unit.String(), "_", " "))
	}
	t.out = append(t.out, l.String())
	if s == collector.Amplification {
		t.ratio(row)
	}
	if text := formula(row, s, known); text != "" {
		t.say(4, m.styles.dim, text)
	}
	for _, a := range m.shown.Good.Asked {
		if a.Signal == s && a.System == m.system(row).Profile {
			t.say(4, m.styles.dim, "cost: "+cost(a))
		}
	}
}

// ratio says what the baseline makes of the ratio, and which of two ratios is
// judged where there are two.
func (t *explainer) ratio(row collector.Row) {
	m, v := t.m, row.Values[collector.Amplification]
	if b := row.Baseline; b > 0 && b != 1 && v.State.HasNumber() {
		raw := v
		raw.V *= b
		t.say(4, m.styles.plain, v.String()+" = "+strings.TrimSuffix(raw.String(), "x")+" / "+strconv.FormatFloat(b, 'g', 4, 64)+", "+
			m.baselineFrom(row))
	}
	if row.Values[collector.Arrived].State == collector.Missing {
		return
	}
	landed := row.Values
	landed[collector.Downstream], landed[collector.Amplification] = landed[collector.Arrived], collector.Value{}
	landed.Derive(row.Baseline)
	t.say(4, m.styles.plain, v.String()+" counts every attempt, judged; "+landed[collector.Amplification].String()+" only those that got a connection")
}

// baselineFrom says where the baseline of a row comes from.
func (m *Model) baselineFrom(row collector.Row) string {
	b := m.shown.Good.Origin.Baselines
	switch {
	case b.Of[row.Target.Name] == row.Baseline:
		return "entered for this target"
	case b.Learned[row.Target.ID] == row.Baseline && b.From != "":
		return "learned: " + collector.Clean(b.From)
	case b.Learned[row.Target.ID] == row.Baseline:
		return "learned"
	case row.Target.ID == collector.TotalID:
		return "the mean of those of the targets, by ingress"
	}
	return "entered for all targets"
}

// formula is the query or formula behind a signal, "" where nothing is known.
func formula(row collector.Row, s collector.Signal, known string) string {
	if known != "" {
		return collector.Clean(known)
	}
	switch s {
	case collector.Amplification:
		if row.Baseline > 0 && row.Baseline != 1 {
			return "downstream / ingress / " + strconv.FormatFloat(row.Baseline, 'g', 6, 64) + " (baseline)"
		}
		return "downstream / ingress"
	case collector.RetryRate:
		if row.Values[collector.Retries].State == collector.Missing {
			return "(downstream - ingress) / downstream, since retries are not counted by themselves here"
		}
		return "retries / downstream"
	case collector.RescuedShare:
		return "rescued / successes"
	case collector.Delivered:
		return "successes / ingress"
	}
	return ""
}

// cost is what a query cost: "3 series, 1.2 kB, 4ms".
func cost(a collector.Asked) string {
	return collector.FormatCount(float64(a.Series)) + " series" + ", " + bytesText(a.Cost.Bytes) + ", " + shortTook(a.Cost.Took)
}

// bytesText formats a number of bytes: "870 B", "1.2 kB", "3.4 MB".
func bytesText(n int64) string {
	f := float64(n)
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case f < 999_950:
		return strconv.FormatFloat(f/1e3, 'f', 1, 64) + " kB"
	}
	return strconv.FormatFloat(f/1e6, 'f', 1, 64) + " MB"
}
