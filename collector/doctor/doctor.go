// Package doctor examines a server as the dashboard would use it, and says
// which systems have data there, which of their signals exist, how far the
// numbers can be relied on, and what to do about each gap.
//
// Run asks; a Report answers, as text for people (text, page) or as JSON (json,
// jsonschema; docs/doctor.md). The parts of an examination: connect looks at the
// server, system at one system there, signal at each of its signals, empty at
// those without a number, selectors at the series in a query, side at what is
// behind a side of the ratio, labels at what tells targets apart, ratio at both
// sides together, cost at what a poll costs; remedy knows what to switch on in
// which system.
package doctor

import (
	"context"
	"fmt"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

// Server is what the doctor asks; *prom.Client is one. Its errors are sentences
// for people, without credentials.
type Server interface {
	Query(ctx context.Context, promql string, at time.Time) (prom.Answer, error) // zero time: the server's now
	Clock(ctx context.Context) (drift time.Duration, err error)                  // the server's clock minus ours
	Detect(ctx context.Context) (prom.Detected, error)
	Examine(ctx context.Context, p profile.Profile) (prom.Examined, error)
	MetricType(ctx context.Context, metric string) (string, error) // "counter", "gauge", ..., "" not known
	Label() string                                                 // the server's address, without credentials
}

// Config is what the report depends on beside the server. The zero Config
// examines what is found.
type Config struct {
	At       time.Time                   // when the examination starts, by our clock; zero: no ages are told
	Tenant   string                      // the X-Scope-OrgID that is sent, or ""
	Known    []profile.Profile           // what detection looks for; nil: profile.Builtin()
	Profiles []string                    // the profiles chosen by name; nil: those that are found
	Signals  map[collector.Signal]string // queries that were named one by one
	By       []string                    // the grouping that was named; nil: the profile's
	Interval time.Duration               // time between polls as asked for; 0: the spacing of the samples
	Rate     time.Duration               // range of the rates as asked for; 0: from the spacing
}

// Run examines a server. What it cannot find out is part of the report, also
// that the server cannot be reached; the error is that of ctx alone.
func Run(ctx context.Context, s Server, cfg Config) (Report, error) {
	if cfg.Known == nil {
		cfg.Known = profile.Builtin()
	}
	d := &doctor{asker: asker{Server: s, types: map[string]string{}}, cfg: cfg}
	d.report.Server, d.report.Tenant = collector.Clean(s.Label()), collector.Clean(cfg.Tenant)
	if d.connect(ctx) {
		d.examineAll(ctx)
		d.judgePoll()
	}
	d.report.Cost = d.total
	if err := ctx.Err(); err != nil {
		return Report{}, fmt.Errorf("examining %s: %w", d.report.Server, err)
	}
	return d.report, nil
}

// doctor is one examination.
type doctor struct {
	asker
	cfg    Config
	report Report
}

// asker is the server with what asking it cost so far, and with the types that
// it told already.
type asker struct {
	Server
	types map[string]string
	total collector.Cost
}

// ask sends a query at the server's own time.
func (a *asker) ask(ctx context.Context, promql string) (prom.Answer, error) {
	ans, err := a.Query(ctx, promql, time.Time{})
	a.spend(ans.Cost)
	return ans, err
}

func (a *asker) spend(c collector.Cost) {
	a.total.Queries += c.Queries
	a.total.Bytes += c.Bytes
	a.total.Took += c.Took
}

// typeOf is a metric's type as the server's metadata has it, "" where it is not
// known: many back ends have none.
func (a *asker) typeOf(ctx context.Context, metric string) string {
	kind, known := a.types[metric]
	if !known {
		kind, _ = a.MetricType(ctx, metric)
		a.types[metric] = kind
	}
	return kind
}

// examineAll looks at every system that is judged by.
func (d *doctor) examineAll(ctx context.Context) {
	for i := range d.report.Systems {
		sys := &d.report.Systems[i]
		if sys.judged() {
			d.examine(ctx, sys)
		}
	}
	d.judgeWhole()
}

// judgeWhole says what follows from all systems together.
func (d *doctor) judgeWhole() {
	judged, paired, series := 0, false, false
	for _, sys := range d.report.Systems {
		if sys.judged() {
			judged++
		}
		paired = paired || sys.known(collector.Ingress) && sys.known(collector.Downstream) || sys.known(collector.Amplification)
		series = series || sys.anySeries()
	}
	switch {
	case judged == 0:
		d.note(Finding{Level: Gap, Topic: TopicRatio, Text: "nothing that was found is judged by itself: its ratio is a hint that needs a baseline",
			Remedy: "Choose by name: --profile=NAME, and give it a --baseline."})
	case !series:
		d.report.NoData = true
		d.note(Finding{Level: Broken, Topic: TopicData, Text: d.nothingThere(),
			Remedy: d.tenantRemedy("Export these metrics, or correct the names in the queries.")})
	case !paired:
		d.note(Finding{Level: Gap, Topic: TopicRatio, Text: "no system here has both requests and attempts, so that no amplification can be judged",
			Remedy: "Add the metrics of a proxy or client that retries, or name them: --signal ingress=PROMQL --signal downstream=PROMQL."})
	}
}

// note adds a finding about the server as a whole.
func (d *doctor) note(f Finding) { d.report.Findings = append(d.report.Findings, f.cleaned()) }
