package prom

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/prometheus/client_golang/api"
	"github.com/prometheus/common/config"

	"stormtop/collector"
	"stormtop/collector/web"
)

// transport is the way to one server: credentials, TLS and proxy as configured
// for prometheus/common, extra headers, and redirects on the same server only.
type transport struct {
	addr    address
	rt      http.RoundTripper
	follow  bool
	secrets *web.Secrets
}

func newTransport(addr address, hc config.HTTPClientConfig, headers, params map[string]string) (*transport, error) {
	if addr.user != nil {
		if web.HasCredentials(hc) {
			return nil, errors.New("there are credentials both in the address and in the HTTP configuration: keep one of them")
		}
		password, _ := addr.user.Password()
		hc.BasicAuth = &config.BasicAuth{Username: addr.user.Username(), Password: config.Secret(password)}
	}
	secrets := &web.Secrets{}
	secrets.Learn(hc, headers, params)
	rt, err := web.NewTransport(hc, headers, secrets)
	return &transport{addr: addr, rt: rt, follow: hc.FollowRedirects, secrets: secrets}, err
}

// client makes an API client for one request whose answer goes to read as it
// comes. An api.Client buffers whole bodies without a cap; here it finds
// nothing left to buffer, because the last transport hands it a body that runs
// read over the real one and is then empty.
func (t *transport) client(read func(*http.Response) error) (api.Client, error) {
	return api.NewClient(api.Config{
		Address: t.addr.url.String(),
		Client:  &http.Client{Transport: readingTransport{t.rt, read}, CheckRedirect: t.checkRedirect},
	})
}

// readingTransport replaces the body of an answer by one that is read through
// the function, redirects excepted.
type readingTransport struct {
	next http.RoundTripper
	read func(*http.Response) error
}

func (r readingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	if err != nil || resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return resp, err
	}
	inner := *resp
	resp.Body = &readingBody{Closer: resp.Body, run: func() error { return r.read(&inner) }}
	return resp, nil
}

type readingBody struct {
	io.Closer
	run  func() error
	done bool
}

// Read runs the reader once. It is called by a goroutine of api.Client, so a
// panic must end here.
func (b *readingBody) Read([]byte) (n int, err error) {
	if b.done {
		return 0, io.EOF
	}
	b.done = true
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error while reading an answer: %v", p)
		}
	}()
	if err := b.run(); err != nil {
		return 0, err
	}
	return 0, io.EOF
}

// refusedRedirect says where a server wanted to send the request.
type refusedRedirect struct{ from, to string }

func (e *refusedRedirect) Error() string {
	return fmt.Sprintf("%s redirects to %s, which was not followed so that no credential leaves %s; if that is the right server, name it with --prom", e.from, e.to, e.from)
}

// checkRedirect follows redirects on the same server. Where net/http turned a
// POST into a GET (301, 302, 303), the form moves into the address.
func (t *transport) checkRedirect(req *http.Request, via []*http.Request) error {
	if !t.follow || !web.SameServer(t.addr.url, req.URL) {
		return &refusedRedirect{collector.Clean(via[0].URL.Host), collector.Clean(req.URL.Scheme + "://" + req.URL.Host)}
	}
	if len(via) >= web.MaxRedirects {
		return fmt.Errorf("%s redirects in a circle", collector.Clean(via[0].URL.Host))
	}
	if req.Method == http.MethodGet && req.URL.RawQuery == "" {
		form, err := formOf(via[0])
		if err != nil {
			return err
		}
		req.URL.RawQuery = form
	}
	return nil
}

// formOf is the encoded form of a request, from its body or its address.
func formOf(req *http.Request) (string, error) {
	if req.GetBody == nil {
		return req.URL.RawQuery, nil
	}
	body, err := req.GetBody()
	if err != nil {
		return "", err
	}
	defer body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(body); err != nil {
		return "", err
	}
	return b.String(), nil
}

// newRequest makes a request of the query API.
func newRequest(u *url.URL, method string, form url.Values) (*http.Request, error) {
	encoded := form.Encode()
	if method == http.MethodGet {
		u.RawQuery = encoded
		return http.NewRequest(method, u.String(), nil)
	}
	req, err := http.NewRequest(method, u.String(), strings.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return req, nil
}
