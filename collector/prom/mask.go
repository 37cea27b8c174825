package prom

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"sort"
	"strings"

	"stormtop/collector"
)

// userInfo is what stands between the slashes and the last @ of an authority.
var userInfo = regexp.MustCompile(`(://)[^/\s"'<>?#]*@`)

// noScheme is a credential in front of an address without a scheme, when the
// whole text is that address.
var noScheme = regexp.MustCompile(`^[^/\s"'<>?#@:]+:[^/\s"'<>?#]*@`)

// Mask takes the user info out of every URL in s. Known secrets in other
// places are masked by the source itself.
func Mask(s string) string {
	return noScheme.ReplaceAllString(userInfo.ReplaceAllString(s, "$1"), "")
}

// secrets are texts that must not reach a screen, an error or a file.
type secrets struct {
	whole []string         // replaced wherever they stand, longest first
	short []*regexp.Regexp // replaced only as a word of their own
}

// add remembers a secret and the forms in which it may come back.
func (s *secrets) add(secret string) {
	if secret == "" {
		return
	}
	for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret))} {
		if len(form) < 6 {
			s.short = append(s.short, regexp.MustCompile(`(^|[^0-9A-Za-z])`+regexp.QuoteMeta(form)+`($|[^0-9A-Za-z])`))
			continue
		}
		s.whole = append(s.whole, form)
	}
	sort.Slice(s.whole, func(i, j int) bool { return len(s.whole[i]) > len(s.whole[j]) })
}

// mask cleans text from outside and takes every secret out of it.
func (s *secrets) mask(text string) string {
	for _, w := range s.whole {
		text = strings.ReplaceAll(text, w, "***")
	}
	for _, re := range s.short {
		text = re.ReplaceAllString(text, "${1}***${2}")
	}
	return collector.Clean(userInfo.ReplaceAllString(text, "$1"))
}
