package simulate

import (
	"fmt"
	"io"
	"sync"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain"
)

// patience is how long a run may last before its progress is told, and how
// often it is told from then on.
const patience = 500 * time.Millisecond

// progress is a line on a terminal that says how far a run is. All its methods
// may be called from any goroutine.
type progress struct {
	to     io.Writer // nil: nobody looks
	now    func() time.Time
	length time.Duration // of one run
	runs   int

	mu    sync.Mutex
	last  time.Time
	done  int
	shown bool
}

func newProgress(world World, length time.Duration, runs int) *progress {
	p := &progress{now: world.Now, length: length, runs: runs, last: world.Now()}
	if world.Progress {
		p.to = world.Stderr
	}
	return p
}

// window tells how far a single run is.
func (p *progress) window(w *chain.Window) {
	p.tell(func() string {
		return fmt.Sprintf("%s of %s, %.0f%%", collector.FormatDuration(w.End), collector.FormatDuration(p.length),
			100*float64(w.End)/float64(p.length))
	})
}

// run notes that one of several runs is over.
func (p *progress) run() {
	p.mu.Lock()
	p.done++
	p.mu.Unlock()
	p.going()
}

// going tells how many of several runs are over, also while the first ones last.
func (p *progress) going() {
	p.tell(func() string { return fmt.Sprintf("%d of %d runs", p.done, p.runs) })
}

func (p *progress) tell(text func() string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.to == nil {
		return
	}
	now := p.now()
	if now.Sub(p.last) < patience {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.to, "\r\x1b[Ksimulating: %s (ctrl+c ends it and shows what there is)", text())
}

// end takes the line away.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
