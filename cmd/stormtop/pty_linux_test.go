package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/sys/unix"
)

// console is the real program on a real terminal device, seen through a
// terminal emulator.
type console struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File      // our end
	done chan struct{} // closed when the program has ended and all it wrote was read

	mu     sync.Mutex
	cond   *sync.Cond
	screen *vt.Emulator
	whole  bool // the program pauses
	bytes  int
	raw    strings.Builder
}

// onConsole starts the program on a terminal of w by h cells. mute makes a
// terminal that answers no queries.
func onConsole(t *testing.T, w, h int, mute bool, env []string, args ...string) *console {
	t.Helper()
	return runOnConsole(t, w, h, mute, env, exec.Command("stormtop", args...))
}

// runOnConsole is onConsole for any command.
func runOnConsole(t *testing.T, w, h int, mute bool, env []string, cmd *exec.Cmd) *console {
	t.Helper()
	pty, tty := openPTY(t, w, h)
	c := &console{cmd: cmd, t: t, pty: pty, done: make(chan struct{}), screen: vt.NewEmulator(w, h)}
	c.cond = sync.NewCond(&c.mu)
	c.cmd.Env = append([]string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor", atOnce}, env...)
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = tty, tty, tty
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close() // so that reading ends with the last program on the terminal
	reading := make(chan struct{})
	go func() {
		c.read()
		close(reading)
	}()
	var answering sync.WaitGroup
	answering.Go(func() { c.answer(mute) })
	go func() {
		c.cmd.Wait()
		<-reading
		close(c.done)
		c.mu.Lock() // whoever looked at done before is waiting by now
		defer c.mu.Unlock()
		c.cond.Broadcast()
	}()
	t.Cleanup(func() {
		c.cmd.Process.Kill()
		<-c.done
		c.screen.InputPipe().(io.Closer).Close() // the emulator's own Close is not safe beside its Read
		answering.Wait()
		pty.Close()
	})
	return c
}

func openPTY(t *testing.T, w, h int) (pty, tty *os.File) {
	t.Helper()
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(pty.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(pty.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(pty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(h), Col: uint16(w)}); err != nil {
		t.Fatal(err)
	}
	return pty, tty
}

// pause is how long a program writes nothing once its picture is whole.
const pause = 50 * time.Millisecond

// read shows the emulator what the program writes. A picture comes in pieces,
// and half of one is none: it is shown to those who wait when the program pauses.
func (c *console) read() {
	buf := make([]byte, 32<<10)
	for {
		n, err := c.pty.Read(buf)
		c.mu.Lock()
		c.screen.Write(buf[:n])
		c.raw.Write(buf[:n])
		c.bytes += n
		c.whole = false
		c.mu.Unlock()
		if err == nil && c.more() {
			continue
		}
		c.mu.Lock()
		c.whole = true
		c.cond.Broadcast()
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// more reports whether the program writes on before it pauses.
func (c *console) more() bool {
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(c.pty.Fd()), Events: unix.POLLIN}}, int(pause.Milliseconds()))
		if err != unix.EINTR {
			return n > 0
		}
	}
}

// answer gives the emulator's answers to the program, or swallows them.
func (c *console) answer(mute bool) {
	to := io.Writer(c.pty)
	if mute {
		to = io.Discard
	}
	io.Copy(to, c.screen)
}

// text is what is on the screen now.
func (c *console) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.screen.String()
}

// written is all that the program wrote up to now.
func (c *console) written() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.raw.String()
}

// wait returns the screen once it satisfies want, and fails the test when that
// does not happen.
func (c *console) wait(what string, want func(screen string) bool) string {
	c.t.Helper()
	timeout := time.AfterFunc(2*time.Minute, func() {
		c.mu.Lock()
		c.raw.WriteString("\x00timeout")
		c.cond.Broadcast()
		c.mu.Unlock()
	})
	defer timeout.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		s := c.screen.String()
		if c.whole && want(s) {
			return s
		}
		select {
		case <-c.done:
			c.t.Fatalf("the program ended before %s; screen:\n%s", what, s)
		default:
		}
		if strings.HasSuffix(c.raw.String(), "\x00timeout") {
			c.t.Fatalf("no %s; screen:\n%s", what, s)
		}
		c.cond.Wait()
	}
}

func (c *console) waitFor(words string) string {
	c.t.Helper()
	return c.wait(words, func(s string) bool { return strings.Contains(s, words) })
}

func (c *console) keys(s string) {
	c.t.Helper()
	if _, err := io.WriteString(c.pty, s); err != nil {
		c.t.Fatal(err)
	}
}

// end waits until the program has ended and returns its exit status.
func (c *console) end() int {
	c.t.Helper()
	select {
	case <-c.done:
	case <-time.After(time.Minute):
		c.t.Fatalf("the program does not end; screen:\n%s", c.text())
	}
	return c.cmd.ProcessState.ExitCode()
}

// requireSane fails unless the terminal is as a shell needs it: echo and line
// mode on, main screen, cursor shown, mouse off.
func (c *console) requireSane() {
	c.t.Helper()
	mode, err := unix.IoctlGetTermios(int(c.pty.Fd()), unix.TCGETS)
	if err != nil {
		c.t.Fatal(err)
	}
	if mode.Lflag&unix.ECHO == 0 || mode.Lflag&unix.ICANON == 0 || mode.Lflag&unix.ISIG == 0 {
		c.t.Errorf("the terminal is still raw: %#x", mode.Lflag)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	raw := c.raw.String()
	for on, off := range map[string]string{
		"\x1b[?1049h": "\x1b[?1049l", "\x1b[?25l": "\x1b[?25h", "\x1b[?1000h": "\x1b[?1000l", "\x1b[?1002h": "\x1b[?1002l", "\x1b[?2004h": "\x1b[?2004l",
	} {
		if strings.LastIndex(raw, on) > strings.LastIndex(raw, off) {
			c.t.Errorf("%q is never undone", on)
		}
	}
}
