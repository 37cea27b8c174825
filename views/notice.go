package views

import (
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// notice is the answer to a key.
type notice struct {
	NoticeMsg
	data  time.Time // the time of the data when it came
	clock time.Time // that of the clock
}

// How long a notice stands: in the time of the data, and at least so long in
// that of whoever reads it, which differ in a fast simulation.
const (
	noticeFor   = 30 * time.Second
	noticeLeast = 5 * time.Second
)

// notify shows a sentence until the next key.
func (m *Model) notify(msg NoticeMsg) {
	msg.Text = collector.Clean(msg.Text)
	m.notice = notice{NoticeMsg: msg, clock: m.now}
	if m.live.Last != nil {
		m.notice.data = m.live.Last.At
	}
	m.fresh = false
}

// age drops a notice that is out of date.
func (n *notice) age(live watch.Snapshot, now time.Time) {
	if n.Text == "" || live.Last == nil {
		return
	}
	if n.data.IsZero() {
		n.data = live.Last.At
	}
	seen := n.clock.IsZero() || now.Sub(n.clock) >= noticeLeast
	if seen && live.Last.At.Sub(n.data) >= noticeFor {
		*n = notice{}
	}
}

// notices are what somebody should know beside the verdict, the most urgent
// first: the answer to a key, what is being asked for, signals that could not be
// read, sides that are not complete, the server's warnings, remarks.
func (m *Model) notices() []string {
	var out []string
	if m.notice.Text != "" {
		out = append(out, m.notice.Text)
	}
	if m.live.Good != nil {
		if text := m.steering.wanted(m.live.Good.Origin); text != "" {
			out = append(out, text)
		}
	}
	r := m.shown.Last
	if r == nil {
		return out
	}
	for _, f := range r.Failures {
		if f.Signal != collector.NoSignal {
			out = append(out, m.ofSystem(f.System)+verdict.SignalWord(f.Signal)+": "+f.Text)
		}
	}
	for _, rep := range r.Reporters {
		if rep.Short() {
			out = append(out, m.ofSystem(rep.System)+reporters(rep))
		}
	}
	out = append(out, r.Warnings...)
	if r.Origin.Note != "" && !m.past() {
		out = append(out, r.Origin.Note)
	}
	return out
}

// ofSystem names a system in front of what is said of it, where there are several.
func (m *Model) ofSystem(name string) string {
	if name == "" || m.shown.Last == nil || !m.shown.Last.Origin.Several() {
		return ""
	}
	return collector.Clean(name) + " "
}

// reporters says how complete a side is: "ingress side: 32 of 40 reporters".
func reporters(r collector.Reporters) string {
	side := verdict.SignalWord(r.Side) + " side: "
	if r.Usual <= 0 {
		return side + collector.FormatCount(float64(r.Now)) + " reporters"
	}
	return side + collector.FormatCount(float64(r.Now)) + " of " + collector.FormatCount(float64(r.Usual)) + " reporters"
}

func (m *Model) noticeRow(all []string) string {
	l := m.line()
	text := m.text(m.told(all[0], m.at()))
	if n := len(all) - 1; n > 0 {
		more := "  (+" + collector.FormatCount(float64(n)) + " more)"
		text = fit(text, l.width-4-len(more), m.glyphs.ellipsis) + more
	}
	sign, st := " ! ", m.styles.dim
	if m.notice.Text != "" {
		if st = m.styles.strong; !m.notice.Bad {
			sign = "   "
		}
	}
	return l.put(m.styles.pending, sign).put(st, fit(text, l.room(), m.glyphs.ellipsis)).String()
}
