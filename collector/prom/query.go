package prom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/web"
)

// querier sends queries to one server and reads what comes back.
type querier struct {
	*transport
	clock     Clock
	params    *paramMemory
	timeout   time.Duration
	maxBytes  int64
	maxPoints int
	in        *interner
	method    *methodMemory
}

// result is what became of one query: an answer or a failure, and its cost.
type result struct {
	ans  *answer
	fail *failure
	cost collector.Cost
}

// instant evaluates a query at one time; the zero time is the server's now.
func (q *querier) instant(ctx context.Context, query string, at time.Time, hint int) result {
	form := url.Values{"query": {query}}
	if !at.IsZero() {
		form.Set("time", formatTime(at))
	}
	return q.do(ctx, "/api/v1/query", form, hint)
}

// span is a range of evaluation times, both ends included.
type span struct {
	start, end time.Time
	step       time.Duration
}

func (s span) points() int { return int(s.end.Sub(s.start)/s.step) + 1 }

// ranged evaluates a query at every step of a span.
func (q *querier) ranged(ctx context.Context, query string, s span) result {
	return q.do(ctx, "/api/v1/query_range", url.Values{
		"query": {query}, "start": {formatTime(s.start)}, "end": {formatTime(s.end)},
		"step": {strconv.FormatFloat(s.step.Seconds(), 'f', -1, 64)},
	}, 0)
}

func formatTime(t time.Time) string {
	return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', -1, 64)
}

// do sends one query by the method that works, GET after a refused POST.
func (q *querier) do(ctx context.Context, endpoint string, form url.Values, hint int) result {
	for k, v := range q.params.all() {
		form.Set(k, v)
	}
	form.Set("timeout", strconv.FormatFloat(q.timeout.Seconds(), 'f', -1, 64)+"s")
	start := q.clock.Now()
	method := q.method.choose()
	res := q.send(ctx, method, endpoint, form, hint)
	if method == http.MethodPost && res.fail != nil && q.method.fallBack(res.fail.code) {
		second := q.send(ctx, http.MethodGet, endpoint, form, hint)
		second.cost.Queries++
		second.cost.Bytes += res.cost.Bytes
		method, res = http.MethodGet, second
	}
	if res.fail == nil || res.fail.kind == collector.Rejected && (res.fail.code == 400 || res.fail.code == 422) {
		q.method.works(method)
	}
	res.cost.Took = max(q.clock.Now().Sub(start), 0)
	return res
}

func (q *querier) send(ctx context.Context, method, endpoint string, form url.Values, hint int) result {
	ctx, cancel := context.WithTimeout(ctx, q.timeout)
	defer cancel()
	got := &reply{q: q, hint: hint}
	client, err := q.client(got.read)
	if err != nil {
		return result{fail: q.explainError(err, q.timeout, q.maxBytes)}
	}
	req, err := newRequest(client.URL(endpoint, nil), method, form)
	if err != nil {
		return result{fail: q.explainError(err, q.timeout, q.maxBytes)}
	}
	resp, _, err := client.Do(ctx, req)
	res := result{cost: collector.Cost{Queries: 1}}
	if err != nil {
		// The reader may still be running: got must not be touched.
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		res.fail = q.explainError(err, q.timeout, q.maxBytes)
		return res
	}
	res.cost.Bytes = got.bytes
	if got.ans == nil {
		res.fail = q.explainRefusal(refusal{code: resp.StatusCode, text: "a redirect without an address"})
		return res
	}
	if res.fail = got.fail; res.fail == nil {
		res.ans = got.ans
		q.maskNotes(res.ans)
	}
	return res
}

func (q *querier) explainRefusal(r refusal) *failure {
	r.text = cut(q.secrets.Mask(strings.TrimSpace(r.text)), shownError)
	f := explainRefusal(r, q.addr.label())
	f.text = q.secrets.Mask(f.text)
	return f
}

// maskNotes takes secrets out of the warnings, and remarks about the query that
// older servers put among them.
func (q *querier) maskNotes(a *answer) {
	kept := a.warnings[:0]
	for _, w := range a.warnings {
		if !strings.HasPrefix(w, "PromQL info") {
			kept = append(kept, cut(q.secrets.Mask(w), shownNote))
		}
	}
	a.warnings = kept
}

// reply receives one answer while it comes in.
type reply struct {
	q     *querier
	hint  int
	ans   *answer
	fail  *failure
	bytes int64
}

// errEmpty says that an answer came, without a byte in it.
var errEmpty = errors.New("the answer is empty")

var errByteCap = fmt.Errorf("%w: the byte cap is reached", errTooLarge)

// read takes the body of an answer of any status.
func (r *reply) read(resp *http.Response) error {
	body := &cappedReader{r: resp.Body, left: r.q.maxBytes}
	defer func() { r.bytes = body.read }()
	if resp.StatusCode/100 != 2 {
		return r.readRefusal(resp, body)
	}
	ans, err := decode(body, r.q.in, limits{points: r.q.maxPoints, hint: r.hint})
	var syntax *syntaxError
	switch {
	case errors.As(err, &syntax):
		r.ans = &answer{}
		r.fail = r.q.notPrometheus(syntax, string(body.head), resp.Header.Get("Content-Type"))
		return nil
	case err != nil && body.read == 0 && errors.Is(body.end, io.EOF):
		return errEmpty
	case err != nil:
		return err
	}
	r.ans = ans
	if !ans.ok {
		r.fail = r.q.explainRefusal(refusal{code: resp.StatusCode, errorType: ans.errorType, text: ans.errorText, isJSON: true})
	}
	return nil
}

const (
	maxRefusal = 64 << 10 // bytes that are read of an answer that is no success
	shownError = 600      // bytes that are shown of the server's words
	shownNote  = 400
)

func (r *reply) readRefusal(resp *http.Response, body io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(body, maxRefusal))
	if err != nil {
		return err
	}
	ref := refusal{code: resp.StatusCode, wait: web.RetryAfter(resp.Header, r.q.clock.Now())}
	r.ans = &answer{}
	if a, err := decode(bytes.NewReader(raw), r.q.in, limits{points: 1000}); err == nil {
		ref.errorType, ref.text, ref.isJSON = a.errorType, a.errorText, true
	} else {
		ref.text = excerpt(raw, resp.Header.Get("Content-Type"))
	}
	r.fail = r.q.explainRefusal(ref)
	return nil
}

// excerpt is the first line of a body that is for people; of a web page, nothing.
func excerpt(raw []byte, mediaType string) string {
	text := strings.TrimSpace(string(raw))
	if strings.Contains(mediaType, "html") || strings.HasPrefix(text, "<") {
		return ""
	}
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// cappedReader ends with errByteCap when more than left bytes came, and keeps
// the beginning for error texts.
type cappedReader struct {
	r    io.Reader
	left int64
	read int64
	head []byte
	end  error // how it ended, nil before
}

func (c *cappedReader) Read(p []byte) (int, error) {
	if c.left <= 0 {
		// Exactly at the cap the stream may just as well end here.
		var one [1]byte
		if n, err := io.ReadFull(c.r, one[:]); n == 0 {
			c.end = err
			return 0, err
		}
		return 0, errByteCap
	}
	if int64(len(p)) > c.left {
		p = p[:c.left]
	}
	n, err := c.r.Read(p)
	c.left -= int64(n)
	c.read += int64(n)
	if err != nil {
		c.end = err
	}
	if room := 64 - len(c.head); room > 0 {
		c.head = append(c.head, p[:min(n, room)]...)
	}
	return n, err
}
