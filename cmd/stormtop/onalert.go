package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"stormtop/collector"
	"stormtop/views/report"
)

const (
	alertPatience = 10 * time.Second // what a command of --on-alert may take
	alertQueue    = 64               // events that wait for one that is running
)

// caller runs the command of --on-alert for each rule that begins to fire, and
// for its end, one after the other, with the event as JSON on standard input. It
// never holds up whoever tells it: what there is no room for is left out, and
// said. The zero caller, and nil, do nothing.
type caller struct {
	command  string
	patience time.Duration
	queue    chan collector.Event
	tell     func(error) // what went wrong
	fired    map[string]bool
	lost     atomic.Int64 // events that there was no room or no time for
	late     atomic.Bool  // what waits is left out
	ended    sync.WaitGroup
}

// newCaller starts a caller; close ends it. An empty command makes none.
func newCaller(ctx context.Context, command string, patience time.Duration, tell func(error)) *caller {
	if strings.TrimSpace(command) == "" {
		return nil
	}
	c := &caller{command: command, patience: patience, queue: make(chan collector.Event, alertQueue), tell: tell, fired: map[string]bool{}}
	c.ended.Go(func() {
		defer c.untold()
		for e := range c.queue {
			if c.late.Load() {
				c.lost.Add(1)
				continue
			}
			c.untold()
			if err := guard(func() error { return c.run(ctx, e) }); err != nil && ctx.Err() == nil {
				c.tell(fmt.Errorf("--on-alert: %w", err))
			}
		}
	})
	return c
}

// untold says of how many events the command was not told.
func (c *caller) untold() {
	if n := c.lost.Swap(0); n > 0 {
		c.tell(fmt.Errorf("--on-alert: the command is too slow: events that it was not told of: %d", n))
	}
}

// events takes what happened with a reading. What was filled in is over.
func (c *caller) events(r *collector.Reading, list []collector.Event) {
	if c == nil {
		return
	}
	for _, e := range list {
		key := e.Rule + "\x00" + e.Target
		switch {
		case e.Kind == collector.EventFiring:
			c.fired[key] = true
		case e.Kind == collector.EventInactive && c.fired[key]:
			delete(c.fired, key)
		default:
			continue
		}
		if r.Past {
			continue
		}
		select {
		case c.queue <- e:
		default:
			c.lost.Add(1) // said by who runs the commands: whoever tells must not wait
		}
	}
}

// run runs the command for one event.
func (c *caller) run(ctx context.Context, e collector.Event) error {
	var event bytes.Buffer
	if err := report.EventJSON(&event, e); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	out, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("the command for %s: %w", e.Rule, err)
	}
	cmd := exec.CommandContext(ctx, shell[0], append(slices.Clone(shell[1:]), c.command)...)
	cmd.Stdin = &event
	alone(cmd)
	cmd.WaitDelay = time.Second
	cmd.Stdout, cmd.Stderr = in, in // a file, so that Wait does not wait for what the command leaves behind
	err = cmd.Start()
	in.Close()
	if err != nil {
		out.Close()
		return fmt.Errorf("the command for %s: %w", e.Rule, err)
	}
	said := make(chan string, 1)
	go func() {
		defer out.Close()
		var words lastWords
		io.Copy(&words, out)
		said <- words.String()
	}()
	err = cmd.Wait()
	words, left := "", false
	select {
	case words = <-said: // and nothing that it started can say more
	case <-ctx.Done():
		left = cmd.Cancel() == nil // what it started in the background
		out.SetReadDeadline(time.Now())
	}
	switch {
	case ctx.Err() == context.DeadlineExceeded && (err != nil || left):
		return fmt.Errorf("the command for %s took longer than %s and was ended", e.Rule, collector.FormatInterval(c.patience))
	case err == nil || errors.Is(err, exec.ErrWaitDelay):
		return nil
	case words != "":
		return fmt.Errorf("the command for %s: %w: %s", e.Rule, err, words)
	}
	return fmt.Errorf("the command for %s: %w", e.Rule, err)
}

// close waits for the commands that were ordered: as long as one may take, and
// for the one that is running then. Where that takes a while it says so.
func (c *caller) close() {
	if c == nil {
		return
	}
	close(c.queue)
	late := time.AfterFunc(c.patience, func() { c.late.Store(true) })
	defer late.Stop()
	slow := time.AfterFunc(noticed, func() { c.tell(errors.New("waiting for the command of --on-alert")) })
	defer slow.Stop()
	c.ended.Wait()
}

// noticed is a wait that somebody wonders about.
const noticed = time.Second

// lastWords keeps the end of what a command says, cleaned, as one line.
type lastWords struct{ end bytes.Buffer }

const tailBytes = 300

// Write keeps the end.
func (t *lastWords) Write(p []byte) (int, error) {
	t.end.Write(p)
	if over := t.end.Len() - tailBytes; over > 0 {
		t.end.Next(over)
	}
	return len(p), nil
}

// String is one line.
func (t *lastWords) String() string {
	return collector.Clean(strings.Join(strings.Fields(t.end.String()), " "))
}
