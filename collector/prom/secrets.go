package prom

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/common/config"

	"stormtop/collector"
)

// secrets are texts that must not reach a screen, an error or a file. They may
// be used from several goroutines.
type secrets struct {
	mu    sync.RWMutex
	known map[string]bool
	whole []string         // replaced wherever they stand, longest first
	short []*regexp.Regexp // replaced only as a word of their own
}

// add remembers a secret and the forms in which it may come back.
func (s *secrets) add(secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if secret == "" || s.known[secret] || len(s.known) >= maxSecrets {
		return
	}
	if s.known == nil {
		s.known = map[string]bool{}
	}
	s.known[secret] = true
	for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret))} {
		if len(form) < 6 {
			s.short = append(s.short, regexp.MustCompile(`(^|[^0-9A-Za-z])`+regexp.QuoteMeta(form)+`($|[^0-9A-Za-z])`))
			continue
		}
		s.whole = append(s.whole, form)
	}
	slices.SortFunc(s.whole, func(a, b string) int { return len(b) - len(a) })
}

// maxSecrets bounds what is remembered of credentials that change: an hourly
// token takes a month to reach it.
const maxSecrets = 1000

// mask cleans text from outside and takes every secret out of it.
func (s *secrets) mask(text string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, w := range s.whole {
		text = strings.ReplaceAll(text, w, "***")
	}
	for _, re := range s.short {
		text = re.ReplaceAllString(text, "${1}***${2}")
	}
	return collector.Clean(maskURLs(text))
}

// learn collects what a configuration says that must not be shown.
func (s *secrets) learn(hc config.HTTPClientConfig, headers, params map[string]string) {
	if hc.BasicAuth != nil {
		s.add(string(hc.BasicAuth.Password))
		s.add(hc.BasicAuth.Username + ":" + string(hc.BasicAuth.Password))
	}
	if hc.Authorization != nil {
		s.add(string(hc.Authorization.Credentials))
	}
	s.add(string(hc.BearerToken))
	s.addProxy(hc.ProxyConfig)
	if o := hc.OAuth2; o != nil {
		s.add(string(o.ClientSecret))
		s.addProxy(o.ProxyConfig)
		s.addParams(o.EndpointParams)
		if u, err := url.Parse(o.TokenURL); err == nil {
			s.addUser(u.User)
		}
	}
	if hc.HTTPHeaders != nil {
		for name, h := range hc.HTTPHeaders.Headers {
			for _, v := range h.Values {
				s.addHeader(name, v)
			}
			for _, v := range h.Secrets {
				s.add(string(v))
			}
		}
	}
	for name, v := range headers {
		s.addHeader(name, v)
	}
	s.addParams(params)
}

// learnSent collects what was sent to the server in headers: credentials may
// come from files that are read anew for each request.
func (s *secrets) learnSent(h http.Header) {
	for name, values := range h {
		switch name {
		case "Accept", "Accept-Encoding", "Content-Type", "Content-Length", "User-Agent", "Referer":
			continue
		}
		for _, v := range values {
			s.addHeader(name, v)
		}
	}
}

// addHeader takes the value of a header, but for a tenant's name, which may be
// shown, and what stands behind its first word: a token, or a user and password.
func (s *secrets) addHeader(name, value string) {
	if strings.EqualFold(name, "X-Scope-OrgID") || strings.EqualFold(name, "Host") {
		return
	}
	s.add(value)
	word, token, ok := strings.Cut(value, " ")
	if !ok {
		return
	}
	s.add(token)
	if pair, err := base64.StdEncoding.DecodeString(token); err == nil && strings.EqualFold(word, "Basic") {
		_, password, _ := strings.Cut(string(pair), ":")
		s.add(string(pair))
		s.add(password)
	}
}

// secretParam is the name of a parameter whose value is a credential.
var secretParam = regexp.MustCompile(`(?i)token|secret|passw|auth|key|signature`)

func (s *secrets) addParams(params map[string]string) {
	for name, v := range params {
		if secretParam.MatchString(name) {
			s.add(v)
		}
	}
}

func (s *secrets) addProxy(p config.ProxyConfig) {
	if p.ProxyURL.URL != nil {
		s.addUser(p.ProxyURL.User)
	}
	for name, values := range p.ProxyConnectHeader {
		for _, v := range values {
			s.addHeader(name, string(v))
		}
	}
}

func (s *secrets) addUser(u *url.Userinfo) {
	if password, ok := u.Password(); ok {
		s.add(password)
	}
}
