package scrape

import (
	"fmt"
	"net/http"

	"stormtop/collector"
	"stormtop/collector/web"
)

// accept asks for what is cheapest to read, the classic formats before the
// stricter one.
const accept = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.8," +
	"text/plain;version=1.0.0;escaping=allow-utf-8;q=0.7,text/plain;version=0.0.4;q=0.6," +
	"application/openmetrics-text;version=1.0.0;q=0.3,*/*;q=0.1"

// newClient makes the client that all endpoints are asked with, and fills secrets
// with what must not be shown of the configuration.
func newClient(cfg Config, endpoints []*endpoint, secrets *web.Secrets) (*http.Client, error) {
	hc, err := web.Settings{File: cfg.HTTPFile, Value: cfg.HTTP, Readable: cfg.Readable}.Load()
	if err != nil {
		return nil, err
	}
	secrets.Learn(hc, cfg.Headers, nil)
	for _, e := range endpoints {
		if e.user != nil && web.HasCredentials(hc) {
			return nil, fmt.Errorf("there are credentials both in the address of %s and in the HTTP configuration: keep one of them", e.label)
		}
		secrets.AddUser(e.user)
	}
	rt, err := web.NewTransport(hc, cfg.Headers, secrets)
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: rt, CheckRedirect: redirects(hc.FollowRedirects)}, nil
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
		case !follow, len(via) >= web.MaxRedirects, !web.SameServer(via[0].URL, req.URL):
			return &strayed{to: collector.MaskAddress(req.URL.Scheme + "://" + req.URL.Host + req.URL.Path)}
		}
		return nil
	}
}
