package scrape

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/prometheus/common/config"

	"stormtop/collector"
)

// accept asks for what is cheapest to read, the classic formats before the
// stricter one.
const accept = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.8," +
	"text/plain;version=1.0.0;escaping=allow-utf-8;q=0.7,text/plain;version=0.0.4;q=0.6," +
	"application/openmetrics-text;version=1.0.0;q=0.3,*/*;q=0.1"

// newClient makes the client that all endpoints are asked with.
func newClient(cfg Config, endpoints []*endpoint) (*http.Client, error) {
	hc := config.DefaultHTTPClientConfig
	if cfg.HTTP != nil {
		if err := cfg.HTTP.Validate(); err != nil {
			return nil, fmt.Errorf("HTTP configuration: %w", err)
		}
		hc = *cfg.HTTP
	}
	for _, e := range endpoints {
		if e.user != nil && (hc.BasicAuth != nil || hc.Authorization != nil || hc.OAuth2 != nil) {
			return nil, fmt.Errorf("there are credentials both in the address of %s and in the HTTP configuration: keep one of them", e.label)
		}
	}
	rt, err := config.NewRoundTripperFromConfig(hc, "stormtop", config.WithUserAgent("stormtop"))
	if err != nil {
		return nil, errors.New("the HTTP configuration cannot be used: " + collector.Clean(reason(err)))
	}
	return &http.Client{Transport: withHeaders{rt, cfg.Headers}, CheckRedirect: redirects(hc.FollowRedirects)}, nil
}

// withHeaders sets headers that were given one by one.
type withHeaders struct {
	next    http.RoundTripper
	headers map[string]string
}

// RoundTrip implements http.RoundTripper.
func (h withHeaders) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	for name, value := range h.headers {
		if strings.EqualFold(name, "Host") {
			req.Host = value
			continue
		}
		req.Header.Set(name, value)
	}
	return h.next.RoundTrip(req)
}

// strayed is a redirect that is not followed, since credentials would go along.
type strayed struct{ to string }

func (s *strayed) Error() string {
	return "it redirects to " + s.to + ", which is not followed: name that address in --scrape"
}

// redirects follows on the same server only.
func redirects(follow bool) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		switch {
		case !follow, len(via) >= 5, !sameServer(via[0].URL, req.URL):
			return &strayed{to: collector.MaskAddress(req.URL.Scheme + "://" + req.URL.Host + req.URL.Path)}
		}
		return nil
	}
}

// sameServer reports whether credentials for a may be sent to b: the same host
// and port, never from https to http.
func sameServer(a, b *url.URL) bool {
	return strings.EqualFold(a.Host, b.Host) && (a.Scheme == b.Scheme || b.Scheme == "https")
}
