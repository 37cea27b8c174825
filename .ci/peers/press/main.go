// Command press runs a program on a terminal, presses keys while it works, and
// says how long the answers took and what the program cost:
//
//	press [-wait TEXT] [-for DURATION] [-first KEYS] [-keys KEYS] PROGRAM ARGS...
//
// Each of the keys must change something on the screen, or the answer that is
// waited for is that of the next reading.
//
// It prints one line: the median, the 95th percentile and the longest time from
// a key to the last byte of its answer, in milliseconds, the CPU time and the
// largest resident memory of the program.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// between is the time from one answer to the next key. It is no divisor of a
// second, so that keys meet polls at every phase.
const between = 173 * time.Millisecond

// still is how long nothing must come for an answer to be whole, and patience
// how long one is waited for.
const (
	still    = 30 * time.Millisecond
	patience = 2 * time.Second
)

func main() {
	text := flag.String("wait", "", "text on the screen before the first key")
	length := flag.Duration("for", 30*time.Second, "how long to press keys")
	first := flag.String("first", "", "keys that are pressed once before, and not counted")
	keys := flag.String("keys", "jjjjkkk", "the keys, one after the other, over and over")
	flag.Parse()
	if err := run(*text, *length, *first, *keys, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func run(text string, length time.Duration, first, keys string, args []string) error {
	pty, tty, err := openPTY(120, 40)
	if err != nil {
		return fmt.Errorf("opening a terminal: %w", err)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", args[0], err)
	}
	tty.Close()
	defer func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	}()
	s := watch(pty)
	if err := s.wait(text, time.Minute); err != nil {
		return err
	}
	for _, key := range []byte(first) {
		if _, err := s.press(key); err != nil {
			return err
		}
	}
	before, began := cpu(cmd.Process.Pid), time.Now()
	var took []time.Duration
	memory := 0
	for i := 0; time.Since(began) < length; i++ {
		answered, err := s.press(keys[i%len(keys)])
		switch {
		case err != nil:
			return err
		case answered > 0:
			took = append(took, answered)
		}
		memory = max(memory, resident(cmd.Process.Pid))
	}
	if len(took) < 10 {
		return fmt.Errorf("only %d keys were answered", len(took))
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Printf("keys %d median %.1f p95 %.1f longest %.1f cpu_ms_per_s %.1f rss_mb %.1f\n", len(took), ms(took[len(took)/2]),
		ms(took[len(took)*95/100]), ms(took[len(took)-1]), ms(cpu(cmd.Process.Pid)-before)/time.Since(began).Seconds(), float64(memory)/1024)
	return nil
}

// screen is a terminal on which a program writes.
type screen struct {
	pty    *os.File
	pieces <-chan piece // closed when the program has left it
}

// piece is what came at once.
type piece struct {
	text string
	at   time.Time
}

func watch(pty *os.File) *screen {
	pieces := make(chan piece)
	go func() {
		defer close(pieces)
		buf := make([]byte, 64<<10)
		for {
			n, err := pty.Read(buf)
			if err != nil {
				return
			}
			pieces <- piece{string(buf[:n]), time.Now()}
		}
	}()
	return &screen{pty, pieces}
}

// each hands on what comes until it is enough, or for some time; then enough is
// false.
func (s *screen) each(within time.Duration, enough func(piece) bool) (bool, error) {
	late := time.After(within)
	for {
		select {
		case p, there := <-s.pieces:
			if !there {
				return false, errors.New("the program has ended")
			}
			if enough(p) {
				return true, nil
			}
		case <-late:
			return false, nil
		}
	}
}

// wait waits for a text.
func (s *screen) wait(text string, within time.Duration) error {
	all := ""
	there, err := s.each(within, func(p piece) bool {
		all += p.text
		return strings.Contains(all, text)
	})
	if err == nil && !there {
		err = errors.New("it does not appear")
	}
	if err != nil {
		return fmt.Errorf("waiting for %q: %w", text, err)
	}
	return nil
}

// press presses a key after a while and returns how long it took until the last
// piece of the answer came, 0 without one.
func (s *screen) press(key byte) (time.Duration, error) {
	if _, err := s.each(between, func(piece) bool { return false }); err != nil {
		return 0, err
	}
	pressed := time.Now()
	if _, err := s.pty.Write([]byte{key}); err != nil {
		return 0, fmt.Errorf("pressing a key: %w", err)
	}
	var last time.Time
	later := func(p piece) bool {
		last = p.at
		return true
	}
	more, err := s.each(patience, func(p piece) bool { return p.at.After(pressed) && later(p) })
	for more && err == nil && time.Since(pressed) < patience {
		more, err = s.each(still, later)
	}
	if err != nil || last.IsZero() {
		return 0, err
	}
	return last.Sub(pressed), nil
}

func openPTY(w, h uint16) (pty, tty *os.File, err error) {
	if pty, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	if err := unix.IoctlSetPointerInt(int(pty.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, err
	}
	n, err := unix.IoctlGetInt(int(pty.Fd()), unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	if tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, nil, err
	}
	return pty, tty, unix.IoctlSetWinsize(int(pty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: h, Col: w})
}

// cpu is the time that the threads of a process were on a core.
func cpu(pid int) time.Duration {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	sum := 0
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if fields := strings.Fields(string(raw)); err == nil && len(fields) > 0 {
			n, _ := strconv.Atoi(fields[0])
			sum += n
		}
	}
	return time.Duration(sum)
}

// resident is the memory of a process in KiB.
func resident(pid int) int {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}
