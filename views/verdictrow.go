package views

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/views/verdict"
)

// at is the instant that durations are counted to: that of the data, and the
// clock's only while there is no data.
func (m *Model) at() time.Time {
	last := m.shown.Last
	switch {
	case last == nil:
		return m.now.In(m.zone)
	case last.Blind() && !m.still() && !m.now.IsZero() && !m.virtual():
		return m.sourceNow().In(m.zone)
	}
	return last.At.In(m.zone)
}

// liveWord is the state of what is not on the screen while it is frozen.
func (m *Model) liveWord() string {
	if m.live.Last == nil {
		return "waiting"
	}
	return verdict.New(m.live, m.live.Last.At).State
}

func (m *Model) verdictStyle(v verdict.Verdict) (lead, rest style) {
	switch v.Kind {
	case verdict.Firing:
		return m.styles.verdict, m.styles.strong
	case verdict.Pending, verdict.Blind, verdict.NothingFound, verdict.Unknown:
		return m.styles.pending, m.styles.strong
	}
	return m.styles.calm, m.styles.plain
}

// verdictRow is the line that the eye must land on: what is worst, by name, how
// bad it is and for how long. What may be dropped stands at the right.
func (m *Model) verdictRow() string {
	v := m.said
	lead, rest := m.verdictStyle(v)
	l := m.line()
	first, _ := m.verdictText()
	if v.Kind == verdict.Firing {
		l.put(lead, first[0]+" ")
	} else {
		l.put(lead, first[0])
	}
	l.put(rest, first[1])
	tail := ""
	for _, part := range v.Tail {
		part = "  " + m.text(part)
		if textWidth(tail)+textWidth(part)+1 > l.room() {
			break
		}
		tail += part
	}
	if tail != "" {
		l.pad(m.styles.plain, l.width-textWidth(tail)-1).put(m.styles.dim, tail)
	}
	return l.String()
}

// verdictText is the verdict as lead and rest, and what of it does not fit into
// the line. What does not fit is told in its short form where there is one.
func (m *Model) verdictText() (first [2]string, more string) {
	v := m.said
	lead, rest := " "+m.text(v.Lead), m.text(v.Rest)
	room := m.width - textWidth(lead) - 2
	short := " " + m.text(v.Short())
	alert := v.Kind == verdict.Firing || v.Kind == verdict.Pending
	switch {
	case textWidth(rest) <= room:
		return [2]string{lead, rest}, ""
	case alert && v.Kept != "" && textWidth(rest)-textWidth(m.text(v.Kept)) <= room: // the mark tells that it is kept, the next line why
		return [2]string{lead, strings.TrimSuffix(rest, m.text(v.Kept))}, ""
	case alert && textWidth(short) < m.width:
		return [2]string{short, ""}, ""
	case alert: // the state and the number first, the name in the next line
		return [2]string{" " + m.text(v.Mark.String()+" "+v.State+" "+v.Value), ""}, m.text(v.Target)
	case m.width < 48 && v.Target != "" && textWidth(short) < m.width:
		return [2]string{short, ""}, ""
	case room < 12:
		return [2]string{lead, rest}, ""
	}
	words := strings.TrimLeft(rest, " ")
	separator := rest[:len(rest)-len(words)]
	lines := wrap(words, room-len(separator))
	return [2]string{lead, separator + lines[0]}, strings.Join(lines[1:], " ")
}

// causeRow says why, about what, and which kind of ratio it is. While the user
// has selected a target that is not the verdict's, it names that one.
func (m *Model) causeRow() string {
	row, _ := m.causeAndUnseen()
	return row
}

// unseenRow says which retries cannot be seen, where the cause leaves no room for
// it (causeAndUnseen).
func (m *Model) unseenRow(unseen string) string {
	return m.line().put(m.styles.dim, "   "+fit(unseen, m.width-4, m.glyphs.ellipsis)).String()
}

// causeAndUnseen is the line of the cause, and what of the subject cannot be seen
// if there was no room for it.
func (m *Model) causeAndUnseen() (cause, unseen string) {
	l := m.line()
	row := m.subject()
	v := m.said
	text, st := m.told(v.Cause, m.at()), m.styles.plain
	unseen = m.text(m.system(row).CannotSee)
	if _, more := m.verdictText(); more != "" {
		return l.put(m.styles.plain, "   "+fit(more, m.width-4, m.glyphs.ellipsis)).String(), unseen
	}
	if chosen := cmp.Or(m.selected, m.time.subject); chosen != "" && row.Target.ID != v.TargetID && row.Target.ID == chosen {
		shown, held := m.stateOf(row.Target.ID)
		st = m.stateStyle(shown)
		l.put(m.styles.strong, " "+m.glyphs.selected+" ").put(st, m.text(m.subjectName(row)+" "+row.Values[collector.Amplification].String()))
		text = ""
		if mark := m.glyphs.mark(shown, held); mark != " " {
			text = " " + mark + " " + shown.String()
		}
		word := "  the charts are about it"
		if m.selected != "" {
			word = "  selected; the charts are about it"
		}
		l.put(st, text).put(m.styles.dim, word)
	} else {
		l.put(m.styles.plain, "   ").put(st, m.text(text))
		if !v.ActiveAt.IsZero() && m.width >= 100 {
			l.put(m.styles.dim, m.text("   "+m.aboveSince(v.ActiveAt, v.AtLeast)))
		}
	}
	kind := m.kind(row, l.room()-3, v.TargetID != row.Target.ID)
	l.put(m.styles.dim, m.text(m.divided(row, l.room()-textWidth(kind)-2)))
	if unseen != "" && l.room() > textWidth(unseen)+textWidth(kind)+6 {
		l.put(m.styles.dim, "   "+unseen)
		unseen = ""
	}
	if kind != "" && l.room() > textWidth(kind)+2 {
		l.pad(m.styles.plain, l.width-textWidth(kind)-1).put(m.styles.dim, kind)
	}
	return l.String(), unseen
}

// aboveSince says since when a condition holds, as far as that was seen.
func (m *Model) aboveSince(t time.Time, before bool) string {
	if before {
		return "above since before " + m.clock(t)
	}
	return "above since " + m.clock(t)
}

// kind says in at most room cells what the ratio of a row is: of which system
// where that is not said already, how far to be trusted where that is not far, and of hop or edge. The last is
// the last to give way.
func (m *Model) kind(row collector.Row, room int, system bool) string {
	sys := m.system(row)
	var parts []string
	if system && m.shown.Good != nil && m.shown.Good.Origin.Several() && row.Target.System != "" {
		parts = append(parts, collector.Clean(sys.Profile))
	}
	if sys.Trust == collector.Heuristic {
		parts = append(parts, "heuristic")
	}
	if sys.Unproven {
		parts = append(parts, "unproven")
	}
	if row.Target.Kind != collector.NoRatioKind {
		parts = append(parts, row.Target.Kind.String())
	}
	for len(parts) > 0 && textWidth(strings.Join(parts, "  ")) > room {
		parts = parts[1:]
	}
	return m.text(strings.Join(parts, "  "))
}

// divided shows what the baseline makes of the ratio: "2.48x (9.00 / 3.63)".
func (m *Model) divided(row collector.Row, room int) string {
	base := row.Baseline
	v := row.Values[collector.Amplification]
	if base == 0 || base == 1 || !v.State.HasNumber() {
		return ""
	}
	raw := v
	raw.V *= base
	text := "   " + v.String() + " (" + strings.TrimSuffix(raw.String(), "x") + " / " + strconv.FormatFloat(base, 'g', 4, 64) + ")"
	if textWidth(text) > room {
		return ""
	}
	return text
}

func (m *Model) oneLine() string {
	v := m.said
	lead, _ := m.verdictStyle(v)
	return m.line().put(lead, m.text(v.Short())).String()
}

func (m *Model) subjectName(row collector.Row) string {
	if row.Target.ID == collector.TotalID {
		return "total"
	}
	return row.Target.Name
}
