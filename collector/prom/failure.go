package prom

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

// failure is why a request brought no answer that can be used.
type failure struct {
	kind collector.FailureKind
	text string        // a sentence, cleaned and masked
	wait time.Duration // how long the server asked us to wait, 0 if it did not
	code int           // HTTP status, 0 when there was none
	dial bool          // there was no connection at all
}

func (f *failure) Error() string { return f.text }

// refusal is an HTTP answer that is no success, before it is put into words.
type refusal struct {
	code      int
	errorType string
	text      string // the server's words, or the beginning of the body
	isJSON    bool   // they came in the query API's own form
	wait      time.Duration
}

// explainRefusal classifies an HTTP answer. host is for people.
func explainRefusal(r refusal, host string) *failure {
	f := &failure{code: r.code, wait: r.wait, kind: r.kind()}
	answers := fmt.Sprintf("%s answers %s", host, status(r))
	switch f.kind {
	case collector.Forbidden:
		f.text = forbiddenText(r, host)
	case collector.RateLimited:
		f.text = "rate limited by " + host
		if r.wait > 0 {
			f.text += ", which asks to wait " + collector.FormatInterval(r.wait)
		}
	case collector.TimedOut:
		f.text = host + ": query timed out"
	case collector.ServerError:
		f.text = answers
	case collector.Rejected:
		switch {
		case r.rejects():
			f.text = "query rejected: " + joined(r.text)
		case r.code == http.StatusNotFound:
			f.text = answers + "; there is no Prometheus API at this address, is its path complete?"
		case strings.Contains(r.text, "HTTP request to an HTTPS server"), strings.Contains(r.text, "HTTP request was sent to HTTPS port"):
			f.text = fmt.Sprintf("%s speaks TLS: write --prom=https://%s", host, host)
		default:
			f.text = answers
		}
	default:
		f.text = answers + ", which is no answer of a Prometheus API"
	}
	return f
}

// kind is what the status means, and where the server says more, what it says.
func (r refusal) kind() collector.FailureKind {
	switch kind := web.Kind(r.code); {
	case kind == collector.Forbidden, kind == collector.RateLimited:
		return kind
	case r.timedOut():
		return collector.TimedOut
	case r.rejects():
		return collector.Rejected
	default:
		return kind
	}
}

// rejects reports whether the query itself is what the server does not like.
func (r refusal) rejects() bool {
	return r.isJSON && (r.code < 500 || r.errorType == "execution" || r.errorType == "bad_data")
}

// timedOut recognizes a query that took too long, whichever code says so.
func (r refusal) timedOut() bool {
	if web.Kind(r.code) == collector.TimedOut || r.errorType == "timeout" || r.errorType == "canceled" {
		return true
	}
	text := strings.ToLower(r.text)
	return r.code >= 400 && r.isJSON && (strings.Contains(text, "timed out") || strings.Contains(text, "deadline exceeded"))
}

// status is the status of an answer with the server's words in brackets.
func status(r refusal) string {
	name, words := inWords(r)
	if words != "" {
		return name + " (" + words + ")"
	}
	return name
}

// statusInside is the same, to stand in brackets itself.
func statusInside(r refusal) string {
	name, words := inWords(r)
	if words != "" {
		return name + ": " + words
	}
	return name
}

// inWords is the status of an answer, and what the server says beyond it.
func inWords(r refusal) (name, words string) {
	name = web.Status(r.code)
	if !strings.EqualFold(r.text, http.StatusText(r.code)) {
		words = cut(r.text, 200)
	}
	return name, words
}

func forbiddenText(r refusal, host string) string {
	text := strings.ToLower(r.text)
	if strings.Contains(text, "no org id") || strings.Contains(text, "tenant") {
		return fmt.Sprintf("%s wants to know the tenant (%d %s): add --prom.header=X-Scope-OrgID=TENANT", host, r.code, cut(r.text, 200))
	}
	if r.code == http.StatusUnauthorized {
		return fmt.Sprintf("%s wants credentials, or refuses those it got (%s): give them in --prom.http-config=FILE", host, statusInside(r))
	}
	return fmt.Sprintf("%s forbids this query (%s): give other credentials in --prom.http-config=FILE or --prom.header=NAME=VALUE", host, statusInside(r))
}

// notPrometheus is the failure of a successful answer that is not the query
// API's; head is its beginning.
func (t *transport) notPrometheus(err *syntaxError, head, mediaType string) *failure {
	head = strings.TrimSpace(head)
	what := "text that is no JSON"
	switch {
	case strings.Contains(mediaType, "html"), strings.HasPrefix(head, "<"):
		what = "a web page (a login?)"
	case err.want == noStatus:
		what = "JSON of another kind"
	case strings.HasPrefix(head, "{"):
		what = "broken JSON (" + err.Error() + ")"
	}
	return &failure{kind: collector.NotPrometheus, code: 200, text: t.secrets.Mask(fmt.Sprintf(
		"%s answers with %s, not as a Prometheus API does; is the address right?", t.addr.label(), what))}
}

// explainError classifies an error of the transport or of reading an answer.
// limit is the time that was allowed, byteCap the cap on the answer.
func (t *transport) explainError(err error, limit time.Duration, byteCap int64) *failure {
	host := t.addr.label()
	f := &failure{kind: collector.Unreachable}
	var syntax *syntaxError
	var redirect *refusedRedirect
	var own *failure
	var netErr net.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &redirect):
		f.kind, f.text = collector.NotPrometheus, redirect.Error()
	case errors.Is(err, errTooLarge):
		f.kind = collector.TooLarge
		f.text = fmt.Sprintf("the answer of %s is larger than %s: aggregate the query, for instance sum by (service) (...), or select less", host, web.FormatBytes(byteCap))
		if !errors.Is(err, errByteCap) {
			f.text = fmt.Sprintf("%s: aggregate the query, for instance sum by (service) (...), or select less", web.Reason(err))
		}
	case errors.As(err, &syntax):
		f.kind, f.text = collector.NotPrometheus, fmt.Sprintf("%s answers with text that is no Prometheus JSON (%s)", host, syntax.want)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		f.kind = collector.TimedOut
		f.text = fmt.Sprintf("%s: query timed out, no answer within %s", host, collector.FormatInterval(limit))
	case errors.Is(err, errEmpty):
		f.kind, f.code = collector.NotPrometheus, http.StatusOK
		f.text = fmt.Sprintf("the answer of %s is empty, which is no answer of a Prometheus API; is the address right?", host)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		f.text = fmt.Sprintf("the connection to %s was lost in the middle of an answer", host)
	default:
		if f.text = tlsText(err, host); f.text == "" {
			f.text = fmt.Sprintf("no connection to %s: %s", host, web.Reason(err))
		}
		f.dial = true
	}
	f.text = t.secrets.Mask(f.text)
	return f
}
