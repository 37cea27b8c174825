// Package web is what sources that ask servers over HTTP have in common: the
// client configuration as somebody wrote it, its credentials, which never show,
// and the words for what goes wrong on the way.
//
// settings and mistake read the configuration, secrets keeps credentials to
// itself, transport sends them, capped bounds an answer, failure and tls explain
// why there is none.
package web

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/common/config"

	"stormtop/collector"
)

// MaxRedirects is how many redirects are followed at most, all on the same server.
const MaxRedirects = 5

// HasCredentials reports whether a configuration says who asks, so that an
// address must not say so as well.
func HasCredentials(hc config.HTTPClientConfig) bool {
	return hc.BasicAuth != nil || hc.Authorization != nil || hc.OAuth2 != nil
}

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// CheckHeaders says which of the headers that were given one by one is none, or
// returns nil. The value is not repeated.
func CheckHeaders(headers map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if !headerName.MatchString(name) || strings.ContainsAny(headers[name], "\r\n\x00") {
			return fmt.Errorf("--prom.header: %s is no header: give NAME=VALUE", collector.Quote(name))
		}
	}
	return nil
}

// NewTransport is the way to servers as a configuration says, with further
// headers. What is sent to say who asks, from files too, is kept in secrets.
// The caller says which redirects are followed (SameServer).
func NewTransport(hc config.HTTPClientConfig, headers map[string]string, secrets *Secrets) (http.RoundTripper, error) {
	rt, err := config.NewRoundTripperFromConfig(hc, "stormtop", config.WithUserAgent("stormtop"))
	if err != nil {
		return nil, errors.New("the HTTP configuration cannot be used: " + secrets.Mask(err.Error()))
	}
	return transport{rt, headers, secrets}, nil
}

type transport struct {
	next    http.RoundTripper
	headers map[string]string // given one by one
	secrets *Secrets
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if len(t.headers) > 0 {
		req = req.Clone(req.Context())
	}
	for name, value := range t.headers {
		if strings.EqualFold(name, "Host") {
			req.Host = value
			continue
		}
		req.Header.Set(name, value)
	}
	resp, err := t.next.RoundTrip(req)
	if err == nil && resp.Request != nil {
		t.secrets.learnSent(resp.Request.Header)
	}
	return resp, err
}

// SameServer reports whether credentials for a may be sent to b: the same host
// and port, or the https of a plain address on the usual ports.
func SameServer(a, b *url.URL) bool {
	if !strings.EqualFold(a.Hostname(), b.Hostname()) {
		return false
	}
	pa, pb := Port(a), Port(b)
	if a.Scheme == b.Scheme {
		return pa == pb
	}
	return a.Scheme == "http" && b.Scheme == "https" && (pa == pb || pa == "80" && pb == "443")
}

// Port is the port of an address, the usual one of its scheme where it names none.
func Port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}
