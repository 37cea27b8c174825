package prom

import (
	"fmt"
	"net/url"
	"strings"
)

// address is where a Prometheus API is, without credentials.
type address struct {
	url  *url.URL      // scheme, host, path without a trailing slash
	user *url.Userinfo // what stood in front of the @, or nil
}

// pastedPaths are ends of addresses that people copy from a browser or a
// document and that are not part of the API's address.
var pastedPaths = []string{"/api/v1/query_range", "/api/v1/query", "/api/v1", "/graph", "/query"}

// parseAddress reads what a person gave as --prom. The notes say what was cut.
// Errors never repeat user info.
func parseAddress(s string) (address, []string, error) {
	raw := strings.TrimSpace(s)
	if raw == "" {
		return address{}, nil, fmt.Errorf("the address of the Prometheus server is empty: give --prom=http://HOST:PORT")
	}
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	shown := maskAddress(raw)
	u, err := url.Parse(raw)
	if err != nil {
		return address{}, nil, fmt.Errorf("%q is no address of a Prometheus server: %s; give --prom=http://HOST:PORT", shown, parseReason(err))
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return address{}, nil, fmt.Errorf("%q: stormtop speaks http and https, not %s; give --prom=http://HOST:PORT", shown, u.Scheme)
	}
	if u.Hostname() == "" {
		return address{}, nil, fmt.Errorf("%q names no host; give --prom=http://HOST:PORT", shown)
	}
	tail := u.EscapedPath()
	if tail == "" {
		tail = u.RawQuery + u.Fragment
	}
	if u.User == nil && u.Port() != "" && strings.Contains(tail, "@") {
		// A password with a slash in it looks like a host, a port and a path.
		return address{}, nil, fmt.Errorf("%q has an @ behind its host: in a user name or password write / as %%2F, ? as %%3F and # as %%23, in a path @ as %%40", shown)
	}
	out := address{user: u.User}
	var notes []string
	if u.RawQuery != "" || u.Fragment != "" {
		notes = append(notes, "what stands behind ? or # in the address is not used; parameters are given by --prom.param")
	}
	path := strings.TrimRight(u.Path, "/")
	for _, end := range pastedPaths {
		if rest, ok := strings.CutSuffix(path, end); ok {
			notes = append(notes, fmt.Sprintf("the trailing %s of the address was cut", end))
			path = strings.TrimRight(rest, "/")
			break
		}
	}
	out.url = &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Path: path}
	return out, notes, nil
}

// parseReason is the reason of a url.Error without the text that it quotes,
// which may hold a password.
func parseReason(err error) string {
	text := err.Error()
	for _, known := range []string{"invalid port", "invalid URL escape", "invalid userinfo", "invalid character", "invalid control character", "missing ']'"} {
		if strings.Contains(text, known) {
			return known
		}
	}
	return "it cannot be read"
}

// label is the address for people: host, port and path.
func (a address) label() string { return a.url.Host + a.url.Path }

// maskAddress takes whatever may be user info out of an address that may be
// malformed, and so may hold any character in a password: all up to the last @.
func maskAddress(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if i := strings.LastIndexByte(rest, '@'); ok && i >= 0 {
		return scheme + "://" + rest[i+1:]
	}
	return s
}
