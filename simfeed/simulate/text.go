package simulate

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/play"
	"stormtop/simfeed/table"
)

const columns = 100

// writeText writes one run for people.
func (p *plan) writeText(out *bytes.Buffer, r outcome) {
	var b strings.Builder
	p.writeHead(&b, fmt.Sprintf("seed %d", r.Seed))
	if !r.Complete {
		fmt.Fprintf(&b, "STOPPED after %s of %s\n", reached(&r.Result), collector.FormatInterval(p.scenario.Length))
	}
	b.WriteString("\nVERDICT  " + play.Outcome(&r.Result) + "\n")
	for _, span := range p.scenario.Blind {
		if span.From < p.scenario.Length {
			fmt.Fprintf(&b, "BLIND    from %s to %s nothing can be measured: signals are missing then, the figures below are what really happened\n",
				collector.FormatInterval(span.From), collector.FormatInterval(min(span.To, p.scenario.Length)))
		}
	}
	writePhases(&b, &r.Result)
	writeHops(&b, &r.Result)
	class, service := r.Scenario.Watched()
	writeFigures(&b, r.Figures, fmt.Sprintf("%s at %s", class, service))
	fmt.Fprintf(&b, "\n%s events in %s", collector.FormatCount(float64(r.Events)), collector.FormatInterval(r.wall.Round(10*time.Millisecond)))
	if p.control && r.Judged.To > 0 {
		b.WriteString(" with the control run")
	}
	fmt.Fprintf(&b, "; event hash %016x, engine %d\n", r.EventHash, r.Engine)
	out.WriteString(b.String())
}

// writeHead writes what was simulated.
func (p *plan) writeHead(b *strings.Builder, seeds string) {
	s := &p.scenario
	fmt.Fprintf(b, "%s  %s, %s\n", strings.ToUpper(s.FullName()), collector.FormatInterval(s.Length), seeds)
	if s.Title != "" {
		b.WriteString(s.Title + "\n")
	}
	for _, set := range p.set {
		fmt.Fprintf(b, "set: %s = %s\n", collector.Clean(set.Field), collector.Clean(set.Value))
	}
	for _, name := range p.actions {
		for _, a := range s.Actions {
			if a.Name == name {
				fmt.Fprintf(b, "act: %s at %s, %s\n", a.Name, collector.FormatInterval(a.At), a.Title)
			}
		}
	}
}

func reached(r *chain.Result) string {
	if len(r.Windows) == 0 {
		return "0s"
	}
	return collector.FormatInterval(r.Windows[len(r.Windows)-1].End)
}

// writePhases writes a table for each class, what happened in the first one.
func writePhases(b *strings.Builder, r *chain.Result) {
	list := phases(r)
	if len(list) == 0 {
		return
	}
	for i, c := range r.Scenario.Classes {
		last := c.Path[len(c.Path)-1]
		fmt.Fprintf(b, "\nPHASES  of %s; attempts are those at %s, delivered is of the requests that came, pending is at the end\n", c.Name, last)
		t := table.Table{Left: 2}
		head := []string{"from", "to", "requests", "attempts", "ratio", "delivered", "pending", "p99 of", ""}
		if i == 0 {
			head = append(head, "  "+fill("began with"))
		}
		t.Add(head...)
		for _, p := range list {
			q := p.classes[i]
			row := []string{
				collector.FormatInterval(p.from), collector.FormatInterval(p.to),
				perSecond(q.requests, p.seconds()), perSecond(q.attempts, p.seconds()),
				quotient(q.attempts, q.requests, collector.Ratio), quotient(q.delivered, q.requests, collector.Fraction),
				collector.FormatCount(float64(q.pending)),
			}
			worst, p99, known := p.worst(c.Path)
			row = append(row, worst, figureText(collector.Seconds.String(), p99.Seconds(), known))
			if i == 0 {
				row = append(row, "  "+fill(short(p.what)))
			}
			t.Add(row...)
		}
		t.Write(b)
	}
}

// fill makes a text as wide as the widest one, so that it stands on the left.
func fill(text string) string {
	return text + strings.Repeat(" ", max(0, longest-len([]rune(text))))
}

const longest = 50

// short cuts a text that is too long for a table.
func short(text string) string {
	if r := []rune(text); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return text
}

// writeHops writes every hop over the whole run: what its caller held back (by
// a pool, a bulkhead, a breaker, a budget), and what the callee refused. A path
// has no cycles, so all that a service refuses of a class came over one hop.
func writeHops(b *strings.Builder, r *chain.Result) {
	if len(r.Windows) == 0 || len(r.Windows[0].Hops) == 0 {
		return
	}
	b.WriteString("\nHOPS  over the whole run; the caller held back, the callee refused\n")
	t := table.Table{Left: 2}
	t.Add("class", "hop", "calls", "attempts", "gain", "of them 1st", "2nd", "3rd", "4th+", "time-outs", "held back", "refused", "at limit")
	for i := range r.Windows[0].Hops {
		first := &r.Windows[0].Hops[i]
		var calls, attempts, timeouts, held, refused, limit int64
		var by [4]int64
		for j := range r.Windows {
			h := &r.Windows[j].Hops[i]
			calls, attempts = calls+h.Requests, attempts+h.Attempts
			timeouts, limit = timeouts+h.Timeouts(), limit+h.AtLimit
			for _, n := range h.Rejected {
				held += n
			}
			if node := r.Windows[j].Node(h.Class, h.To); node != nil {
				for _, n := range node.Rejected {
					refused += n
				}
			}
			for k, n := range h.ByAttempt {
				by[min(k, len(by)-1)] += n
			}
		}
		row := []string{first.Class, first.Name(), count(calls), count(attempts), quotient(attempts, calls, collector.Ratio)}
		for _, n := range by {
			row = append(row, quotient(n, attempts, collector.Fraction))
		}
		t.Add(append(row, count(timeouts), count(held), count(refused), count(limit))...)
	}
	t.Write(b)
}

// writeFigures writes the figures of what is watched, and then those that are
// sums over the whole system.
func writeFigures(b *strings.Builder, figures []chain.Figure, watched string) {
	for _, whole := range []bool{false, true} {
		if whole {
			b.WriteString("\nSYSTEM  over all classes and services\n")
		} else {
			b.WriteString("\nSUMMARY  of " + watched + ", which is watched\n")
		}
		t := table.Table{Left: 1}
		for _, f := range figures {
			if f.System == whole && !(strings.HasPrefix(f.Name, "rejected_") && f.Value == 0) {
				t.Add(f.Name, figureText(f.Unit, f.Value, f.Known))
			}
		}
		t.Write(b)
	}
}

func figureText(unit string, value float64, known bool) string {
	if !known {
		return "–"
	}
	for _, u := range []collector.Unit{collector.Ratio, collector.Fraction, collector.PerSecond, collector.Seconds} {
		if u.String() == unit {
			return collector.Num(value, u, collector.Exact).String()
		}
	}
	return collector.FormatCount(value)
}

// writeRunsText writes many runs for people.
func (p *plan) writeRunsText(out *bytes.Buffer, runs []figuresOf) {
	var b strings.Builder
	p.writeHead(&b, fmt.Sprintf("%d runs, seeds %d to %d", len(runs), p.seed, p.seed+int64(p.runs)-1))
	if len(runs) < p.runs {
		fmt.Fprintf(&b, "STOPPED after %d of %d runs\n", len(runs), p.runs)
	}
	writeVerdicts(&b, runs)
	b.WriteString("\nFIGURES  over the runs in which they exist, nearest rank\n")
	t := table.Table{Left: 1}
	head := []string{"", "runs", "mean"}
	for _, q := range quantiles {
		head = append(head, q.name)
	}
	t.Add(head...)
	for _, s := range spreads(runs) {
		if s.known == 0 || strings.HasPrefix(s.name, "rejected_") && s.quantiles[len(s.quantiles)-1] == 0 {
			continue
		}
		row := []string{s.name, strconv.Itoa(s.known), figureText(s.unit, s.mean, true)}
		for _, v := range s.quantiles {
			row = append(row, figureText(s.unit, v, true))
		}
		t.Add(row...)
	}
	t.Write(&b)
	out.WriteString(b.String())
}

func writeVerdicts(b *strings.Builder, runs []figuresOf) {
	var parts []string
	for _, v := range verdicts(runs) {
		share := quotient(int64(v.runs), int64(len(runs)), collector.Fraction)
		parts = append(parts, fmt.Sprintf("%s %d (%s)", strings.ReplaceAll(v.verdict.String(), "_", " "), v.runs, share))
	}
	b.WriteString("\nVERDICTS  " + strings.Join(parts, ", ") + "\n")
}

// writeComparisonText writes the contenders side by side.
func (p *plan) writeComparisonText(out *bytes.Buffer, all []compared) {
	var b strings.Builder
	seeds := fmt.Sprintf("seed %d", p.seed)
	if p.runs > 1 {
		seeds = fmt.Sprintf("%d runs each, seeds %d to %d; medians", p.runs, p.seed, p.seed+int64(p.runs)-1)
	}
	p.writeHead(&b, seeds)
	if len(all) < len(p.compare) {
		fmt.Fprintf(&b, "STOPPED after %d of %d policies\n", len(all), len(p.compare))
	}
	b.WriteString("\nCOMPARED  against the same arrivals\n")
	t := table.Table{Left: 1}
	t.Add(append([]string{""}, comparedHeads()...)...)
	for _, c := range all {
		row := []string{c.name}
		spread := spreads(c.runs)
		for _, name := range comparedFigures {
			row = append(row, medianText(spread, name))
		}
		t.Add(append(row, verdictsText(c.runs))...)
	}
	t.Write(&b)
	b.WriteString("\n")
	for _, c := range all {
		for i, line := range usage.Wrap(c.name+": "+c.title, columns-2) {
			if i > 0 {
				line = "  " + line
			}
			b.WriteString(line + "\n")
		}
	}
	out.WriteString(b.String())
}

var comparedFigures = []string{"amplification", "amplification_peak", "delivered", "downstream_peak", "latency_p50", "latency_p99", "at_limit", "seconds_above_1.5", "recovery"}

func comparedHeads() []string {
	return []string{"amplification", "peak", "delivered", "attempts peak", "p50", "p99", "at limit", "above 1.5x", "recovery", "verdict"}
}

func medianText(all []spread, name string) string {
	for _, s := range all {
		if s.name == name && s.known > 0 {
			return figureText(s.unit, s.quantiles[3], true)
		}
	}
	return "–"
}

func verdictsText(runs []figuresOf) string {
	var parts []string
	for _, v := range verdicts(runs) {
		word := strings.ReplaceAll(v.verdict.String(), "_", " ")
		if len(runs) > 1 {
			word = fmt.Sprintf("%d %s", v.runs, word)
		}
		parts = append(parts, word)
	}
	return strings.Join(parts, ", ")
}

func perSecond(n int64, over float64) string {
	if over <= 0 {
		return "–"
	}
	return collector.Num(float64(n)/over, collector.PerSecond, collector.Exact).String()
}

// quotient is a / b: nothing of nothing is not known, and something of nothing
// is infinite.
func quotient(a, b int64, u collector.Unit) string {
	if a == 0 && b == 0 {
		return "–"
	}
	return collector.Num(float64(a)/float64(b), u, collector.Exact).String()
}

func count(n int64) string { return collector.FormatCount(float64(n)) }
