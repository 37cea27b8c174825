package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// Bounds of a summary, which must fit a screen.
const (
	mostFirings = 8
	mostBlind   = 4
	mostMarks   = 6
)

// Summary writes what was seen, for after the exit: what fired, the worst first, how
// often, for how long and how bad, when nothing could be read, and what changed with each mark; at most
// a screenful, nothing where there was no reading. The error is that of w.
func Summary(w io.Writer, s watch.Snapshot) error { return Text{}.Summary(w, s) }

// Summary is the function Summary with the options of t.
func (t Text) Summary(w io.Writer, s watch.Snapshot) error {
	if s.Last == nil || len(s.Events) == 0 {
		return nil
	}
	var firings, blind []watch.Entry
	for _, e := range s.Log() {
		switch e.Kind {
		case collector.EventFiring:
			firings = append(firings, e)
		case collector.EventBlind:
			blind = append(blind, e)
		}
	}
	from := s.Events[0].At
	out := fmt.Sprintf("%s%s, %s to %s (%s)", collector.Clean(origin(s.Last).Source), kindOf(origin(s.Last)), t.clock(from), t.clock(s.Last.At), collector.FormatDuration(s.Last.At.Sub(from)))
	if len(firings) == 0 {
		out += ": nothing fired"
	}
	tab := grid{ascii: t.ASCII}
	worst := foldFirings(s, firings)
	t.addFirings(&tab, worst)
	if n := len(blind) - mostBlind; n > 0 {
		tab.add("", "", "", more(n)+" before")
	}
	for _, e := range newest(blind, mostBlind) {
		tab.add(verdict.MarkNoData.String(), t.clock(e.At), "blind", verdict.EventTold(e, 0))
	}
	t.addMarks(&tab, s, worst)
	if _, err := io.WriteString(w, t.spell(out)+"\n"+tab.String()); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}

// kindOf says of what is not live what it is.
func kindOf(o *collector.Origin) string {
	switch {
	case o.Simulated && o.Replay:
		return ", a simulation replayed"
	case o.Simulated:
		return ", simulated"
	case o.Replay:
		return ", replayed"
	}
	return ""
}

// newest are the last n of a list that is newest first, in their order of time.
func newest(list []watch.Entry, n int) []watch.Entry {
	out := slices.Clone(list[:min(len(list), n)])
	slices.Reverse(out)
	return out
}

// addFirings tells what fired, the worst first; a rule that fired several times on
// a target is one line.
func (t Text) addFirings(tab *grid, all []fired) {
	for i, f := range all {
		if i == mostFirings {
			tab.add("", "", "", more(len(all)-mostFirings)+" that were less bad")
			break
		}
		word := "fired"
		if f.open {
			word = "fires"
		}
		tab.add(verdict.MarkFiring.String(), t.clock(f.first.At), word, f.first.Rule+"  "+f.first.Name+"  "+t.toldOf(&f))
	}
}

// addMarks tells of each mark what changed until the next one, of the target
// that fired worst.
func (t Text) addMarks(tab *grid, s watch.Snapshot, worst []fired) {
	target := s.Worst.Target
	if len(worst) > 0 {
		target = collector.Target{ID: worst[0].first.Target, Name: worst[0].first.Name}
	}
	first := max(len(s.Marks)-mostMarks, 0)
	if first > 0 {
		tab.add("", "", "", more(first)+" marks before")
	}
	for i, mark := range s.Marks[first:] {
		then := s
		if next := first + i + 1; next < len(s.Marks) {
			if was, ok := s.At(s.Marks[next].At); ok {
				then = was
			}
		}
		text := ""
		if mark.Text != "" {
			text = `"` + mark.Text + `"  `
		}
		if c := watch.Compare(then, target.ID, mark); c.Known() && c.Since > 0 {
			text += target.Name + " " + strings.Join(changes(target, c), ", ")
		}
		tab.add("", t.clock(mark.At), "mark", strings.TrimSpace(text))
	}
}

// changes are the numbers of a comparison that are known on one side at least.
func changes(target collector.Target, c watch.Comparison) []string {
	var out []string
	before, now := collector.Row{Target: target, Values: c.Before}, collector.Row{Target: target, Values: c.Now}
	for _, x := range []struct {
		signal collector.Signal
		name   string
	}{{collector.Amplification, ""}, {collector.Downstream, "attempts "}, {collector.Ingress, "ingress "}, {collector.Delivered, "delivered "}} {
		if before.Values[x.signal].State == collector.Missing && now.Values[x.signal].State == collector.Missing {
			continue
		}
		out = append(out, x.name+verdict.Number(before, x.signal)+" → "+verdict.Number(now, x.signal))
	}
	if c.Older > 0 {
		out = append(out, collector.FormatDuration(c.Older)+" of the rate range from before the mark")
	}
	return out
}
