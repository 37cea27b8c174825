package views

import "strconv"

// headerMode is the word for what kind of picture this is.
func (m *Model) headerMode(plain style) span {
	f, blind := m.blindness()
	word, lead, st := m.kindWord(), "", plain
	if m.virtual() {
		lead, st = word+" ", m.styles.strong
	}
	switch {
	case m.still() && m.width < 36:
		return span{plain, m.nowWord() + " " + m.liveWord(), 9}
	case m.past() && m.width < shortHeader:
		return span{plain, m.clock(m.time.cursor) + ", " + m.nowWord() + " " + m.liveWord(), 9}
	case m.past():
		return span{plain, lead + "AT " + m.clock(m.time.cursor) + ", " + m.nowWord() + " " + m.liveWord(), 9}
	case m.frozen && m.width < shortHeader:
		return span{plain, "FROZEN, " + m.nowWord() + " " + m.liveWord(), 9}
	case m.frozen:
		return span{plain, lead + "FROZEN AT " + m.clock(m.shown.Good.At) + ", " + m.nowWord() + " " + m.liveWord(), 9}
	case blind && (m.virtual() || !f.Retry.IsZero()):
		return span{m.styles.pending, lead + "BLIND", 9}
	case blind:
		return span{m.styles.pending, "STOPPED", 9}
	case m.ended:
		return span{st, lead + "ENDED", 9}
	case m.playing.paused:
		return span{m.styles.pending, word, 9}
	case m.opt.Demo && m.width >= 76:
		return span{st, word + ": yours is  stormtop --prom=URL", 9}
	}
	return span{st, word, 9}
}

// shortHeader is a width below which only what must be said of a still picture
// is said.
const shortHeader = 60

// kindWord is where the numbers come from, and how fast.
func (m *Model) kindWord() string {
	o, word := m.shown.Good.Origin, "LIVE"
	switch {
	case o.Simulated && o.Replay:
		word = "SIMULATED REPLAY"
	case o.Simulated:
		word = "SIMULATED"
	case o.Replay:
		word = "REPLAY"
	}
	if speed := m.speed(); m.virtual() && !m.ended && speed > 0 && (speed != 1 || m.steers()) {
		word += " " + strconv.FormatFloat(speed, 'g', 4, 64) + "x"
	}
	if m.playing.paused && !m.ended {
		word += " PAUSED"
	}
	return word
}

// nowWord is what the newest picture is called while another is shown.
func (m *Model) nowWord() string {
	switch {
	case m.ended:
		return "at its end"
	case m.virtual():
		return "now"
	case m.width < shortHeader:
		return "live"
	}
	return "live is"
}
