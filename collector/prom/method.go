package prom

import (
	"net/http"
	"sync"
)

// methodMemory remembers which HTTP method a server takes. Read-only proxies
// refuse POST; asking twice in every poll would double the load.
type methodMemory struct {
	mu     sync.Mutex
	get    bool // GET works and POST does not
	posted bool // POST has worked
}

func (m *methodMemory) choose() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.get {
		return http.MethodGet
	}
	return http.MethodPost
}

// fallBack reports whether a POST that was answered with code is worth a GET.
// 403 and 500 mean something else once a POST has worked.
func (m *methodMemory) fallBack(code int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch code {
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	case http.StatusForbidden, http.StatusInternalServerError:
		return !m.posted
	}
	return false
}

func (m *methodMemory) works(method string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.get = method == http.MethodGet
	m.posted = m.posted || method == http.MethodPost
}
