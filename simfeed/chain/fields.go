package chain

import (
	"strings"
	"time"

	"stormtop/simfeed/chain/draw"
	"stormtop/simfeed/chain/field"
	"stormtop/simfeed/chain/policy"
)

// The tables of fields, by the names of scenario files.
var (
	scenarioFields = field.Table[Scenario]{
		field.DurationOf("length", "of the run, 1s to 24h", MaxLength, func(s *Scenario) *time.Duration { return &s.Length }),
		field.DurationOf("every", "length of an output window, 100ms to 1h", time.Hour, func(s *Scenario) *time.Duration { return &s.Every }),
		text("watch.class", "class of the headline; none is the first", func(s *Scenario) *string { return &s.Watch.Class }),
		text("watch.service", "dependency of the headline; none is the last of the path", func(s *Scenario) *string { return &s.Watch.Service }),
		field.ShareOf("judge.tolerance", "how far the delivered share may be below the baseline", func(s *Scenario) *float64 { return &s.Judge.Tolerance }),
		field.NumberOf("judge.ratio", "how far amplification may be above the baseline, as a share of it", 0, 100, func(s *Scenario) *float64 { return &s.Judge.Ratio }),
		field.NumberOf("judge.latency", "how far the p99 may be above the baseline, as a factor; 0 is not judged", 0, 1000, func(s *Scenario) *float64 { return &s.Judge.Latency }),
		field.DurationOf("judge.settle", "time after the trigger from which windows count as long after it", time.Hour, func(s *Scenario) *time.Duration { return &s.Judge.Settle }),
	}

	classFields = field.Table[Class]{
		field.TextOf("path", "services from the edge of the system to the last dependency: gateway > order > payment",
			func(c *Class) string { return strings.Join(c.Path, " > ") },
			func(c *Class, text string) error {
				c.Path = strings.FieldsFunc(text, func(r rune) bool { return r == '>' || r == ',' || r == ' ' })
				return nil
			}),
		field.TextOf("rate", "requests a second: 2010/s, or points such as 100/s, 60s 200/s, ramp 120s 400/s",
			func(c *Class) string { return c.Rate.String() },
			func(c *Class, text string) error {
				r, err := ParseRate(text)
				if err == nil {
					c.Rate = r
				}
				return err
			}),
		field.NumberOf("factor", "multiplies the rate, 0 to 1000", 0, 1000, func(c *Class) *float64 { return &c.Factor }),
		field.SwitchOf("even", "evenly spaced arrivals, else Poisson", func(c *Class) *bool { return &c.Even }),
		field.CountOf("clients", "of a closed loop, instead of a rate", 0, MaxClients, func(c *Class) *int { return &c.Clients }),
		dist("think", "between an answer and the next request of a client", func(c *Class) *draw.Dist { return &c.Think }),
		field.SwitchOf("idempotent", "executing it twice does no harm", func(c *Class) *bool { return &c.Idempotent }),
		field.SwitchOf("key", "carries an idempotency key", func(c *Class) *bool { return &c.Key }),
	}

	serviceFields = field.Table[Service]{
		field.LimitOf("workers", "slots", 1, MaxWorkers, func(s *Service) *int { return &s.Workers }),
		field.SwitchOf("async", "slots are held for its own work only", func(s *Service) *bool { return &s.Async }),
		field.LimitOf("queue", "how many may wait for a slot", 0, MaxQueue, func(s *Service) *int { return &s.Queue }),
		field.DurationOf("queue_timeout", "of the wait for a slot; 0s is none", time.Hour, func(s *Service) *time.Duration { return &s.QueueTimeout }),
		field.ChoiceOf("discipline", "order of the queue", []Discipline{FIFO, LIFO}, func(s *Service) *Discipline { return &s.Discipline }),
		field.SwitchOf("drop_expired", "drops what nobody waits for any more when it leaves the queue", func(s *Service) *bool { return &s.DropExpired }),
		dist("time", "its own work: 180ms, exponential 5ms, lognormal p50=40ms p99=400ms", func(s *Service) *draw.Dist { return &s.Time }),
		field.NumberOf("time_factor", "multiplies the time of work that begins", 0, 10_000, func(s *Service) *float64 { return &s.TimeFactor }),
		field.NumberOf("contention", "work takes 1 + contention x (busy - from) / from times as long", 0, 1000, func(s *Service) *float64 { return &s.Contention }),
		field.CountOf("contention_from", "busy slots above which contention begins", 1, MaxWorkers, func(s *Service) *int { return &s.ContentionFrom }),
		field.ShareOf("error_rate", "share of its work that ends in an error", func(s *Service) *float64 { return &s.ErrorRate }),
		field.ShareOf("hang_rate", "share of its work that takes hang_time instead", func(s *Service) *float64 { return &s.HangRate }),
		field.DurationOf("hang_time", "how long work hangs", draw.MaxTime, func(s *Service) *time.Duration { return &s.HangTime }),
		field.DurationOf("network", "time to it, and again back", time.Minute, func(s *Service) *time.Duration { return &s.Network }),
		field.SwitchOf("down", "refuses connections", func(s *Service) *bool { return &s.Down }),
		field.RateOf("limit", "attempts a second it lets in, counted by whole seconds; 0/s is none", MaxRate, func(s *Service) *float64 { return &s.Limit }),
		field.DurationOf("retry_after", "what it says to those beyond the limit", time.Hour, func(s *Service) *time.Duration { return &s.RetryAfter }),
		field.SwitchOf("reserve", "keeps room below the limit for retries that are planned", func(s *Service) *bool { return &s.Reserve }),
		field.DurationOf("restart.down", "how long a restart takes", time.Hour, func(s *Service) *time.Duration { return &s.Restart.Down }),
		field.DurationOf("restart.cold", "how long it is cold after a restart", time.Hour, func(s *Service) *time.Duration { return &s.Restart.Cold }),
		field.NumberOf("restart.cold_factor", "multiplies the time of work while cold", 0, 10_000, func(s *Service) *float64 { return &s.Restart.ColdFactor }),
		field.ShareOf("restart.cold_workers", "share of the slots that work while cold", func(s *Service) *float64 { return &s.Restart.ColdWorkers }),
	}

	classWorkFields = field.Table[ClassWork]{
		dist("time", "own work for the class", func(c *ClassWork) *draw.Dist { return &c.Time }),
		field.ShareOf("error_rate", "share of its work that ends in an error", func(c *ClassWork) *float64 { return &c.ErrorRate }),
	}

	classPoolFields = field.Table[ClassPool]{
		field.LimitOf("workers", "slots of a pool of its own; 0 shares those of the service", 0, MaxWorkers, func(c *ClassPool) *int { return &c.Workers }),
		field.LimitOf("queue", "how many may wait for a slot of its own", 0, MaxQueue, func(c *ClassPool) *int { return &c.Queue }),
	}

	edgeFields = field.Table[Edge]{
		field.NumberOf("calls", "calls a request; a fraction is made by chance", 0, MaxFanOut, func(e *Edge) *float64 { return &e.Calls }),
		field.SwitchOf("parallel", "the calls of a request are made at once", func(e *Edge) *bool { return &e.Parallel }),
	}

	policyOfEdge  = field.Below("", policy.Fields, func(e *Edge) *policy.Policy { return &e.Policy })
	policyOfClass = field.Below("", policy.Fields, func(c *ClassPolicy) *policy.Policy { return &c.Policy })
)

func dist[T any](name, help string, at func(*T) *draw.Dist) field.Field[T] {
	return field.TextOf(name, help,
		func(t *T) string { return at(t).String() },
		func(t *T, text string) error {
			d, err := draw.ParseDist(text)
			if err == nil {
				*at(t) = d
			}
			return err
		})
}

func text(name, help string, at func(*Scenario) *string) field.Field[Scenario] {
	return field.TextOf(name, help,
		func(s *Scenario) string {
			if *at(s) == "" {
				return "none"
			}
			return *at(s)
		},
		func(s *Scenario, value string) error {
			if value == "none" {
				value = ""
			}
			*at(s) = value
			return nil
		})
}
