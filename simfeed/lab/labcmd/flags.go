package labcmd

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/lab"
)

// options are the flags of the verb. A parameter changes the configuration of
// every chosen strategy, and only when it was given.
type options struct {
	flags      *pflag.FlagSet
	names      []string
	given      []given // in the order of the command line
	format     string
	strategies []lab.Strategy
	seeds      []int64
	parameters []parameter
}

// given is a flag as it was written. It is parsed when all are there, so that
// all errors come at once.
type given struct {
	flag, text string
	parse      func(string) error
}

// parameter is a flag that changes a Config.
type parameter struct {
	flag  string
	apply func(*lab.Config)
}

// rawFlag is a pflag.Value that only notes what was written. It shows no
// default: where it is not given, the strategy's own counts.
type rawFlag struct {
	options   *options
	name, arg string
	def       string
	parse     func(string) error
}

func (f rawFlag) String() string { return f.def }
func (f rawFlag) Type() string   { return f.arg }
func (f rawFlag) Set(text string) error {
	f.options.given = append(f.options.given, given{f.name, strings.TrimSpace(text), f.parse})
	return nil
}

func newOptions() *options {
	o := &options{flags: pflag.NewFlagSet("lab", pflag.ContinueOnError), format: "text", strategies: lab.Strategies(), seeds: []int64{lab.DefaultSeed}}
	o.flags.SortFlags = false
	o.flags.Usage = func() {}
	o.chooseWhat()
	o.changeScript()
	o.changeStrategy()
	return o
}

func (o *options) chooseWhat() {
	o.add("format", "text|json|csv", "text", "of the results", func(s string) (err error) {
		o.format, err = usage.OneOf("text", "json", "csv")(s)
		return err
	})
	o.add("strategy", "LIST", "", "strategies or controls, as S1,S3 or S1..S6 (default all, and the controls)", func(s string) (err error) {
		o.strategies, err = lab.ParseStrategies(s)
		return err
	})
	o.add("seeds", "LIST", "", "seeds of the random numbers, as 4242,1: every chosen strategy for each seed", func(s string) (err error) {
		o.seeds, err = parseSeeds(s)
		return err
	})
}

func (o *options) changeScript() {
	param(o, "clients", "N", "clients, each asking once a second", parseCount, func(c *lab.Config, n int) { c.Clients = n })
	param(o, "duration", "DURATION", "length of the run, as 60s", parseSeconds, func(c *lab.Config, n int) { c.Seconds = n })
	param(o, "capacity", "N", "attempts a second that can be served", parseCount, func(c *lab.Config, n int) { c.Capacity = n })
	param(o, "outage", "FROM..TO", "total outage, as 20s..26s (26s is the first second after it), or none", func(s string) (out [2]int, err error) {
		out[0], out[1], err = parseOutage(s)
		return out, err
	}, func(c *lab.Config, at [2]int) { c.OutageFrom, c.OutageTo = at[0], at[1] })
}

func (o *options) changeStrategy() {
	param(o, "retries", "N", "retries of a request; attempts are one more", parseCount, func(c *lab.Config, n int) { c.Retries = n })
	param(o, "base", "DURATION", "backoff before the first retry, as 500ms; doubled for each further one",
		collector.ParseDuration, func(c *lab.Config, d time.Duration) { c.Base = d })
	param(o, "jitter", "none|full", "of the backoff; full is uniform from 0 to it", func(s string) (lab.Jitter, error) {
		word, err := usage.OneOf("none", "full")(s)
		if err != nil {
			return lab.NoJitter, err
		}
		return lab.ParseJitter(word)
	}, func(c *lab.Config, j lab.Jitter) { c.Jitter = j })
	param(o, "budget", "PERCENT", "retries permitted a second, in percent of the capacity; 100% is no budget",
		parsePercent, func(c *lab.Config, f float64) { c.BudgetPct = f })
	param(o, "deadline", "DURATION", "total wait after which a request is given up, as 3s",
		collector.ParseDuration, func(c *lab.Config, d time.Duration) { c.Deadline = d })
	param(o, "breaker", "bool", "use a circuit breaker; --breaker=false takes it away",
		usage.Switch, func(c *lab.Config, on bool) { c.Breaker = on })
	o.flags.Lookup("breaker").NoOptDefVal = "true"
	param(o, "breaker-threshold", "N", "failures in a row that the breaker tolerates", parseCount, func(c *lab.Config, n int) { c.BreakerThreshold = n })
}

func (o *options) add(name, arg, def, help string, parse func(string) error) {
	o.names = append(o.names, name)
	o.flags.Var(rawFlag{o, name, arg, def, parse}, name, help)
}

// param adds a flag whose value changes a Config.
func param[T any](o *options, name, arg, help string, parse func(string) (T, error), apply func(*lab.Config, T)) {
	var v T
	o.add(name, arg, "", help, func(s string) (err error) {
		v, err = parse(s)
		return err
	})
	o.parameters = append(o.parameters, parameter{name, func(c *lab.Config) { apply(c, v) }})
}

// read parses what was written on the command line.
func (o *options) read() error {
	var wrong []error
	for _, g := range o.given {
		if err := g.parse(g.text); err != nil {
			wrong = append(wrong, fmt.Errorf("--%s %w", g.flag, err))
		}
	}
	return errors.Join(wrong...)
}

// plan turns parsed flags into runs.
func (o *options) plan() (plan, error) {
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
