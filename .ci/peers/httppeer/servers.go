package main

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"stormtop.ci/peers/peer"
)

const (
	refused     peer.Share = 0.4                   // of the other attempts at the payments, with a 503
	reportTakes            = 20 * time.Millisecond // that a report takes, once it is begun
)

// paymentsOf is the service that fails.
func paymentsOf(seen *counts) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != paymentsPath {
			io.WriteString(w, "a check, or bytes from the tunnel")
			return
		}
		if refused.Takes(seen.payments.attempts.Add(1)) || r.Header.Get(doomed) != "" {
			http.Error(w, "refused on purpose", http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "paid")
	})
}

// reportsOf is the service that is slow, so that the proxy makes requests wait.
// Those that only pass by show how long the way is without the queue.
func reportsOf(seen *counts) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nanoseconds, err := strconv.ParseInt(r.Header.Get(began), 10, 64)
		if err != nil {
			http.Error(w, "no time in the header "+began, http.StatusBadRequest)
			return
		}
		start := time.Unix(0, nanoseconds)
		if r.URL.Path != reportsPath {
			seen.way.Leave(time.Now(), start)
			io.WriteString(w, "passed by")
			return
		}
		seen.reports.attempts.Add(1)
		seen.queue.Leave(time.Now(), start)
		done := time.NewTimer(reportTakes)
		defer done.Stop()
		select {
		case <-done.C:
			io.WriteString(w, "reported")
		case <-r.Context().Done():
		}
	})
}
