package web

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

// Secrets are texts that must not reach a screen, an error or a file. The zero
// ones know none. They may be used from several goroutines.
type Secrets struct {
	mu    sync.RWMutex
	known map[string]bool
	whole []string         // replaced wherever they stand, longest first
	short []*regexp.Regexp // replaced only as a word of their own
}

// Add remembers a secret and the forms in which it may come back.
func (s *Secrets) Add(secret string) {
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

// userInfo is what stands between the slashes and the last @ of an authority.
var userInfo = regexp.MustCompile(`(://)[^/\s"'<>?#]*@`)

// maskURLs takes the user info out of every URL in s.
func maskURLs(s string) string { return userInfo.ReplaceAllString(s, "$1") }

// maxSecrets bounds what is remembered of credentials that change: an hourly
// token takes a month to reach it.
const maxSecrets = 1000

// Mask cleans text from outside and takes every secret out of it, and the user
// info out of every URL.
func (s *Secrets) Mask(text string) string {
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

// Learn collects what a configuration says that must not be shown. Parameters
// are taken by their names: those that sound like a credential.
func (s *Secrets) Learn(hc config.HTTPClientConfig, headers, params map[string]string) {
	if hc.BasicAuth != nil {
		s.Add(string(hc.BasicAuth.Password))
		s.Add(hc.BasicAuth.Username + ":" + string(hc.BasicAuth.Password))
	}
	if hc.Authorization != nil {
		s.Add(string(hc.Authorization.Credentials))
	}
	s.Add(string(hc.BearerToken))
	s.addProxy(hc.ProxyConfig)
	if o := hc.OAuth2; o != nil {
		s.Add(string(o.ClientSecret))
		s.addProxy(o.ProxyConfig)
		s.addParams(o.EndpointParams)
		if u, err := url.Parse(o.TokenURL); err == nil {
			s.AddUser(u.User)
		}
	}
	if hc.HTTPHeaders != nil {
		for name, h := range hc.HTTPHeaders.Headers {
			for _, v := range h.Values {
				s.addHeader(name, v)
			}
			for _, v := range h.Secrets {
				s.Add(string(v))
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
func (s *Secrets) learnSent(h http.Header) {
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
func (s *Secrets) addHeader(name, value string) {
	if strings.EqualFold(name, "X-Scope-OrgID") || strings.EqualFold(name, "Host") {
		return
	}
	s.Add(value)
	word, token, ok := strings.Cut(value, " ")
	if !ok {
		return
	}
	s.Add(token)
	if pair, err := base64.StdEncoding.DecodeString(token); err == nil && strings.EqualFold(word, "Basic") {
		_, password, _ := strings.Cut(string(pair), ":")
		s.Add(string(pair))
		s.Add(password)
	}
}

// secretParam is the name of a parameter whose value is a credential.
var secretParam = regexp.MustCompile(`(?i)token|secret|passw|auth|key|signature`)

func (s *Secrets) addParams(params map[string]string) {
	for name, v := range params {
		if secretParam.MatchString(name) {
			s.Add(v)
		}
	}
}

func (s *Secrets) addProxy(p config.ProxyConfig) {
	if p.ProxyURL.URL != nil {
		s.AddUser(p.ProxyURL.User)
	}
	for name, values := range p.ProxyConnectHeader {
		for _, v := range values {
			s.addHeader(name, string(v))
		}
	}
}

// AddUser takes the password of user info, which may be nil.
func (s *Secrets) AddUser(u *url.Userinfo) {
	if password, ok := u.Password(); ok {
		s.Add(password)
	}
}
