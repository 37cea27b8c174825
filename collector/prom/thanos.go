package prom

import (
	"context"
	"net/http"
	"net/url"
	"sync"

	"stormtop/collector"
)

// thanosParams are sent to a Thanos: the pair of Prometheus servers counts once,
// and data that was downsampled, in which short rates are empty, is not taken.
func thanosParams() map[string]string {
	return map[string]string{"dedup": "true", "max_source_resolution": "0s"}
}

// paramMemory holds what is sent with every request: what the user named and,
// once a Thanos is recognised, what that needs. The source and those who ask
// beside it share it.
type paramMemory struct {
	mu     sync.Mutex
	params map[string]string // not changed, but replaced
}

func (m *paramMemory) all() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.params
}

func (m *paramMemory) set(params map[string]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.params = params
}

// greet finds out whether the server is a Thanos, which alone lists its stores,
// and sends it what it needs. What the user sends by name wins.
func (s *Source) greet(ctx context.Context, r *collector.Reading) {
	res := s.q.send(ctx, http.MethodGet, "/api/v1/stores", url.Values{}, 0)
	addCost(r, res.cost)
	s.thanos = res.fail == nil && res.ans != nil && res.ans.ok
	if !s.thanos {
		return
	}
	params := thanosParams()
	for k, v := range s.cfg.Params {
		params[k] = v
	}
	s.q.params.set(params)
}
