package prom

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// Client asks a Prometheus single questions, one at a time; a Source polls it.
type Client struct {
	s *Source
}

// Dial checks a configuration as Open does and makes a client. Nothing is sent.
func Dial(cfg Config) (*Client, []string, error) {
	s, notes, err := Open(cfg)
	if err != nil {
		return nil, nil, err
	}
	return &Client{s}, notes, nil
}

// Answer is what a server says to one query.
type Answer struct {
	Samples  []Sample
	Warnings []string // the server's words, cleaned
	Cost     collector.Cost
}

// Sample is one number with its labels. V may be NaN or an infinity.
type Sample struct {
	Labels []collector.Label
	At     time.Time
	V      float64
}

// Refused is the error of a server that could not be asked, or would not answer.
type Refused struct {
	Kind collector.FailureKind
	Text string // one sentence, cleaned, without credentials
}

func (e *Refused) Error() string { return e.Text }

func refused(f *failure) error { return &Refused{f.kind, f.text} }

// Label is the address of the server, cleaned and without credentials.
func (c *Client) Label() string { return collector.Clean(c.s.q.addr.label()) }

// Tenant is the X-Scope-OrgID that is sent, or "".
func (c *Client) Tenant() string { return c.s.tenantID() }

// Known are the profiles that detection looks for: all that are known, and those
// that were named.
func (c *Client) Known() []profile.Profile {
	out := slices.Clone(c.s.cfg.Known)
	for _, p := range c.s.cfg.Profiles {
		if !slices.ContainsFunc(out, func(o profile.Profile) bool { return o.Name == p.Name }) {
			out = append(out, p)
		}
	}
	return out
}

// Query evaluates an expression at one time; the zero time is the server's now.
// An error is a *Refused, or that of the context.
func (c *Client) Query(ctx context.Context, promql string, at time.Time) (Answer, error) {
	res := c.s.q.instant(ctx, promql, at, 0)
	if err := c.failed(ctx, res.fail); err != nil {
		return Answer{Cost: res.cost}, err
	}
	out := Answer{Warnings: res.ans.warnings, Cost: res.cost}
	for _, se := range res.ans.series {
		p := res.ans.points[se.end-1]
		out.Samples = append(out.Samples, Sample{Labels: se.labels.labels, At: time.UnixMilli(p.t).UTC(), V: p.v})
	}
	return out, nil
}

func (c *Client) failed(ctx context.Context, f *failure) error {
	switch {
	case f == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("asking %s: %w", c.Label(), ctx.Err())
	}
	return refused(f)
}

// Clock is how far the server's clock is before this machine's.
func (c *Client) Clock(ctx context.Context) (time.Duration, error) {
	r := &collector.Reading{}
	if err := c.failed(ctx, c.s.connect(ctx, r)); err != nil {
		return 0, err
	}
	c.s.greet(ctx, r)
	c.s.connected = true
	return c.s.drift, nil
}

// Use is what a source makes of a profile that has data.
type Use uint8

// The uses of a profile.
const (
	Judged     Use = iota // its ratio is judged
	Companion             // it measures pools and queues beside a ratio
	Offered               // it is shown by key only
	Superseded            // another profile knows the same series better
)

var useNames = [...]string{Judged: "judged", Companion: "companion", Offered: "offered", Superseded: "superseded"}

// String is the word used in text and JSON.
func (u Use) String() string {
	if int(u) < len(useNames) {
		return useNames[u]
	}
	return fmt.Sprintf("Use(%d)", uint8(u))
}

// Found is a profile that has data on a server.
type Found struct {
	Profile  profile.Profile
	Evidence float64 // what its detection query returned, usually a number of series
	Use      Use
	By       string // the profile that supersedes it
}

// Detected is what was found on a server, in the order in which it is used.
type Detected struct {
	Found  []Found
	Cost   collector.Cost
	Thanos bool // the server is a Thanos: it is sent dedup and the resolution
}

// Detect looks which of the known profiles have data. Finding none is no error.
func (c *Client) Detect(ctx context.Context) (Detected, error) {
	list := c.s.cfg.Known
	if len(c.s.cfg.Profiles) > 0 {
		list = c.s.cfg.Profiles
	}
	r := &collector.Reading{}
	counts, fail := c.s.detectAll(ctx, r, list)
	out := Detected{Cost: r.Cost, Thanos: c.s.thanos}
	if err := c.failed(ctx, fail); err != nil {
		return out, err
	}
	found := withData(list, counts)
	add := func(list []profile.Profile, use func(profile.Profile) Use) {
		for _, p := range list {
			out.Found = append(out.Found, Found{p, counts[p.Name], use(p), profile.SupersededBy(p, found)})
		}
	}
	judged, offered := profile.Choose(found)
	add(judged, func(p profile.Profile) Use {
		if p.Rated() {
			return Judged
		}
		return Companion
	})
	add(offered, func(profile.Profile) Use { return Offered })
	for _, p := range found {
		if profile.SupersededBy(p, found) != "" {
			add([]profile.Profile{p}, func(profile.Profile) Use { return Superseded })
		}
	}
	return out, nil
}

// Examine finds out what the series of a profile look like: how often samples
// come, what is there twice, which labels are missing.
func (c *Client) Examine(ctx context.Context, p profile.Profile) (Examined, error) {
	plan, err := signalsPlan(c.s.cfg, &p)
	if err != nil {
		return Examined{}, err
	}
	r := &collector.Reading{}
	sys := &system{plan: plan}
	c.s.systems = []*system{sys}
	c.s.adapt(ctx, sys, r)
	out := sys.facts
	for i := range out.Sides {
		if sel := out.Sides[i].Selector; sel != "" {
			c.examineSide(ctx, &out.Sides[i], r)
		}
	}
	c.s.spacing = max(out.Sides[0].Spacing, out.Sides[1].Spacing)
	out.Rate = c.s.rate()
	out.Queries = map[collector.Signal]string{}
	for _, s := range collector.Signals() {
		if sys.plan.Has(s) {
			out.Queries[s] = sys.plan.query(s, out.Rate)
		}
	}
	if err := ctx.Err(); err != nil {
		return out, fmt.Errorf("asking %s: %w", c.Label(), err)
	}
	return out, nil
}

func (c *Client) examineSide(ctx context.Context, side *Side, r *collector.Reading) {
	side.Spacing = c.s.observeSpacing(ctx, side.Selector, r)
	one := func(query string) (float64, bool) {
		res := c.s.q.instant(ctx, query, time.Time{}, 1)
		if res.fail != nil || len(res.ans.points) == 0 || math.IsNaN(res.ans.points[0].v) {
			return 0, false
		}
		return res.ans.points[0].v, true
	}
	if v, ok := one("max(timestamp(" + side.Selector + "))"); ok && v > 0 && v < 1e11 {
		side.Newest = time.UnixMilli(int64(v * 1000)).UTC()
	}
	if v, ok := one(fmt.Sprintf("quantile_over_time(0.5, (count(count by (instance) (%s)))[1h:5m])", side.Selector)); ok {
		side.Usual = int(math.Round(v))
	}
}

// MetricType is what the server knows of a metric: "counter", "gauge" and so
// on, "" where it does not say.
func (c *Client) MetricType(ctx context.Context, metric string) (string, error) {
	var body struct {
		Data map[string][]struct {
			Type string `json:"type"`
		} `json:"data"`
	}
	err := c.getJSON(ctx, "/api/v1/metadata", url.Values{"metric": {metric}}, &body)
	if err != nil {
		return "", err
	}
	for _, m := range body.Data[metric] {
		if m.Type != "" && m.Type != "unknown" {
			return collector.Clean(m.Type), nil
		}
	}
	return "", nil
}

// getJSON reads an endpoint that is no query.
func (c *Client) getJSON(ctx context.Context, endpoint string, form url.Values, into any) error {
	q := c.s.q
	for k, v := range q.params.all() {
		form.Set(k, v)
	}
	ctx, cancel := context.WithTimeout(ctx, q.timeout)
	defer cancel()
	var raw []byte
	var status int
	client, err := q.client(func(resp *http.Response) error {
		status = resp.StatusCode
		var err error
		raw, err = io.ReadAll(io.LimitReader(resp.Body, q.maxBytes))
		return err
	})
	if err != nil {
		return refused(q.explainError(err, q.timeout, q.maxBytes))
	}
	req, err := newRequest(client.URL(endpoint, nil), http.MethodGet, form)
	if err != nil {
		return refused(q.explainError(err, q.timeout, q.maxBytes))
	}
	if _, _, err := client.Do(ctx, req); err != nil {
		return refused(q.explainError(err, q.timeout, q.maxBytes))
	}
	if status/100 != 2 {
		return refused(q.explainRefusal(refusal{code: status}))
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(raw, into); errors.As(err, &syntax) {
		return &Refused{collector.NotPrometheus, fmt.Sprintf("%s did not answer with JSON at %s", c.Label(), endpoint)}
	} else if err != nil {
		return fmt.Errorf("reading %s of %s: %w", endpoint, c.Label(), err)
	}
	return nil
}
