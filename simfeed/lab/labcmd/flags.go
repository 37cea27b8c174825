package labcmd

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"stormtop/collector"
	"stormtop/simfeed/lab"
)

// options are the flags of the verb. A parameter changes the configuration of
// every chosen strategy, and only when it was given.
type options struct {
	flags      *pflag.FlagSet
	format     string
	strategies []lab.Strategy
	seeds      []int64
	parameters []parameter
}

// parameter is a flag that changes a Config.
type parameter struct {
	flag  string
	apply func(*lab.Config)
}

func newOptions() *options {
	o := &options{flags: pflag.NewFlagSet("lab", pflag.ContinueOnError), strategies: lab.Strategies(), seeds: []int64{lab.DefaultSeed}}
	f := o.flags
	f.SortFlags = false
	f.Usage = func() {}
	add := func(name, kind, usage string, set func(string) error) {
		f.Var(&value{kind: kind, set: set}, name, usage)
	}
	change := func(name string, apply func(*lab.Config)) {
		o.parameters = append(o.parameters, parameter{name, apply})
	}

	f.StringVar(&o.format, "format", "text", "`text`, json or csv")
	add("strategy", "list", "strategies or controls, as S1,S3 or S1..S6 (default all, and the controls)", func(s string) (err error) {
		o.strategies, err = lab.ParseStrategies(s)
		return err
	})
	add("seeds", "list", "seeds of the random numbers, as 4242,1: every chosen strategy for each seed", func(s string) (err error) {
		o.seeds, err = parseSeeds(s)
		return err
	})

	count := func(name, usage string, field func(*lab.Config) *int) {
		n := 0
		add(name, "number", usage, func(s string) (err error) { n, err = parseCount(s); return err })
		change(name, func(c *lab.Config) { *field(c) = n })
	}
	span := func(name, usage string, apply func(*lab.Config, time.Duration)) {
		d := time.Duration(0)
		add(name, "time", usage, func(s string) (err error) { d, err = parseTime(s); return err })
		change(name, func(c *lab.Config) { apply(c, d) })
	}
	count("clients", "clients, each asking once a second", func(c *lab.Config) *int { return &c.Clients })
	var seconds, from, to int
	add("duration", "time", "length of the run, as 60s", func(s string) (err error) { seconds, err = parseSeconds(s); return err })
	change("duration", func(c *lab.Config) { c.Seconds = seconds })
	count("capacity", "attempts a second that can be served", func(c *lab.Config) *int { return &c.Capacity })
	add("outage", "from..to", "total outage, as 20s..26s (26s is the first second after it), or none", func(s string) (err error) {
		from, to, err = parseOutage(s)
		return err
	})
	change("outage", func(c *lab.Config) { c.OutageFrom, c.OutageTo = from, to })
	count("retries", "retries of a request; attempts are one more", func(c *lab.Config) *int { return &c.Retries })
	span("base", "backoff before the first retry, as 500ms; doubled for each further one", func(c *lab.Config, d time.Duration) { c.Base = d })
	jitter := lab.NoJitter
	add("jitter", "kind", "none, or full: uniform from 0 to the backoff", func(s string) (err error) { jitter, err = lab.ParseJitter(s); return err })
	change("jitter", func(c *lab.Config) { c.Jitter = jitter })
	percent := 0.0
	add("budget", "percent", "retries permitted a second, in percent of the capacity; 100% is no budget", func(s string) (err error) {
		percent, err = parsePercent(s)
		return err
	})
	change("budget", func(c *lab.Config) { c.BudgetPct = percent })
	span("deadline", "total wait after which a request is given up, as 3s", func(c *lab.Config, d time.Duration) { c.Deadline = d })
	breaker := f.Bool("breaker", false, "use a circuit breaker; --breaker=false takes it away")
	change("breaker", func(c *lab.Config) { c.Breaker = *breaker })
	count("breaker-threshold", "failures in a row that the breaker tolerates", func(c *lab.Config) *int { return &c.BreakerThreshold })
	return o
}

// plan turns parsed flags into runs.
func (o *options) plan() (plan, error) {
	if !slices.Contains([]string{"text", "json", "csv"}, o.format) {
		return plan{}, fmt.Errorf("--format: unknown format %q: it is text, json or csv", collector.Clean(o.format))
	}
	changed := false
	for i := range o.strategies {
		c := &o.strategies[i].Config
		for _, p := range o.parameters {
			if o.flags.Changed(p.flag) {
				p.apply(c)
				changed = true
			}
		}
		if err := c.Validate(); err != nil {
			var bad *lab.ConfigError
			if errors.As(err, &bad) {
				err = fmt.Errorf("--%s %s", bad.Field, bad.Text)
			}
			return plan{}, fmt.Errorf("strategy %s: %w", o.strategies[i].ID, err)
		}
	}
	p := plan{format: o.format, chosen: o.strategies}
	if !changed && !o.flags.Changed("strategy") && !o.flags.Changed("seeds") {
		p.published, p.runs = true, lab.Published()
		return p, nil
	}
	p.runs = lab.WithSeeds(o.strategies, o.seeds)
	return p, nil
}
