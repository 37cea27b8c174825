package collector

import (
	"strconv"
	"strings"
)

// Quote is text from outside in quotation marks, for the sentence of an error:
// on one line, without control characters, and where it is an address, however
// it came there, without the credentials in it.
func Quote(text string) string {
	if isAddress(text) {
		return strconv.Quote(MaskAddress(text))
	}
	return strconv.Quote(Clean(text))
}

// isAddress reports whether text may be an address with something secret in it.
func isAddress(text string) bool {
	at := strings.LastIndexByte(text, '@')
	return strings.Contains(text, "://") || at >= 0 && strings.Contains(text[:at], ":")
}

// MaskAddress cleans an address, also one that is malformed, and replaces its
// user info and its query by "***".
func MaskAddress(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if ok {
		scheme += "://"
	} else {
		scheme, rest = "", text
	}
	// A password with a "/", "?" or "#" in it is not well formed, but it is
	// still a password: everything up to the last "@" goes.
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = "***" + rest[i:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest = rest[:i] + "?***"
	}
	return Clean(scheme + rest)
}
