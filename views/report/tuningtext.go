package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"stormtop/alerts/tune"
	"stormtop/collector"
)

// Tuning writes what the verb tune found: for each rule the figures as it is and
// as recommended, the margin, and which rule warned first. The error is that of w.
func (x Text) Tuning(w io.Writer, t Tuning) error {
	var b strings.Builder
	head := "stormtop tune  " + t.Source
	if !t.From.IsZero() {
		head += "  " + t.From.UTC().Format("2006-01-02 15:04:05Z") + " to " + t.To.UTC().Format("15:04:05Z")
		if !sameDay(t.From, t.To) {
			head = "stormtop tune  " + t.Source + "  " + t.From.UTC().Format("2006-01-02 15:04:05Z") + " to " + t.To.UTC().Format("2006-01-02 15:04:05Z")
		}
	}
	often := "once"
	if t.Interval > 0 {
		often = "every " + collector.FormatInterval(t.Interval)
	}
	rates := ""
	if t.RateRange > 0 { // else there is none, where people's own rules alone are judged
		rates = "rates over " + collector.FormatInterval(t.RateRange) + ", "
	}
	fmt.Fprintf(&b, "%s\n%s, %sevaluated %s; %s\n", head, histories(len(t.Histories)), rates, often, tune.Evidence(t.Histories...))
	for i := range t.Studies {
		t.writeStudy(&b, &t.Studies[i])
	}
	t.writeFirst(&b)
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	text := b.String()
	if x.ASCII {
		text = strings.NewReplacer("–", "-", "≥", ">=", "◆", "*", "∞", "inf").Replace(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}

func histories(n int) string {
	if n == 1 {
		return "1 history"
	}
	return fmt.Sprintf("%d histories", n)
}

func (t *Tuning) writeStudy(b *strings.Builder, s *tune.Study) {
	fmt.Fprintf(b, "\n%s  %s\n", collector.Clean(s.Spec.Name), conditionOf(s))
	if !s.Judged {
		b.WriteString("  could not be judged: its signal is not here\n")
		return
	}
	b.WriteString("           found      lead  longest    firing  flaps  false alarm\n")
	figures(b, "now", &s.Now.All)
	if s.Map != nil {
		t.writeAdvice(b, s)
	}
	if t.Episodes {
		writeEpisodes(b, s)
	}
	if t.Grid && s.Map != nil {
		writeMap(b, s)
	}
}

// conditionOf is what a rule asks: "amplification > 1.5x for 1m".
func conditionOf(s *tune.Study) string {
	what := s.Spec.Signal.String()
	switch {
	case s.Spec.Both != ([2]string{}):
		return s.Spec.Both[0] + " and " + s.Spec.Both[1]
	case s.Fixed:
		return collector.Clean(s.Own.Expr) + holdText(s.Spec.For)
	case s.Own != nil:
		what = collector.Clean(s.Own.Left)
	}
	return what + " " + numbersText(s, s.Spec)
}

// numbersText is "> 1.5x for 1m".
func numbersText(s *tune.Study, spec collector.RuleSpec) string {
	if s.Fixed {
		return strings.TrimPrefix(holdText(spec.For), " ")
	}
	return spec.Compare.String() + " " + limit(s, spec.Threshold) + holdText(spec.For)
}

func holdText(d time.Duration) string { return " for " + collector.FormatInterval(d) }

// limit is a threshold in the unit of the rule's signal.
func limit(s *tune.Study, f float64) string {
	unit := s.Spec.Signal.Unit()
	if s.Own != nil {
		unit = collector.NoUnit
	}
	return collector.FormatThreshold(f, unit)
}

// figures is one line of the table.
func figures(b *strings.Builder, name string, f *tune.Figures) {
	found, lead, longest := "–", "–", "–"
	if f.Incidents > 0 {
		found = fmt.Sprintf("%d of %d", f.Found, f.Incidents)
	}
	if f.Found > 0 {
		lead, longest = collector.FormatDuration(f.Median), collector.FormatDuration(f.Lead)
	}
	fmt.Fprintf(b, "  %-4s %10s  %8s %8s  %8s  %5d  %11s\n", name, found, lead, longest,
		collector.FormatDuration(f.Firing), f.Flaps, collector.FormatDuration(f.False))
}

func (t *Tuning) writeAdvice(b *strings.Builder, s *tune.Study) {
	a := &s.Advice
	figures(b, "best", &s.Tuned.All)
	text := "  best is " + numbersText(s, s.Recommended())
	switch gained := s.Gained(); {
	case gained > 0:
		text += ": " + collector.FormatDuration(gained) + " earlier"
	case gained < 0:
		text += ": " + collector.FormatDuration(-gained) + " later"
	}
	b.WriteString(text + "\n")
	margin := fmt.Sprintf("for %s to %s", collector.FormatInterval(a.Shortest), collector.FormatInterval(a.Longest))
	if !s.Fixed {
		margin = fmt.Sprintf("from %s to %s, %s", limit(s, a.Least), limit(s, a.Most), margin)
	}
	b.WriteString("  margin: as good " + margin)
	if a.Weak != "" {
		b.WriteString("; " + a.Weak)
	}
	b.WriteString("\n")
	choice(b, "quieter", s, a.Quieter)
	choice(b, "finds more", s, a.More)
	if s.Unseen != nil {
		b.WriteString("  on histories that it was not made of\n")
		figures(b, "now", &s.Unseen.Now.All)
		figures(b, "best", &s.Unseen.Tuned.All)
	}
}

// choice is what could be had at a price.
func choice(b *strings.Builder, name string, s *tune.Study, c *tune.Choice) {
	if c == nil {
		return
	}
	spec := s.Spec
	spec.Threshold, spec.For = c.Threshold, c.For
	text := fmt.Sprintf("  %s: %s, with %s of false alarm", name, numbersText(s, spec), collector.FormatDuration(c.Cell.False))
	if all := s.Map.Incidents; c.Cell.Found(all) {
		text += fmt.Sprintf(", %d of %d found, lead %s", all-c.Cell.Missed, all, collector.FormatDuration(c.Cell.Median))
	}
	b.WriteString(text + "\n")
}

func writeEpisodes(b *strings.Builder, s *tune.Study) {
	for i := range s.Now.Results {
		for _, e := range s.Now.Results[i].Episodes {
			end := "goes on"
			if !e.Ended.IsZero() {
				end = collector.FormatClock(e.Ended) + ", " + whyOf(e)
			}
			text := fmt.Sprintf("  %s  %s to %s", e.Firing.UTC().Format("2006-01-02 15:04:05Z"), collector.Clean(e.Target.Name), end)
			if e.False {
				text += "  false alarm"
			}
			b.WriteString(text + "\n")
		}
	}
}

func (t *Tuning) writeFirst(b *strings.Builder) {
	if len(t.First) == 0 {
		return
	}
	b.WriteString("\nWHICH WARNED FIRST\n")
	for _, f := range t.First {
		text := "  " + f.Incident.From.UTC().Format("2006-01-02 15:04:05Z") + "  "
		switch {
		case f.Rule == "":
			text += "none did"
		case f.Next == "":
			text += fmt.Sprintf("%s after %s, the only one", collector.Clean(f.Rule), collector.FormatDuration(f.Lead))
		case f.Ahead == 0:
			text += fmt.Sprintf("%s after %s, with %s", collector.Clean(f.Rule), collector.FormatDuration(f.Lead), collector.Clean(f.Next))
		default:
			text += fmt.Sprintf("%s after %s, %s before %s", collector.Clean(f.Rule), collector.FormatDuration(f.Lead),
				collector.FormatDuration(f.Ahead), collector.Clean(f.Next))
		}
		b.WriteString(text + "\n")
	}
}

const (
	mapColumns = 10 // thresholds of a map in text
	mapRows    = 12
)

// writeMap shows threshold against for: the lead time, ! where there is false
// alarm, – where an incident is missed, * the rule as it is, [] what is
// recommended. Without an incident it shows how often the rule would have fired.
func writeMap(b *strings.Builder, s *tune.Study) {
	m := s.Map
	nowX, nowY := m.Place(s.Spec)
	columns := some(len(m.Thresholds), mapColumns, nowX, s.Advice.X)
	rows := some(len(m.Fors), mapRows, nowY, s.Advice.Y)
	row, legend := "  lead  ", "  ! false alarm   – missed   ◆ as it is   [ ] best\n"
	if m.Incidents == 0 {
		row, legend = "  fired ", "  how often it would have fired, with no incident to judge by   ◆ as it is   [ ] best\n"
	}
	for _, x := range columns {
		row += fmt.Sprintf(" %8s ", limit(s, m.Thresholds[x]))
	}
	b.WriteString(strings.TrimRight(row, " ") + "\n")
	for _, y := range rows {
		row = fmt.Sprintf("  %-6s", collector.FormatInterval(m.Fors[y]))
		for _, x := range columns {
			left, right := " ", " "
			switch {
			case x == s.Advice.X && y == s.Advice.Y:
				left, right = "[", "]"
			case x == nowX && y == nowY:
				left = "◆"
			}
			row += fmt.Sprintf("%s%8s%s", left, cellText(m, m.At(x, y)), right)
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	b.WriteString(legend)
}

func cellText(m *tune.Map, c *tune.Cell) string {
	if m.Incidents == 0 {
		return collector.FormatCount(float64(c.Firings))
	}
	text := "–"
	if c.Missed == 0 {
		text = collector.FormatDuration(c.Lead)
	}
	if c.False > 0 {
		text = "!" + text
	}
	return text
}

// some are at most n places of so many, spread, with those that must be there.
func some(of, n int, must ...int) []int {
	keep := make([]bool, of)
	for _, i := range must {
		if i >= 0 && i < of {
			keep[i] = true
		}
	}
	left := n
	for _, k := range keep {
		if k {
			left--
		}
	}
	for i := range max(left, 0) {
		if place := i * of / max(left, 1); place < of {
			keep[place] = true
		}
	}
	var out []int
	for i, k := range keep {
		if k {
			out = append(out, i)
		}
	}
	return out
}
