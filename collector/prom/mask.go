package prom

import (
	"regexp"
	"strings"
)

// userInfo is what stands between the slashes and the last @ of an authority.
var userInfo = regexp.MustCompile(`(://)[^/\s"'<>?#]*@`)

// maskURLs takes the user info out of every URL in s.
func maskURLs(s string) string { return userInfo.ReplaceAllString(s, "$1") }

// maskAddress takes whatever may be user info out of an address that may be
// malformed, and so may hold any character in a password: all up to the last @.
func maskAddress(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if i := strings.LastIndexByte(rest, '@'); ok && i >= 0 {
		return scheme + "://" + rest[i+1:]
	}
	return s
}
