package scrape

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/web"
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
		f.kind, f.text, f.wait = web.Kind(refusal.code), refusal.Error()+remedyOf(refusal.code), refusal.wait
	case errors.As(err, &away):
		f.kind, f.text = collector.NotPrometheus, away.Error()
	case errors.As(err, &format):
		f.kind, f.text = collector.NotPrometheus, format.Error()
	case errors.Is(err, errUnzip):
		f.kind, f.text = collector.NotPrometheus, "its "+strings.TrimPrefix(errUnzip.Error(), "the ")
	case errors.Is(err, errTooLarge):
		f.kind = collector.TooLarge
		f.text = "its answer is larger than " + web.FormatBytes(s.cfg.MaxBytes) + ": scrape an endpoint that exposes less"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		f.kind = collector.TimedOut
		f.text = fmt.Sprintf("no answer within %s: give it more time by a longer --interval", collector.FormatInterval(s.cfg.Timeout))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		f.text = "the connection was lost in the middle of an answer"
	case web.WithoutTLS(err):
		f.text = "it does not speak TLS: write the address with http://"
	case web.Distrust(err) != "":
		f.text = "its certificate is not trusted, " + web.Distrust(err)
	case web.RefusedTLS(err) != "":
		f.text = "it refuses the TLS connection " + web.RefusedTLS(err)
	case web.WithoutHTTP(err):
		f.text = "it does not speak HTTP: is the port right, or is it https://?"
	default:
		f.text = "no connection: " + web.Reason(err)
	}
	f.text = e.label + ": " + s.secrets.Mask(f.text)
	return f
}

func remedyOf(code int) string {
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ": give credentials in --prom.http-config=FILE or in the address"
	case http.StatusNotFound:
		return ": is the path of its metrics right?"
	case http.StatusBadRequest:
		return ": does it want https?"
	}
	return ""
}
