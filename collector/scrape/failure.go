package scrape

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
)

// failure is why a scrape brought nothing that can be used.
type failure struct {
	kind collector.FailureKind
	text string        // a sentence that begins with the endpoint, cleaned
	wait time.Duration // how long the endpoint asked us to wait, 0 if it did not
}

// explain classifies what went wrong with an endpoint and says what to do.
func (s *Source) explain(e *endpoint, err error) *failure {
	f := &failure{kind: collector.Unreachable}
	var refusal *refused
	var away *strayed
	var format *malformed
	var timeout net.Error
	switch {
	case errors.As(err, &refusal):
		f.kind, f.text, f.wait = kindOf(refusal.code), refusal.Error()+remedyOf(refusal.code), refusal.wait
	case errors.As(err, &away):
		f.kind, f.text = collector.NotPrometheus, away.Error()
	case errors.As(err, &format):
		f.kind, f.text = collector.NotPrometheus, format.Error()
	case errors.Is(err, errUnzip):
		f.kind, f.text = collector.NotPrometheus, "its "+strings.TrimPrefix(errUnzip.Error(), "the ")
	case errors.Is(err, errTooLarge):
		f.kind = collector.TooLarge
		f.text = "its answer is larger than " + formatBytes(s.cfg.MaxBytes) + ": scrape an endpoint that exposes less"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		f.kind = collector.TimedOut
		f.text = fmt.Sprintf("no answer within %s: give it more time by a longer --interval", collector.FormatInterval(s.cfg.Timeout))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		f.text = "the connection was lost in the middle of an answer"
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, new(tls.RecordHeaderError)):
		f.text = "it does not speak TLS: write the address with http://"
	case errors.As(err, new(*tls.CertificateVerificationError)), errors.As(err, new(x509.UnknownAuthorityError)):
		f.text = "its certificate is not trusted (" + reason(err) + "): name what signed it as ca_file under tls_config in the HTTP configuration"
	default:
		f.text = "no connection: " + reason(err)
	}
	f.text = e.label + ": " + collector.Clean(f.text)
	return f
}

func kindOf(code int) collector.FailureKind {
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return collector.Forbidden
	case code == http.StatusTooManyRequests:
		return collector.RateLimited
	case code == http.StatusRequestTimeout || code == http.StatusGatewayTimeout:
		return collector.TimedOut
	case code >= 500:
		return collector.ServerError
	case code >= 400:
		return collector.Rejected
	}
	return collector.NotPrometheus
}

func remedyOf(code int) string {
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ": give credentials in the HTTP configuration or in the address"
	case http.StatusNotFound:
		return ": is the path of its metrics right?"
	case http.StatusBadRequest:
		return ": does it want https?"
	}
	return ""
}

// reason is the innermost part of an error that is still a sentence: without
// the address, which may hold something secret, and the steps that lead there.
func reason(err error) string {
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
	return collector.MaskAddress(text)
}

// retryAfter reads a Retry-After header: seconds or a date. What is absurd is
// cut to an hour; what cannot be read is 0.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	var d time.Duration
	if n, err := strconv.ParseInt(value, 10, 32); err == nil {
		d = time.Duration(n) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), time.Hour)
}

func formatBytes(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
