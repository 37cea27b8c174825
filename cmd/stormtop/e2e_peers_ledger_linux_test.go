package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
	"sync"
	"testing"
	"time"
)

// ledger is what a peer counted, noted again and again with the time.
type ledger struct {
	mu      sync.Mutex
	entries []entry
	failed  error
	changed chan struct{} // closed when something was noted
}

type entry struct {
	at     time.Time
	counts map[string]float64
}

// keepLedger asks a page for counts, ten times a second, until the test ends.
func keepLedger(t *testing.T, page string) *ledger {
	t.Helper()
	l := &ledger{changed: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	var asking sync.WaitGroup
	t.Cleanup(func() { cancel(); asking.Wait() })
	asking.Go(func() {
		again := time.NewTicker(100 * time.Millisecond)
		defer again.Stop()
		for {
			l.note(askForCounts(ctx, page))
			select {
			case <-again.C:
			case <-ctx.Done():
				return
			}
		}
	})
	return l
}

// askForCounts takes the counts of one instant, the middle of the question.
func askForCounts(ctx context.Context, page string) (entry, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return entry{}, err
	}
	before := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return entry{}, fmt.Errorf("ask the peer for its counts: %w", err)
	}
	defer response.Body.Close()
	var e entry
	if err := json.NewDecoder(response.Body).Decode(&e.counts); err != nil {
		return entry{}, fmt.Errorf("ask the peer for its counts: %w", err)
	}
	e.at = before.Add(time.Since(before) / 2)
	return e, nil
}

func (l *ledger) note(e entry, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.failed = err
	} else {
		l.entries = append(l.entries, e)
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// until waits for the first entry that satisfies want.
func (l *ledger) until(t *testing.T, what string, want func(entry) bool) {
	t.Helper()
	deadline := time.After(2 * time.Minute)
	for {
		l.mu.Lock()
		n, failed, changed := len(l.entries), l.failed, l.changed
		ok := n > 0 && want(l.entries[n-1])
		l.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("no %s after %d entries: %v", what, n, failed)
		}
	}
}

// count is how much a count grew over a stretch of time.
func (l *ledger) count(t *testing.T, during stretchOfTime, name string) float64 {
	t.Helper()
	return l.at(t, during.to, name) - l.at(t, during.from, name)
}

// at is a count at an instant, between two entries in proportion.
func (l *ledger) at(t *testing.T, at time.Time, name string) float64 {
	t.Helper()
	l.until(t, "entry of "+at.String(), func(e entry) bool { return !e.at.Before(at) })
	l.mu.Lock()
	defer l.mu.Unlock()
	next := sort.Search(len(l.entries), func(i int) bool { return !l.entries[i].at.Before(at) })
	if next == 0 {
		t.Fatalf("the ledger begins after %s", at)
	}
	a, b := l.entries[next-1], l.entries[next]
	from, ok := a.counts[name]
	if !ok {
		t.Fatalf("the peer does not count %q", name)
	}
	share := float64(at.Sub(a.at)) / float64(b.at.Sub(a.at))
	return from + share*(b.counts[name]-from)
}
