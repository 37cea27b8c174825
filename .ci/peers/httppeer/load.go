package main

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"stormtop.ci/peers/peer"
)

// The paths by which the proxy chooses what is behind it.
const (
	paymentsPath = "/payments"
	reportsPath  = "/reports"
	passingPath  = "/passing" // to the server of the reports, without waiting for it
	gonePath     = "/gone"    // both servers of it are down
	alivePath    = "/alive"   // the proxy answers it itself
)

// The headers by which the clients tell the servers something.
const (
	doomed = "Doomed" // every attempt of this request is to be refused
	began  = "Began"  // when the client began to wait, in nanoseconds
)

const (
	lost         peer.Share = 0.1 // of the payments, that are doomed
	paymentsRate peer.Pace  = 60
	goneRate     peer.Pace  = 4
	asideRate    peer.Pace  = 20
	reporters               = 20 // who ask for reports, each for one at a time
)

// entries are the addresses at which the proxy listens.
type entries struct{ edge, health, tunnel string }

// load sends all there is to send until ctx ends, as soon as the proxy answers.
func load(ctx context.Context, at entries, seen *counts) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	wait := time.NewTicker(20 * time.Millisecond)
	defer wait.Stop()
	for get(ctx, client, at.edge+alivePath, nil) != http.StatusOK {
		select {
		case <-wait.C:
		case <-ctx.Done():
			return
		}
	}
	go peer.Drive(ctx, paymentsRate, 100, func(ctx context.Context) { pay(ctx, client, at.edge+paymentsPath, seen) })
	go peer.Drive(ctx, goneRate, 100, func(ctx context.Context) { seen.gone.note(ctx, get(ctx, client, at.edge+gonePath, nil)) })
	once := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for _, url := range []string{at.edge + alivePath, at.health + alivePath, at.tunnel + alivePath} {
		go peer.Drive(ctx, asideRate, 20, func(ctx context.Context) {
			get(ctx, once, url, nil)
			seen.aside.Add(1)
		})
	}
	go peer.Drive(ctx, asideRate, 20, func(ctx context.Context) {
		seen.passing.note(ctx, timed(ctx, client, at.edge+passingPath, &seen.way))
	})
	for range reporters {
		go func() {
			for ctx.Err() == nil {
				seen.reports.note(ctx, timed(ctx, client, at.edge+reportsPath, &seen.queue))
			}
		}()
	}
}

// pay makes one payment.
func pay(ctx context.Context, client *http.Client, url string, seen *counts) {
	header := http.Header{}
	if lost.Takes(seen.payments.begun.Add(1)) {
		header.Set(doomed, "yes")
	}
	seen.payments.note(ctx, get(ctx, client, url, header))
}

// timed makes a request that tells the server when it began to wait.
func timed(ctx context.Context, client *http.Client, url string, waiting *peer.Queue) int {
	now := time.Now()
	waiting.Join(now)
	return get(ctx, client, url, http.Header{began: {strconv.FormatInt(now.UnixNano(), 10)}})
}

// note counts an answer.
func (c *counted) note(ctx context.Context, status int) {
	if ctx.Err() != nil {
		return // the program ends
	}
	c.requests.Add(1)
	if status == http.StatusOK {
		c.successes.Add(1)
	}
}

// get makes one request and returns the status, 0 when there is no answer.
func get(ctx context.Context, client *http.Client, address string, header http.Header) int {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address, nil)
	if err != nil {
		return 0
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := client.Do(request)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	return response.StatusCode
}
