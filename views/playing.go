package views

import (
	"time"

	"stormtop/alerts/watch"
)

// playing is how the user would like a source that plays what is over to go on.
type playing struct {
	speed  float64   // asked for last; 0: as the source has it
	paused bool      // the source stands still
	to     time.Time // where it was sent to, until it is there; zero: nowhere
}

// speeds are the steps of the speed, data seconds a second.
var speeds = [...]float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}

// plays reports whether the source plays what is over, rather than show all of
// it at once.
func (m *Model) plays() bool {
	return m.opt.Play != nil && m.live.Last != nil && m.live.Last.Origin.Replay && m.live.Last.Origin.Speed > 0
}

// speed is how fast the source plays, or is about to.
func (m *Model) speed() float64 {
	switch {
	case m.playing.speed > 0:
		return m.playing.speed
	case m.steers():
		return m.rig.live.Speed
	}
	return m.shown.Last.Origin.Speed
}

// speedNext is the step beside the present speed, 0 where there is none.
func (m *Model) speedNext(faster bool) float64 {
	now := m.speed()
	for i := range speeds {
		switch s := speeds[len(speeds)-1-i]; {
		case faster && speeds[i] > now:
			return speeds[i]
		case !faster && s < now:
			return s
		}
	}
	return 0
}

func (m *Model) play(faster bool) {
	m.playing.speed = m.speedNext(faster)
	if m.steers() {
		m.opt.Rig.SetSpeed(m.playing.speed)
		return
	}
	m.opt.Play.SetSpeed(m.playing.speed)
}

// pause lets the source stand still, or go on.
func (m *Model) pause() {
	if m.playing.paused = !m.playing.paused; m.playing.paused {
		m.opt.Play.Pause()
	} else {
		m.opt.Play.Resume()
	}
}

// jump sends the source half of the span back or on from where it is, or is
// going to.
func (m *Model) jump(direction time.Duration) {
	from := m.playing.to
	if from.IsZero() {
		from = m.live.Last.At
	}
	m.seek(from.Add(direction * m.time.span / 2))
}

// again plays from the cursor on, without one from the beginning; a simulation
// starts anew.
func (m *Model) again() {
	if m.steers() {
		m.restart(m.rig.live.Seed)
		return
	}
	m.seek(m.time.cursor)
}

func (m *Model) seek(to time.Time) {
	m.playing.to = to
	m.time.cursor, m.time.end, m.time.subject = time.Time{}, time.Time{}, ""
	m.show()
	m.opt.Play.Seek(to)
}

// arrived takes notice of where the source is: near where it was sent, or at an
// end before that; and of its speed where nobody else tells it.
func (p *playing) arrived(s watch.Snapshot, span time.Duration, ended, steered bool) {
	if s.Last.Origin.Speed == p.speed && !steered {
		p.speed = 0
	}
	past := s.Last.At.Sub(p.to)
	if past >= 0 && past < span/4 || ended || s.History.Len() > 0 && p.to.Before(s.History.Time(0)) {
		p.to = time.Time{}
	}
}
