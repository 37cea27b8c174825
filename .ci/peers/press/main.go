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
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// between is the time from one answer to the next key. It is no divisor of a
// second, so that keys meet polls at every phase.
const between = 173 * time.Millisecond

// still is how long nothing must come for an answer to be whole.
const still = 30 * time.Millisecond

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
	s := &screen{}
	go s.read(pty)
	if err := s.wait(text, time.Minute); err != nil {
		return err
	}
	for i := range first {
		time.Sleep(between)
		if _, err := pty.WriteString(first[i : i+1]); err != nil {
			return fmt.Errorf("pressing a key: %w", err)
		}
	}
	before, began := cpu(cmd.Process.Pid), time.Now()
	var took []time.Duration
	memory := 0
	for i := 0; time.Since(began) < length; i++ {
		time.Sleep(between)
		pressed := time.Now()
		if _, err := pty.WriteString(keys[i%len(keys) : i%len(keys)+1]); err != nil {
			return fmt.Errorf("pressing a key: %w", err)
		}
		if at, ok := s.answer(pressed); ok {
			took = append(took, at.Sub(pressed))
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

// screen is what the program wrote, and when.
type screen struct {
	mu    sync.Mutex
	all   bytes.Buffer
	times []time.Time // when pieces came
}

func (s *screen) read(pty *os.File) {
	buf := make([]byte, 64<<10)
	for {
		n, err := pty.Read(buf)
		s.mu.Lock()
		if s.all.Len() < 1<<20 {
			s.all.Write(buf[:n])
		}
		s.times = append(s.times, time.Now())
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *screen) wait(text string, patience time.Duration) error {
	for began := time.Now(); time.Since(began) < patience; time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		there := strings.Contains(s.all.String(), text)
		s.mu.Unlock()
		if there {
			return nil
		}
	}
	return fmt.Errorf("%q did not appear", text)
}

// answer is when the last piece of the first burst after a key came.
func (s *screen) answer(pressed time.Time) (time.Time, bool) {
	for began := time.Now(); time.Since(began) < 2*time.Second; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		var last time.Time
		for _, at := range s.times {
			if at.After(pressed) && (last.IsZero() || at.Sub(last) < still) {
				last = at
			}
		}
		s.mu.Unlock()
		if !last.IsZero() && time.Since(last) >= still {
			return last, true
		}
	}
	return time.Time{}, false
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
