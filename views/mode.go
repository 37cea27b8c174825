package views

// mode is what the screen shows and which keys it takes.
type mode uint8

const (
	overview   mode = iota
	targets         // all targets as a table
	drilled         // one target with all its signals
	chain           // the layers of a simulation
	lab             // its levers
	ruleList        // every rule with its state
	tuning          // one rule, judged by the past with other numbers
	events          // what happened
	helping         // covers the screen below it
	explaining      // likewise
	copying         // likewise
	proposing       // likewise: a file of rules, before it is written
	filtering       // types the filter of the targets, or of the events
	marking         // types the text of a mark
)

// covers reports whether a mode hides a screen without being one.
func (m mode) covers() bool { return m == helping || m == explaining || m == copying || m == proposing }

// types reports whether the footer is a line that is typed in.
func (m mode) types() bool { return m == filtering || m == marking }

// path is how the user came to the present mode, the overview first. It is
// never empty and holds every mode at most once.
type path []mode

// mode is the present one.
func (p path) mode() mode { return p[len(p)-1] }

// screen is the screen that is shown or covered.
func (p path) screen() mode {
	for i := len(p) - 1; i > 0; i-- {
		if p[i] <= events {
			return p[i]
		}
	}
	return overview
}

// enter goes one level deeper. A cover takes the place of another one, and is
// lifted by its own key.
func (p path) enter(to mode) path {
	from := p.mode()
	if from.covers() {
		p = p.back()
	}
	if from == to {
		return p
	}
	return append(p[:len(p):len(p)], to)
}

// back goes one level up.
func (p path) back() path { return p[:max(len(p)-1, 1)] }

// scroll is the place in a text that is longer than the screen.
type scroll struct {
	first int // the first line shown
	most  int // the largest first, as of the last frame
	page  int // lines shown, likewise
}

// unread is the scroll of a text that was not drawn yet.
var unread = scroll{most: 1 << 20, page: 1}

// by moves the text.
func (s *scroll) by(lines int) { s.first = min(max(s.first+lines, 0), s.most) }

// fit clamps the place to a text of so many lines, of which page are shown.
func (s *scroll) fit(lines, page int) {
	s.page = max(page, 1)
	s.most = max(lines-page, 0)
	s.first = min(s.first, s.most)
}
