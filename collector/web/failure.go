package web

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
)

// Kind is what the status of an answer that is no success means.
func Kind(code int) collector.FailureKind {
	switch {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return collector.Forbidden
	case code == http.StatusTooManyRequests:
		return collector.RateLimited
	case code == http.StatusRequestTimeout, code == http.StatusGatewayTimeout:
		return collector.TimedOut
	case code >= 500:
		return collector.ServerError
	case code >= 400:
		return collector.Rejected
	}
	return collector.NotPrometheus
}

// Status is a status for people: "503 Service Unavailable".
func Status(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// Reason is the innermost part of an error of a connection that is still a
// sentence: without the address, which may hold something secret, and the steps
// that lead there. It is not cleaned (Secrets.Mask).
func Reason(err error) string {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return "the name " + dns.Name + " is not known (" + dns.Err + ")"
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return strings.TrimPrefix(op.Err.Error(), "connect: ")
	}
	var u *url.Error
	if errors.As(err, &u) && u.Err != nil {
		err = u.Err
	}
	text, _, _ := strings.Cut(err.Error(), "\nResponse:") // of a token server: it may repeat what it was sent
	if strings.Contains(text, "Location header") {
		return "it redirects to an address that cannot be read"
	}
	return text
}

// maxRetryAfter is the longest wait that a server is granted: beyond it, the
// header is taken for a mistake.
const maxRetryAfter = time.Hour

// RetryAfter reads a Retry-After header: seconds, or a date, which is by the
// clock of whoever sent the answer, as its Date is. What is absurd is cut to an
// hour; what cannot be read is 0.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	var d time.Duration
	if s, err := strconv.ParseInt(value, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		d = time.Duration(min(max(s, 0), int64(maxRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		if date, err := http.ParseTime(h.Get("Date")); err == nil {
			now = date
		}
		d = at.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}

// FormatBytes writes a cap for people: "64 MiB".
func FormatBytes(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
