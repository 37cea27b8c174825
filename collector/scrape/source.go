package scrape

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/scrape/eval"
	"stormtop/collector/web"
)

// Source scrapes endpoints. It implements collector.Source, collector.Retrier,
// collector.Steered and collector.Rebased; Open makes it.
type Source struct {
	cfg       Config
	client    *http.Client
	secrets   *web.Secrets
	endpoints []*endpoint
	store     *store
	retry     chan struct{} // holds one token while somebody asked to try again

	last   time.Time // the slot before, zero at start
	at     time.Time // At of the reading before
	begins bool      // the next reading begins anew

	fixed    *profile.Profile // what was asked for by name, nil: what detection finds
	detect   []detection      // of the known profiles
	looked   int64            // when detection was run, in milliseconds
	lookedAt int              // the generation of the store then
	wish     collector.Wish   // in effect
	systems  []*system        // what is read; an edge pair is the last one
	edgeless bool             // the edge pair has no series on one side
	offered  []string
	clusters clusters
	usual    map[side]map[int]bool // the endpoints that ever had a side of a system
	newest   time.Time             // the newest sample ever
	origin   *collector.Origin

	mu        sync.Mutex // guards what follows
	wished    *collector.Wish
	baselines collector.Baselines
}

// detection is the compiled detection query of a known profile.
type detection struct {
	profile profile.Profile
	expr    *eval.Expr
	found   bool // it had data at some time
}

// side is ingress or downstream of a system.
type side struct {
	system string
	edge   bool // of its edge pair
	signal collector.Signal
}

func newSource(cfg Config, endpoints []*endpoint, client *http.Client, secrets *web.Secrets) *Source {
	return &Source{cfg: cfg, client: client, secrets: secrets, endpoints: endpoints, store: newStore(len(endpoints), cfg.MaxSeries),
		retry: make(chan struct{}, 1), usual: map[side]map[int]bool{}, origin: &collector.Origin{}, baselines: cfg.Baselines}
}

// fix settles what is asked for by name, or prepares to look for it.
func (s *Source) fix() error {
	if s.cfg.Profile == nil && len(s.cfg.Signals) == 0 {
		for _, p := range s.cfg.Known {
			if err := s.try(p, false); err != nil {
				return err
			}
			expr, err := eval.Compile(p.Detect)
			switch {
			case err == nil:
				s.detect = append(s.detect, detection{profile: p, expr: expr})
			case !unsupported(err):
				return fmt.Errorf("profile %s, detection: %w", p.Name, err)
			}
		}
		return nil
	}
	s.fixed = &profile.Profile{}
	if s.cfg.Profile != nil {
		s.fixed = s.cfg.Profile
	}
	return s.try(*s.fixed, true)
}

// try makes what may be needed of a profile, for the errors in it.
func (s *Source) try(p profile.Profile, strict bool) error {
	if _, err := s.newSystem(p, s.base(p), strict); err != nil {
		return err
	}
	_, err := s.newEdge(p, strict)
	return err
}

// base are the labels that make a target of a profile, before any grouping. The
// job is the same for all that is scraped here, so that the instance stands for it.
func (s *Source) base(p profile.Profile) []string {
	if s.cfg.By != nil {
		return s.cfg.By
	}
	return telling(p.By)
}

// telling are labels in which instance stands for job.
func telling(list []string) []string {
	out := slices.Clone(list)
	for i, name := range out {
		if name == "job" {
			out[i] = "instance"
		}
	}
	return slices.Compact(out)
}

// Next implements collector.Source.
func (s *Source) Next(ctx context.Context) (*collector.Reading, error) {
	slot, missed, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.take(ctx, slot)
	if err != nil {
		return nil, err
	}
	r.Missed = missed
	return r, nil
}

// Retry asks for another try after a refusal, or before a wait is over. It may
// be called from any goroutine and does not block.
func (s *Source) Retry() {
	select {
	case s.retry <- struct{}{}:
	default:
	}
}

// Steer implements collector.Steered: the next reading follows the wish.
func (s *Source) Steer(w collector.Wish) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wished = &w
}

// SetBaselines implements collector.Rebased: readings taken later use them.
func (s *Source) SetBaselines(b collector.Baselines) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.baselines = b
}

// orders are what was asked for since the reading before: the wish, nil where
// there is no new one, and the baselines.
func (s *Source) orders() (*collector.Wish, collector.Baselines) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.wished
	s.wished = nil
	return w, s.baselines
}
