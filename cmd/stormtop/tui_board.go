package main

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/views"
)

// Pacing of the snapshots: a burst is waited for, and a fast simulation does
// not draw more often than the eye follows.
const (
	quiet   = 8 * time.Millisecond
	patient = 120 * time.Millisecond
	spacing = 90 * time.Millisecond
)

// board stands between the source, which writes on it, and the screen, which
// reads it, so that neither waits for the other.
type board struct {
	mu    sync.Mutex
	watch *diary
	dirty chan struct{}
	end   chan views.EndedMsg
	rig   collector.Rigged // shown with each snapshot; nil: the source is none; set before send runs
}

func newBoard(w *diary) *board {
	return &board{watch: w, dirty: make(chan struct{}, 1), end: make(chan views.EndedMsg, 1)}
}

// Add takes a reading.
func (b *board) Add(r *collector.Reading) []collector.Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.watch.Add(r)
}

// mark enters a mark that somebody made.
func (b *board) mark(m collector.Mark) {
	b.mu.Lock()
	b.watch.mark(m)
	b.mu.Unlock()
	b.changed()
}

// change enters what somebody changed.
func (b *board) change(text string) {
	b.mu.Lock()
	b.watch.change(text)
	b.mu.Unlock()
	b.changed()
}

func (b *board) snapshot() watch.Snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.watch.Snapshot()
}

// changed says that there is something new to draw.
func (b *board) changed() {
	select {
	case b.dirty <- struct{}{}:
	default:
	}
}

// ended says that no more readings come, or that there are more again.
func (b *board) ended(ctx context.Context, on bool) {
	select {
	case b.end <- views.EndedMsg{On: on}:
	case <-ctx.Done():
	}
}

// sink takes messages: a *tea.Program.
type sink interface{ Send(tea.Msg) }

// show hands the newest snapshot to the screen, and with it the simulation behind
// it.
func (b *board) show(screen sink) {
	if b.rig != nil {
		screen.Send(views.RigMsg{Rig: b.rig.Rig()})
	}
	screen.Send(views.SnapshotMsg{Snapshot: b.snapshot(), At: time.Now()})
}

// send hands snapshots to the screen.
func (b *board) send(ctx context.Context, screen sink) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case end := <-b.end:
			b.show(screen)
			screen.Send(end)
		case <-b.dirty:
			b.settle(ctx)
			b.show(screen)
			wait(ctx, spacing)
		}
	}
}

// settle waits until a burst of readings is over, but not for long.
func (b *board) settle(ctx context.Context) {
	deadline := time.NewTimer(patient)
	defer deadline.Stop()
	for {
		calm := time.NewTimer(quiet)
		select {
		case <-b.dirty:
			calm.Stop()
		case <-calm.C:
			return
		case <-deadline.C:
			calm.Stop()
			return
		case <-ctx.Done():
			calm.Stop()
			return
		}
	}
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
