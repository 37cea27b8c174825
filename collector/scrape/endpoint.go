package scrape

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
	"stormtop/collector/web"
)

// endpoint is one address that exposes metrics, and how it fares.
type endpoint struct {
	url      string        // without user info
	user     *url.Userinfo // what stood in front of the @, or nil
	label    string        // for people: host, port and path, without credentials
	instance string        // host:port, as Prometheus would call it

	answered bool         // it has ever been scraped
	fail     *failure     // why the newest scrape brought nothing; nil: it did
	back     pace.Backoff // of the scrapes that failed
	due      time.Time    // not scraped before
	blocked  bool         // not scraped before somebody asks
}

// healthy reports whether the newest scrape brought samples.
func (e *endpoint) healthy() bool { return e.answered && e.fail == nil }

// parseEndpoints reads what a person gave as --scrape. The notes say what was
// added. Errors never repeat user info or a query.
func parseEndpoints(texts []string) ([]*endpoint, []string, error) {
	var out []*endpoint
	var notes []string
	seen := map[string]bool{}
	for _, text := range texts {
		e, note, err := parseEndpoint(text)
		if err != nil {
			return nil, nil, err
		}
		if seen[e.url] {
			return nil, nil, fmt.Errorf("--scrape names %s twice: name each endpoint once", collector.MaskAddress(e.url))
		}
		seen[e.url] = true
		out = append(out, e)
		if note != "" {
			notes = append(notes, note)
		}
	}
	if len(out) == 0 {
		return nil, nil, errors.New("there is no endpoint to scrape: give --scrape=http://HOST:PORT/metrics")
	}
	return out, notes, nil
}

func parseEndpoint(text string) (*endpoint, string, error) {
	raw := strings.TrimSpace(text)
	if raw == "" {
		return nil, "", errors.New("an address of --scrape is empty: give --scrape=http://HOST:PORT/metrics")
	}
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	const remedy = "; give --scrape=http://HOST:PORT/metrics"
	shown := fmt.Sprintf("%q", collector.MaskAddress(raw))
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil, "", errors.New(shown + " is no address of an endpoint" + remedy)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, "", errors.New(shown + ": stormtop speaks http and https" + remedy)
	case u.Hostname() == "":
		return nil, "", errors.New(shown + " names no host" + remedy)
	case u.User == nil && u.Port() != "" && strings.Contains(u.Path, "@"):
		// A password with a slash in it looks like a host, a port and a path.
		return nil, "", errors.New(shown + " has an @ behind its host: in a user name or password write / as %2F, ? as %3F and # as %23, in a path @ as %40")
	}
	e := &endpoint{user: u.User}
	note := ""
	if u.Path == "" || u.Path == "/" {
		u.Path = "/metrics"
		note = "scraping " + collector.Clean(u.Host) + "/metrics, since the address has no path"
	}
	u.User, u.Fragment, u.Host = nil, "", strings.ToLower(u.Host)
	e.url, e.label, e.instance = u.String(), collector.Clean(u.Host+u.Path), u.Host
	if u.Port() == "" {
		e.instance += ":" + web.Port(u)
	}
	return e, note, nil
}
