package views

import (
	"fmt"
	"strconv"
	"time"

	"stormtop/collector"
)

// header is the first line: where the numbers come from and how old they are.
// What does not fit is left out from the least important part on.
func (m *Model) header() string {
	plain, dim, strong := m.styles.plain, m.styles.dim, m.styles.strong
	if m.still() {
		plain, dim, strong = m.styles.inverted, m.styles.inverted, m.styles.inverted
	}
	l := m.line()
	if m.width >= 50 {
		l.put(strong, " stormtop ")
	}
	if m.shown.Good == nil {
		return l.put(dim, " "+m.text(m.progress)).String()
	}
	o := m.shown.Good.Origin
	left := []span{{plain, o.Source, 3}}
	if o.Profile != "" && o.Profile != o.Source {
		left = append(left, span{dim, collector.Clean(o.Profile), 1})
	}
	if o.Grouping != collector.ByService {
		left = append(left, span{plain, "by " + o.Grouping.String(), 2})
	}
	right := m.headerRight(dim, plain)
	used := func(parts []span) int {
		n := 0
		for _, p := range parts {
			n += textWidth(p.text) + 2
		}
		return n
	}
	full := func() bool { return used(left)+used(right) > l.room() }
	if full() && o.Several() && len(left) > 1 && left[1].weight == 1 {
		if short := strconv.Itoa(systems(o)) + " systems"; textWidth(short) < textWidth(left[1].text) {
			left[1].text = short
		}
	}
	for len(right) > 1 && full() {
		right = withoutLeast(right)
	}
	for len(left) > 1 && full() {
		left = withoutLeast(left)
	}
	for _, p := range left {
		l.put(plain, " ").put(p.style, m.text(fit(p.text, max(l.room()-used(right)-1, 4), m.glyphs.ellipsis))).put(plain, " ")
	}
	l.pad(plain, l.width-used(right)+1)
	for i, p := range right {
		if i > 0 {
			l.put(plain, "  ")
		}
		l.put(p.style, m.text(p.text))
	}
	if m.still() {
		l.pad(plain, l.width)
	}
	return l.String()
}

// systems counts those of an origin; the edge pair of one is no other.
func systems(o *collector.Origin) int {
	seen := map[string]bool{}
	for i := range o.Systems {
		seen[o.Systems[i].Profile] = true
	}
	return len(seen)
}

type span struct {
	style  style
	text   string
	weight int // of several spans that do not fit, the lightest gives way
}

func withoutLeast(parts []span) []span {
	least := 0
	for i, p := range parts {
		if p.weight < parts[least].weight {
			least = i
		}
	}
	return append(parts[:least:least], parts[least+1:]...)
}

// headerRight lists what stands at the right.
func (m *Model) headerRight(dim, plain style) []span {
	r, o := m.shown.Good, m.shown.Good.Origin
	parts := []span{m.headerMode(plain)}
	if rec := m.recorded; rec.On || rec.Failed {
		word, st := m.glyphs.record+" REC", m.styles.pending
		if rec.Failed {
			word = "REC FAILED"
		}
		if m.still() {
			st = plain
		}
		parts = append([]span{{st, word, 9}}, parts...)
	}
	if c := r.Cost; c.Queries > 0 && m.width >= 120 {
		parts = append(parts, span{dim, fmt.Sprintf("%d queries %s", c.Queries, shortTook(c.Took)), 1})
	}
	if o.Interval > 0 && !o.Replay {
		parts = append(parts, span{dim, "poll " + collector.FormatInterval(o.Interval), 3})
	}
	if o.RateRange > 0 {
		parts = append(parts, span{dim, "rate " + collector.FormatInterval(o.RateRange), 4})
	}
	parts = append(parts, m.spanPart(dim))
	if age, st := m.age(); age != "" {
		if m.still() {
			st = plain
		}
		parts = append(parts, span{st, age, 8})
	}
	clock := m.shown.Last.At
	if !m.virtual() && !m.now.IsZero() {
		clock = m.sourceNow()
	}
	if m.still() {
		if r := m.shown.Last; m.otherDay(r.At) {
			parts = append(parts, span{dim, m.date(r.At), 5})
		}
		return parts // its clock stands beside the word
	}
	if m.otherDay(clock) {
		parts = append(parts, span{dim, m.date(clock), 5})
	}
	return append(parts, span{dim, m.clock(clock), 6})
}

// virtual reports whether the time of the data is not that of the clock: it is
// invented, or over.
func (m *Model) virtual() bool {
	r := m.shown.Last
	return r != nil && (r.Origin.Simulated || r.Origin.Replay)
}

// spanPart says which time the charts show.
func (m *Model) spanPart(dim style) span {
	text := "span " + collector.FormatInterval(m.time.span)
	if m.time.end.IsZero() || m.past() {
		return span{dim, text, 2}
	}
	st := m.styles.pending
	if m.still() {
		st = dim
	}
	text += " to " + m.clock(m.time.end)
	if m.width >= 100 {
		text = "charts: " + text + ", numbers: now"
	}
	return span{st, text, 8}
}

// age says how old the data is, not the poll.
func (m *Model) age() (string, style) {
	r := m.shown.Good
	if r == nil || m.virtual() || m.now.IsZero() || m.past() {
		return "", m.styles.dim
	}
	word, since := "data ", r.Newest
	if since.IsZero() {
		word, since = "polled ", r.At
	}
	age := max(m.sourceNow().Sub(since), 0)
	st := m.styles.dim
	if age > 2*max(r.Origin.Interval, r.Origin.Scrape)+time.Second {
		st = m.styles.pending
	}
	text := word + collector.FormatDuration(age) + " "
	if word == "polled " {
		return text + "ago", st
	}
	return text + "old", st
}

// tooOld reports whether the picture is so old that it must look so: nothing can
// be read, or the data is older than four intervals.
func (m *Model) tooOld() bool {
	r := m.shown.Good
	if r != nil && m.shown.Last.Blind() {
		return true
	}
	if r == nil || m.virtual() || m.now.IsZero() || m.still() {
		return false
	}
	since := r.Newest
	if since.IsZero() {
		since = r.At
	}
	return m.sourceNow().Sub(since) > 4*max(r.Origin.Interval, r.Origin.Scrape)+time.Second
}

// sourceNow is the time of the clock as the source's clock has it.
func (m *Model) sourceNow() time.Time {
	if m.shown.Last == nil {
		return m.now
	}
	return m.now.Add(m.shown.Last.Origin.Drift)
}

// timeStamp is everything of the time that the screen shows.
func (m *Model) timeStamp() string {
	age, _ := m.age()
	s := age + m.clock(m.now)
	if m.live.Last == nil || m.live.Last.Blind() {
		s += m.now.Format("05")
	}
	return s
}

func (m *Model) clock(t time.Time) string {
	if m.zone == time.UTC {
		return t.UTC().Format("15:04:05Z")
	}
	return t.In(m.zone).Format("15:04:05")
}

func (m *Model) date(t time.Time) string { return t.In(m.zone).Format(time.DateOnly) }

// otherDay reports whether a time is not of the day that the clock tells, so
// that its date must be said. What is over may be of any day.
func (m *Model) otherDay(t time.Time) bool {
	if o := m.shown.Last.Origin; o.Replay {
		return true
	}
	return !m.virtual() && !m.now.IsZero() && m.date(t) != m.date(m.sourceNow())
}

func shortTook(d time.Duration) string {
	return collector.Num(d.Seconds(), collector.Seconds, collector.Exact).String()
}
