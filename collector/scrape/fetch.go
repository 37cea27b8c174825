package scrape

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"stormtop/collector"
	"stormtop/collector/web"
)

// maxParallel is how many endpoints are asked at once.
const maxParallel = 16

// scraped is what asking one endpoint brought.
type scraped struct {
	endpoint int
	at       int64 // when it was asked, in milliseconds: the time of its samples
	families families
	cost     collector.Cost
	fail     *failure
}

// fetch asks the endpoints that are due, all at once but for a bound, each for
// itself. The answer is in the order of the endpoints.
func (s *Source) fetch(ctx context.Context, due []int) []scraped {
	out := make([]scraped, len(due))
	slots := make(chan struct{}, maxParallel)
	var wg sync.WaitGroup
	for i, n := range due {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			out[i] = s.ask(ctx, n)
		})
	}
	wg.Wait()
	return out
}

// ask scrapes one endpoint.
func (s *Source) ask(ctx context.Context, n int) (out scraped) {
	e := s.endpoints[n]
	begin := s.cfg.Clock.Now()
	out = scraped{endpoint: n, at: begin.UnixMilli(), cost: collector.Cost{Queries: 1}}
	defer func() {
		if p := recover(); p != nil {
			out.fail = &failure{kind: collector.NotPrometheus, text: collector.Clean(fmt.Sprintf("%s: internal error: %v", e.label, p))}
		}
		out.cost.Took = s.cfg.Clock.Now().Sub(begin)
	}()
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	body, contentType, err := s.body(ctx, e)
	out.cost.Bytes = int64(len(body))
	if err == nil {
		out.families, err = decode(body, contentType)
	}
	if err != nil {
		out.fail = s.explain(e, err)
	}
	return out
}

// body is the answer of an endpoint, decompressed, within the byte cap.
func (s *Source) body(ctx context.Context, e *endpoint) ([]byte, string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.url, nil)
	if err != nil {
		return nil, "", err
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", "gzip")
	if ms := s.cfg.Timeout.Seconds(); ms > 0 {
		req.Header.Set("X-Prometheus-Scrape-Timeout-Seconds", fmt.Sprint(ms))
	}
	if e.user != nil {
		password, _ := e.user.Password()
		req.SetBasicAuth(e.user.Username(), password)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection can be used again
		return nil, "", &refused{code: resp.StatusCode, wait: web.RetryAfter(resp.Header, s.cfg.Clock.Now())}
	}
	var from io.Reader = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		if from, err = gzip.NewReader(resp.Body); err != nil {
			return nil, "", fmt.Errorf("%w: %w", errUnzip, err)
		}
	}
	var buf bytes.Buffer
	n, err := buf.ReadFrom(io.LimitReader(from, s.cfg.MaxBytes+1))
	switch {
	case n > s.cfg.MaxBytes:
		return nil, "", errTooLarge
	case err != nil && (errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader)):
		return nil, "", fmt.Errorf("%w: %w", errUnzip, err)
	}
	return buf.Bytes(), resp.Header.Get("Content-Type"), err
}

var (
	errTooLarge = errors.New("the answer is too large")
	errUnzip    = errors.New("the answer is no gzip, though it says so")
)

// refused is an HTTP answer that is no success.
type refused struct {
	code int
	wait time.Duration // how long the endpoint asks to wait, 0 if it does not
}

func (r *refused) Error() string {
	return "it answers " + web.Status(r.code)
}
