package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

// player writes down what it is asked for.
type player struct{ asked []string }

func (p *player) Seek(to time.Time)  { p.asked = append(p.asked, "seek "+to.Format("15:04:05")) }
func (p *player) SetSpeed(s float64) { p.asked = append(p.asked, fmt.Sprintf("speed %g", s)) }
func (p *player) Pause()             { p.asked = append(p.asked, "pause") }
func (p *player) Resume()            { p.asked = append(p.asked, "resume") }

// replay is a screen of a replay at 10x, whose newest reading is of 12:04:30.
func replay(t *testing.T, p *player) *Model {
	return asOrigin(t, "firing", 100, 24, Options{Play: p}, func(o *collector.Origin) { o.Replay, o.Speed = true, 10 })
}

func TestAReplayIsSteeredByKeys(t *testing.T) {
	for _, test := range []struct {
		keys, asked string
		header      string
	}{
		{"> >", "speed 20, speed 50", "REPLAY 50x "},
		{"< < <", "speed 5, speed 2, speed 1", "REPLAY  "},
		{"< < < <", "speed 5, speed 2, speed 1", "REPLAY  "},
		{"space", "pause", "REPLAY 10x PAUSED"},
		{"space space", "pause, resume", "REPLAY 10x  "},
		{"space 0", "pause, resume", "REPLAY 10x  "},
		{"[", "seek 11:57:00", "REPLAY 10x  "},
		{"] ]", "seek 12:12:00, seek 12:19:30", "REPLAY 10x  "},
		{"R", "seek 00:00:00", "REPLAY 10x  "},
		{"left left R", "seek 12:04:20", "REPLAY 10x  "},
		{"left space", "pause", "REPLAY 10x PAUSED AT 12:04:25Z, now FIRING"},
	} {
		p := &player{}
		m := replay(t, p)
		press(m, strings.Fields(test.keys)...)
		if got := strings.Join(p.asked, ", "); got != test.asked || !strings.Contains(head(m), test.header) {
			t.Errorf("%s: asked for %s, want %s; the header is %q, want %q", test.keys, got, test.asked, head(m), test.header)
		}
	}
}

func TestASpeedAskedForIsSaidUntilTheSourceHasIt(t *testing.T) {
	m := replay(t, &player{})
	press(m, ">")
	m.take(SnapshotMsg{Snapshot: m.live}) // still at 10x
	if !strings.Contains(head(m), "REPLAY 20x") {
		t.Errorf("the header is %q", head(m))
	}
	s, o, last := m.live, *m.live.Last.Origin, *m.live.Last
	o.Speed, last.Origin = 20, &o
	s.Last, s.Good = &last, &last
	m.take(SnapshotMsg{Snapshot: s})
	if m.playing.speed != 0 || !strings.Contains(head(m), "REPLAY 20x") {
		t.Errorf("not noticed: %v, %q", m.playing.speed, head(m))
	}
}

func TestOnlyAReplayThatPlaysIsSteered(t *testing.T) {
	for name, change := range map[string]func(*collector.Origin){
		"live":        func(o *collector.Origin) { o.Speed = 10 },
		"all of it":   func(o *collector.Origin) { o.Replay = true },
		"a play mode": nil,
	} {
		p := &player{}
		m := replay(t, p)
		if change != nil {
			m = asOrigin(t, "firing", 100, 24, Options{Play: p}, change)
		}
		press(m, "<", ">", "[", "]", "R", "space")
		if steered := len(p.asked) > 0; steered != (change == nil) || m.frozen == steered {
			t.Errorf("%s: asked for %v, frozen %v", name, p.asked, m.frozen)
		}
	}
}

func TestTheEndOfAReplayIsSaidAlsoUnderTheCursor(t *testing.T) {
	m := replay(t, &player{})
	m.Update(EndedMsg{On: true})
	if !strings.Contains(head(m), "REPLAY ENDED") {
		t.Errorf("the header is %q", head(m))
	}
	if press(m, "left"); !strings.Contains(head(m), "REPLAY AT 12:04:25Z, at its end FIRING") {
		t.Errorf("the header at the cursor is %q", head(m))
	}
	m.Update(EndedMsg{On: false})
	if !strings.Contains(head(m), "REPLAY 10x AT 12:04:25Z, now FIRING") {
		t.Errorf("the header of one that was sent back is %q", head(m))
	}
}

func TestTheDateIsSaidWhereItIsNotThatOfTheClock(t *testing.T) {
	date := func(m *Model) bool {
		return slices.ContainsFunc(strings.Fields(head(m)), func(w string) bool { return w == m.date(m.shown.Last.At) })
	}
	wide := func(change func(*collector.Origin)) *Model { return asOrigin(t, "firing", 140, 24, Options{}, change) }
	replayed := wide(func(o *collector.Origin) { o.Replay = true })
	if !date(replayed) {
		t.Errorf("a replay: %q", head(replayed))
	}
	if press(replayed, "left"); !date(replayed) {
		t.Errorf("a replay at the cursor: %q", head(replayed))
	}
	live := wide(func(*collector.Origin) {})
	if press(live, "left"); date(live) {
		t.Errorf("today at the cursor: %q", head(live))
	}
	live.Update(TickMsg{At: live.live.Last.At.Add(24 * time.Hour)})
	live.fresh = false
	if !date(live) {
		t.Errorf("yesterday at the cursor: %q", head(live))
	}
	if invented := wide(func(o *collector.Origin) { o.Simulated = true }); date(invented) {
		t.Errorf("a simulation: %q", head(invented))
	}
}
