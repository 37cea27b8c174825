package views

import (
	tea "charm.land/bubbletea/v2"

	"stormtop/alerts"
	"stormtop/collector"
)

// What a terminal shows of a rule outside of the screen: its title, the progress
// in its tab or task bar (OSC 9;4), and the bell. All of it follows what is shown
// of the newest reading, not the cursor.

// title is the title of the terminal: what fires, by how much.
func (m *Model) title() string {
	s := m.loudest()
	if s == nil || s.Shown != alerts.Firing {
		return "stormtop"
	}
	text := s.Rule.Name + " on " + s.Target.Name
	if s.Value.State.HasNumber() || s.Value.State == collector.Infinite {
		text = s.Value.String() + " " + s.Target.Name + ", " + s.Rule.Name
	}
	return "FIRING " + collector.Clean(text) + " - stormtop"
}

// progressBar is red while a rule fires, yellow while one is pending: full, for
// there is nothing that grows.
func (m *Model) progressBar() *tea.ProgressBar {
	switch s := m.loudest(); {
	case s == nil:
		return nil
	case s.Shown == alerts.Firing:
		return &tea.ProgressBar{State: tea.ProgressBarError, Value: 100}
	}
	return &tea.ProgressBar{State: tea.ProgressBarWarning, Value: 100}
}

// loudest is the worst status that is firing, else the worst that is pending, nil
// when there is none.
func (m *Model) loudest() *alerts.Status {
	var out *alerts.Status
	for i := range m.live.Statuses {
		s := &m.live.Statuses[i]
		if s.Active() && (out == nil || s.Shown > out.Shown) {
			out = s
		}
	}
	return out
}

// bell rings once for everything that began to fire with the newest snapshots.
// What is over, or was filled in, rings nothing: rung is how far it was heard.
func (m *Model) bell() tea.Cmd {
	was := m.rung
	if m.live.Last == nil {
		return nil
	}
	if m.rung = m.live.Last.At; !m.opt.Bell || was.IsZero() || m.live.Last.Past {
		return nil
	}
	for i := len(m.live.Events) - 1; i >= 0 && m.live.Events[i].At.After(was); i-- {
		if e := m.live.Events[i]; e.Kind == collector.EventFiring {
			return tea.Raw("\a")
		}
	}
	return nil
}
