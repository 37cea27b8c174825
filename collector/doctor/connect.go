package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

const (
	agreeing  = 2 * time.Second  // clocks that differ less are taken for the same
	tolerable = 30 * time.Second // beyond this, people compare times that are not the same
)

// connect asks for the clock and for the systems. It reports whether there is
// anything to examine.
func (d *doctor) connect(ctx context.Context) bool {
	clock := d.askClock(ctx)
	found, err := d.Detect(ctx)
	d.spend(found.Cost)
	if err != nil {
		d.report.NoData = true
		d.note(Finding{Level: Broken, Topic: TopicServer, Text: err.Error(), Remedy: connectRemedy(err)})
		return false
	}
	d.note(clock)
	if found.Thanos {
		d.report.Thanos = true
		d.note(Finding{Level: OK, Topic: TopicDedup, Text: "this is Thanos: dedup=true and max_source_resolution=0s are sent with every query"})
	}
	for _, f := range found.Found {
		d.report.Systems = append(d.report.Systems, newSystem(f))
	}
	if len(d.cfg.Signals) > 0 {
		d.ownSignals()
	}
	slices.SortStableFunc(d.report.Systems, func(a, b System) int { return int(a.Use) - int(b.Use) })
	for _, name := range d.cfg.Profiles {
		d.checkChosen(name)
	}
	if len(d.report.Systems) > 0 {
		return true
	}
	d.report.NoData = true
	d.note(Finding{Level: Broken, Topic: TopicData, Text: d.nothingFound(ctx), Remedy: d.tenantRemedy(
		"Scrape a system that stormtop knows (stormtop profiles lists them), or name your own: --signal ingress=PROMQL --signal downstream=PROMQL.")})
	return false
}

// askClock compares the clocks. That the server cannot be reached at all is for
// the next question to find out.
func (d *doctor) askClock(ctx context.Context) Finding {
	drift, err := d.Clock(ctx)
	if err != nil {
		return Finding{Level: Note, Topic: TopicClock, Text: fmt.Sprintf("the server's clock is not known: %v", err)}
	}
	d.report.Drift, d.report.DriftSeen = drift, true
	if !d.cfg.At.IsZero() {
		d.report.At = d.cfg.At.Add(drift)
	}
	f := Finding{Topic: TopicClock}
	direction := "ahead of"
	if drift < 0 {
		direction = "behind"
	}
	by := collector.FormatDuration(drift.Abs())
	switch {
	case drift.Abs() <= agreeing:
		f.Text = "the server's clock and ours agree"
	case drift.Abs() <= tolerable:
		f.Level, f.Text = Note, fmt.Sprintf("the server's clock is %s %s ours; all times are the server's", by, direction)
	default:
		f.Level, f.Text = Gap, fmt.Sprintf("the server's clock is %s %s ours; all times shown are the server's", by, direction)
		f.Remedy = "Let both machines set their clocks by NTP, and look at which one is wrong with date -u."
	}
	return f
}

// ownSignals puts the signals that were named one by one where they will be
// judged: over the first profile that is, else as a system of their own.
func (d *doctor) ownSignals() {
	if len(d.cfg.Profiles) > 0 {
		return // the profile's queries are replaced when it is examined
	}
	for i := range d.report.Systems {
		if sys := &d.report.Systems[i]; sys.judged() {
			sys.Use = prom.Offered // queries that are named take the place of what is found
		}
	}
	p := profile.Profile{Title: "the signals named with --signal", By: d.cfg.By, Kind: collector.Hop, Trust: collector.Exact, Signals: d.cfg.Signals}
	d.report.Systems = append(d.report.Systems, newSystem(prom.Found{Profile: p}))
}

// checkChosen says when a profile that was chosen by name has no data.
func (d *doctor) checkChosen(name string) {
	if slices.ContainsFunc(d.report.Systems, func(s System) bool { return s.profile.Name == name }) {
		return
	}
	looked := "its metrics"
	for _, p := range d.cfg.Known {
		if p.Name == name {
			looked = p.LooksFor
		}
	}
	d.note(Finding{Level: Broken, Topic: TopicData, Text: fmt.Sprintf("%s was chosen, but has no data here: there is no %s%s", name, looked, d.forTenant()),
		Remedy: enable(name, collector.NoSignal, looked)})
}

// nothingFound distinguishes an empty server, or tenant, from one that holds
// other things.
func (d *doctor) nothingFound(ctx context.Context) string {
	if ans, err := d.ask(ctx, "count(up)"); err == nil && count(ans) == 0 {
		return fmt.Sprintf("connected, but there is nothing at all here%s, not even the metric up", d.forTenant())
	}
	return fmt.Sprintf("connected, but none of the %d known systems has data here%s", len(d.cfg.Known), d.forTenant())
}

func (d *doctor) nothingThere() string {
	if n := len(d.cfg.Signals); n > 0 {
		return fmt.Sprintf("connected, but none of the %d configured signals has any series here%s", n, d.forTenant())
	}
	return "connected, but no signal has any series here" + d.forTenant()
}

func (d *doctor) forTenant() string {
	if d.cfg.Tenant == "" {
		return ""
	}
	return fmt.Sprintf(" for tenant %q", collector.Clean(d.cfg.Tenant))
}

// tenantRemedy puts the tenant in front of another remedy: a wrong one looks
// like empty data.
func (d *doctor) tenantRemedy(or string) string {
	if d.cfg.Tenant == "" {
		return or + " On a server with tenants, name yours: --prom.header=X-Scope-OrgID=TENANT."
	}
	return "Check the tenant's name in X-Scope-OrgID first. " + or
}

// connectRemedy is what to do about an error of the very first queries.
func connectRemedy(err error) string {
	kind := collector.NoFailure
	var refused *prom.Refused
	if errors.As(err, &refused) {
		kind = refused.Kind
	}
	text := strings.ToLower(err.Error())
	switch {
	case strings.Contains(text, "no org id"), strings.Contains(text, "tenant"):
		return "Name the tenant: --prom.header=X-Scope-OrgID=TENANT."
	case kind == collector.Forbidden:
		return "Give the credentials in --prom.http-config=FILE."
	case kind == collector.RateLimited:
		return "Wait as long as the server asks, then run the doctor again."
	case kind == collector.TimedOut:
		return "Ask again when the server is less busy, or ask a query frontend beside it."
	case kind == collector.Rejected:
		return "Check the query that the server quotes, and whether the address is that of its query API."
	}
	return "Check the address in --prom=URL, with its path, and that the server answers from this machine."
}
