package main

import (
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

func TestTheDemoDrawsAStormAtOnceAndQuits(t *testing.T) {
	for name, mute := range map[string]bool{"a terminal that answers": false, "a terminal that answers nothing": true} {
		t.Run(name, func(t *testing.T) {
			c := onConsole(t, 120, 40, mute, nil)
			c.waitFor("payments")
			for _, want := range []string{"SIMULATED: yours is  stormtop --prom=URL", "ATTEMPTS AND INGRESS", "◔◔◔", "●●●", ">1.5x", "q quit"} {
				c.waitFor(want) // the past is played as it is drawn
			}
			c.keys("?")
			c.waitFor("SCREENS")
			c.keys("q")
			if status := c.end(); status != 0 {
				t.Errorf("exit status %d", status)
			}
			c.requireSane()
		})
	}
}

func TestSignalsLeaveTheTerminalSane(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT} {
		t.Run(s.String(), func(t *testing.T) {
			c := onConsole(t, 80, 24, false, nil)
			c.waitFor("payments")
			if err := c.cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if status := c.end(); status != 0 {
				t.Errorf("exit status %d", status)
			}
			c.requireSane()
		})
	}
}

func TestAPanicAnywhereLeavesTheTerminalSaneAndTellsItself(t *testing.T) {
	for _, where := range []string{"source", "draw", "tick"} {
		t.Run(where, func(t *testing.T) {
			c := onConsole(t, 80, 24, false, []string{crashVariable + "=" + where})
			if status := c.end(); status != exitCrashed {
				t.Errorf("exit status %d, want %d", status, exitCrashed)
			}
			c.requireSane()
			raw := c.raw.String()
			after := raw[strings.LastIndex(raw, "\x1b[?1049l")+1:]
			if !strings.Contains(after, "forced by a test") || !strings.Contains(after, "goroutine") {
				t.Errorf("no trace after the screen was restored: %q", after)
			}
		})
	}
}

// TestSuspendAndResume runs the program under a shell with job control: a
// program without one cannot be stopped.
func TestSuspendAndResume(t *testing.T) {
	shell := exec.Command("bash", "--norc", "-c", "set -m; stormtop; echo STOP''PED; read -r line; fg; exit 7")
	c := runOnConsole(t, 80, 24, false, nil, shell)
	c.waitFor("payments")
	c.keys("\x1a")
	c.waitFor("STOPPED")
	c.requireSane()
	c.keys("\n")
	c.wait("the picture again", func(s string) bool {
		return strings.Contains(s, "payments") && strings.Contains(s, "q quit") && !strings.Contains(s, "STOPPED")
	})
	c.keys("q")
	if status := c.end(); status != 7 {
		t.Errorf("exit status %d", status)
	}
	c.requireSane()
}

// sgr is a sequence that sets the style of what follows, colour one that does so
// to a colour: other sequences hold such numbers as well, as where to erase.
var (
	sgr    = regexp.MustCompile("\x1b\\[[0-9;:]*m")
	colour = regexp.MustCompile("[[;](3[0-8]|4[0-8]|9[0-7]|10[0-7])[;:m]")
)

func TestTheScreenFollowsTheEnvironment(t *testing.T) {
	for _, test := range []struct {
		name   string
		env    []string
		want   string
		banned string
	}{
		{"no UTF-8 locale", []string{"LANG=C"}, "oooo", "◔"},
		{"the Linux console", []string{"TERM=linux"}, "oooo", "◔"},
		{"LC_ALL wins", []string{"LC_ALL=POSIX", "LANG=C.UTF-8"}, "oooo", "◔"},
		{"UTF-8", nil, "◔◔", "oooo"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := onConsole(t, 80, 24, false, test.env)
			c.waitFor("payments")
			if screen := c.waitFor(test.want); strings.Contains(screen, test.banned) {
				t.Errorf("want %q and no %q:\n%s", test.want, test.banned, screen)
			}
		})
	}
	t.Run("NO_COLOR with any value", func(t *testing.T) {
		c := onConsole(t, 80, 24, false, []string{"NO_COLOR=please"})
		c.waitFor("payments")
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, style := range sgr.FindAllString(c.raw.String(), -1) {
			if colour.MatchString(style) {
				t.Errorf("colours are written: %q", style)
			}
		}
	})
}

func TestTheEndOfAScriptStaysOnTheScreen(t *testing.T) {
	c := onConsole(t, 80, 24, false, nil, "--sim=lab:S3", "--speed=1000x")
	c.waitFor("ENDED")
	c.keys("q")
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

func TestForEndsTheScreen(t *testing.T) {
	c := onConsole(t, 80, 24, false, nil, "--sim=lab:S3", "--speed=1000x", "--for=30s")
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	c.requireSane()
}
