package web

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"stormtop/collector"
)

func TestRetryAfterIsSecondsOrADate(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	at := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, c := range []struct {
		header, date string
		want         time.Duration
	}{
		{"17", "", 17 * time.Second},
		{" 17 ", "", 17 * time.Second},
		{"0", "", 0},
		{"-5", "", 0},
		{"3600", "", time.Hour},
		{"3601", "", time.Hour},
		{"99999999999999999999999", "", time.Hour},
		{"-99999999999999999999999", "", 0},
		{"", "", 0},
		{"soon", "", 0},
		{"1.5", "", 0},
		{at(90 * time.Second), "", 90 * time.Second},
		{at(90 * time.Second), at(80 * time.Second), 10 * time.Second}, // the server's clock decides
		{at(90 * time.Second), "no date", 90 * time.Second},
		{at(-time.Hour), "", 0},
		{at(48 * time.Hour), "", time.Hour},
		{now.Add(time.Minute).Format(time.RFC850), "", time.Minute},
	} {
		h := http.Header{}
		h.Set("Retry-After", c.header)
		if c.date != "" {
			h.Set("Date", c.date)
		}
		if got := RetryAfter(h, now); got != c.want {
			t.Errorf("%q at %q: %v, want %v", c.header, c.date, got, c.want)
		}
	}
}

func TestAReasonLeavesOutTheAddress(t *testing.T) {
	for want, err := range map[string]error{
		"the name h is not known (no such host)":         &url.Error{Op: "Get", URL: "http://h", Err: &net.DNSError{Name: "h", Err: "no such host"}},
		"connection refused":                             &url.Error{Op: "Get", URL: "http://h", Err: &net.OpError{Op: "dial", Err: errors.New("connect: connection refused")}},
		"it redirects to an address that cannot be read": &url.Error{Op: "Get", URL: "http://h", Err: errors.New("failed to parse Location header")},
		"oauth2: cannot fetch token: 401":                errors.New("oauth2: cannot fetch token: 401\nResponse: hush"),
	} {
		if got := Reason(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAStatusHasAKind(t *testing.T) {
	for code, want := range map[int]collector.FailureKind{
		401: collector.Forbidden, 403: collector.Forbidden, 429: collector.RateLimited, 408: collector.TimedOut, 504: collector.TimedOut,
		500: collector.ServerError, 599: collector.ServerError, 400: collector.Rejected, 404: collector.Rejected, 302: collector.NotPrometheus,
	} {
		if got := Kind(code); got != want {
			t.Errorf("%d: %v, want %v", code, got, want)
		}
	}
	if got := Status(599); got != "599" {
		t.Errorf("%q", got)
	}
}
