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

// SnapshotMsg brings a new picture of the world, and the clock's time.
type SnapshotMsg struct {
	Snapshot watch.Snapshot
	At       time.Time // zero: the time is that of the last TickMsg
}

// ProgressMsg says what a source is doing before its first reading.
type ProgressMsg struct{ Text string }

// EndedMsg says that the source has no more readings.
type EndedMsg struct{}

// TickMsg brings the time of the clock, about once a second.
type TickMsg struct{ At time.Time }

// Options are what the screen is told at the start.
type Options struct {
	Glyphs chart.Glyphs
	Theme  Theme
	// AskTheme asks the terminal for its background and takes the light theme on
	// a light one; Theme is used until it answers, if it does.
	AskTheme bool
	Span     time.Duration  // the time on the screen
	Zone     *time.Location // the zone of clock times; nil means UTC
	Demo     bool           // the embedded simulator, chosen by nobody: say how to watch a real system
	Retry    func()         // asks the source to try again; nil when it cannot
}

// mode is what covers the screen.
type mode uint8

const (
	overview mode = iota
	helping
	explaining
)

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
	shown    watch.Snapshot // the one on the screen: live, or the frozen one
	frozen   bool
	mode     mode
	selected string // ID of the target that the user selected; "" follows the worst
	scroll   int    // first line of help or explanation on the screen
	progress string
	ended    bool

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
	m := &Model{opt: opt, keys: Keys(), theme: opt.Theme, set: opt.Glyphs}
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
	v.WindowTitle = "stormtop"
	return v
}

// system is what the row of a target was found by.
func (m *Model) system(row collector.Row) collector.System {
	if m.shown.Good == nil {
		return collector.System{}
	}
	return m.shown.Good.Origin.System(row.Target.System)
}

// subject is the row that the screen is about: the selected target while it is
// there, else the one that the verdict is about, else the worst.
func (m *Model) subject() collector.Row {
	if m.shown.Good == nil {
		return collector.Row{}
	}
	for _, id := range []string{m.selected, m.said.TargetID} {
		if id == "" {
			continue
		}
		if row, ok := m.shown.Good.Row(id); ok {
			return row
		}
	}
	return m.shown.Worst
}
