// Package views draws what stormtop knows. It does no IO, reads no clock and
// computes no domain number: it is given snapshots and the time, and turns them
// into a screen.
package views

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views/chart"
	"stormtop/views/verdict"
)

// Options are what the screen is told at the start.
type Options struct {
	Glyphs chart.Glyphs
	Theme  Theme
	// AskTheme asks the terminal for its background and takes the light theme on
	// a light one; Theme is used until it answers, if it does.
	AskTheme bool
	Span     time.Duration  // the time on the screen
	Zone     *time.Location // the zone of clock times; nil means UTC
	Local    *time.Location // the other zone that clock times can be shown in; nil: there is none
	Bell     bool           // ring when a rule begins to fire
	Demo     bool           // the embedded simulator, chosen by nobody: say how to watch a real system

	// What keys ask for. Each may be nil: then its key is not offered. They are
	// called while a message is handled and must not block; answers come as
	// messages.
	Retry func()                 // try to read again
	Steer func(collector.Wish)   // look at the data in another way
	Open  func(collector.Target) // fetch the past of a target that the history does not hold, and its callers (CallersMsg)
	Learn func()                 // learn the baselines (NoticeMsg)
	Mark  func(collector.Mark)   // enter a mark, which comes back with a snapshot; it is shown from then on
	// Change enters what a key changed of a simulation among what happened.
	Change func(text string)
	More   func(from time.Time) // fetch readings from that instant on, which the history does not hold
	// Keep writes a picture to files, and Record starts a recording, or ends the
	// one that is made (RecordingMsg). Both say with a NoticeMsg what became of it.
	Keep   func(Shot)
	Record func()
	Rig    collector.Rigged // a simulation that is steered while it runs (RigMsg)
	Play   collector.Played // steers a source that plays what is over

	// Rules. Judge judges the past by a rule with other numbers (JudgedMsg).
	// SetRules puts rules in force, which come back with a snapshot; said is the
	// event of it. Propose makes a rule file to be looked at (ProposalMsg), and
	// Write writes the one with a serial (NoticeMsg).
	Judge func(Query)
	// SetOwn does so with one of people's own rules: threshold, for, keep and
	// whether it is on; it comes back with an OwnRulesMsg.
	SetRules func(rules []collector.RuleSpec, said string)
	SetOwn   func(id string, to collector.RuleSpec, said string)
	Propose  func(Wanted)
	Write    func(serial int)
}

// Model is the root model of the screen. It satisfies tea.Model.
type Model struct {
	opt    Options
	keys   KeyMap
	styles styles
	glyphs glyphs
	set    chart.Glyphs
	theme  Theme

	width, height int
	now           time.Time
	arrived       time.Time // when the newest snapshot came
	begun         time.Time // when the clock was first told

	live     watch.Snapshot // the newest
	base     watch.Snapshot // the one the charts are of: live, or the frozen one
	shown    watch.Snapshot // the one the numbers are of: base, or its past at the cursor
	time     timeline
	zone     *time.Location // of the clock times on the screen
	marking  time.Time      // the instant of the mark that is typed
	marked   comparing
	log      eventList
	memo     *memo
	frozen   bool
	playing  playing
	rung     time.Time    // the newest reading that the bell was rung for, or not
	recorded RecordingMsg // whether what is seen is written down
	mouse    bool         // clicks and the wheel are taken from the terminal
	rowsAt   listing      // of the frame that was drawn last
	copied   string       // what was put on the clipboard last
	path     path         // the screens that esc leads back through
	selected string       // ID of the target that the user selected; "" follows the worst
	scroll   scroll       // of what is longer than the screen
	progress string
	ended    bool
	notice   notice
	steering steering
	opened   opened // the target of the drill-down
	rig      rigging
	ruling   ruling
	list     list   // the targets as the targets screen shows them
	editor   editor // the line of the filter

	index  *index          // what was looked up in shown; nil: not yet
	said   verdict.Verdict // what is said of shown, for the frame being drawn
	trend  chart.Range     // the scale of the courses of the amplification, likewise
	charts charts
	frame  string // the screen as it was drawn last
	fresh  bool   // frame is up to date
	stamp  string // what of the time was drawn in frame
}

// New makes the screen for a terminal whose size is not known yet.
func New(opt Options) *Model {
	if opt.Zone == nil {
		opt.Zone = time.UTC
	}
	m := &Model{
		opt: opt, keys: Keys(), theme: opt.Theme, set: opt.Glyphs, path: path{overview},
		zone: opt.Zone, time: timeline{span: opt.Span},
	}
	m.restyle()
	return m
}

// line starts a row of the screen.
func (m *Model) line() *line { return &line{width: m.width, tail: m.glyphs.ellipsis} }

func (m *Model) restyle() {
	m.styles, m.glyphs = m.theme.styles(), marksOf(m.set)
	m.fresh = false
}

// Init asks for the background of the terminal, if at all; everything else that
// the screen needs is sent to it.
func (m *Model) Init() tea.Cmd {
	if m.opt.AskTheme {
		return tea.RequestBackgroundColor
	}
	return nil
}

// Frame is the screen as text with escape sequences, one line a row.
func (m *Model) Frame() string {
	if !m.fresh {
		m.frame = m.draw()
		m.fresh = true
	}
	return m.frame
}

// View draws the screen; an unchanged one costs nothing.
func (m *Model) View() tea.View {
	v := tea.NewView(m.Frame())
	v.AltScreen = true
	v.MouseMode = m.mouseMode()
	v.WindowTitle = m.title()
	v.ProgressBar = m.progressBar()
	return v
}

// system is what the row of a target was found by.
func (m *Model) system(row collector.Row) collector.System {
	if m.shown.Good == nil {
		return collector.System{}
	}
	return m.shown.Good.Origin.System(row.Target.System)
}

// subject is the row that the screen is about: the opened target, on the list of
// targets the one that is pointed at, else the selected target while it is
// there, with a cursor the one it was about when that was set, else the one that
// the verdict is about, else the worst.
func (m *Model) subject() collector.Row {
	if m.shown.Good == nil {
		return collector.Row{}
	}
	switch m.path.screen() {
	case drilled:
		if row, ok := m.row(m.opened.target.ID); ok {
			return row
		}
		return collector.Row{Target: m.opened.target}
	case targets:
		if row, ok := m.pointed(); ok {
			return row
		}
	}
	for _, id := range []string{m.selected, m.time.subject, m.said.TargetID} {
		if id == "" {
			continue
		}
		if row, ok := m.row(id); ok {
			return row
		}
	}
	return m.shown.Worst
}
