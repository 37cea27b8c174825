package lab

import (
	"fmt"
	"time"

	"stormtop/collector"
)

// Jitter says how the wait before a retry is spread.
type Jitter uint8

// The kinds of jitter.
const (
	NoJitter   Jitter = iota // the whole backoff
	FullJitter               // uniform from 0 to below the backoff
)

// String is the name used in flags and JSON.
func (j Jitter) String() string {
	switch j {
	case NoJitter:
		return "none"
	case FullJitter:
		return "full"
	}
	return fmt.Sprintf("Jitter(%d)", uint8(j))
}

// ParseJitter finds a kind of jitter by its String name.
func ParseJitter(name string) (Jitter, error) {
	switch name {
	case "none":
		return NoJitter, nil
	case "full":
		return FullJitter, nil
	}
	return NoJitter, fmt.Errorf("unknown jitter %s: it is none or full", collector.Quote(name))
}

// ServiceTime is how long an attempt takes that succeeds.
const ServiceTime = 200 * time.Millisecond

// BreakerOpen is how long an open breaker refuses, in seconds.
const BreakerOpen = 5

// The bounds of a Config, far beyond what the model is made for.
const (
	MaxSeconds  = 24 * 60 * 60
	MaxRetries  = 30
	MaxRequests = 2_000_000_000 // clients x seconds
	MaxBase     = time.Hour
	MaxDeadline = time.Hour

	maxBudgetPct = 1_000_000
)

// Config is one run of the lab: the script and the strategy. Seconds are
// virtual and counted from 0.
type Config struct {
	// The script.
	Clients    int   // requests a second, 1 or more
	Seconds    int   // length of the run, 1 to MaxSeconds
	Capacity   int   // attempts a second that can succeed, 1 or more
	OutageFrom int   // first second of the total outage
	OutageTo   int   // first second after it; equal to OutageFrom for no outage
	Seed       int64 // any number

	// The strategy.
	Retries          int           // attempts after the first one, 0 to MaxRetries
	Base             time.Duration // backoff before the first retry, doubled for each further one; whole milliseconds
	Jitter           Jitter        // how the backoff is spread
	BudgetPct        float64       // retries a second permitted, in percent of Capacity; 100 and more is no budget
	Deadline         time.Duration // total wait after which a request is given up; whole milliseconds
	Breaker          bool          // refuse attempts for BreakerOpen seconds after too many failures
	BreakerThreshold int           // failures in a row that the breaker tolerates
}

// Outage reports whether the run has an outage.
func (c Config) Outage() bool { return c.OutageTo > c.OutageFrom }

// Attempts is the number of attempts permitted, the first one included.
func (c Config) Attempts() int { return c.Retries + 1 }

// ConfigError says what makes a Config impossible to run.
type ConfigError struct {
	Field string // as the flag is named: "clients", "breaker-threshold"
	Text  string // what is wrong and what would be right, without the field's name
}

// Error is the whole sentence.
func (e *ConfigError) Error() string { return e.Field + " " + e.Text }

// Validate says what makes the configuration impossible to run (a
// *ConfigError), or returns nil.
func (c Config) Validate() error {
	bad := func(field, format string, args ...any) error {
		return &ConfigError{Field: field, Text: fmt.Sprintf(format, args...)}
	}
	switch {
	case c.Clients < 1:
		return bad("clients", "is %d: it must be 1 or more", c.Clients)
	case c.Seconds < 1 || c.Seconds > MaxSeconds:
		return bad("duration", "is %ds: it must be from 1s to %dh", c.Seconds, MaxSeconds/3600)
	case c.Clients > MaxRequests/c.Seconds:
		return bad("clients", "is %d for %ds: more than %d requests in all; use fewer clients or a shorter duration", c.Clients, c.Seconds, MaxRequests)
	case c.Capacity < 1 || c.Capacity > MaxRequests:
		return bad("capacity", "is %d: it must be from 1 to %d attempts/s", c.Capacity, MaxRequests)
	case c.OutageFrom < 0 || c.OutageTo < c.OutageFrom:
		return bad("outage", "is %ds..%ds: it must begin before it ends", c.OutageFrom, c.OutageTo)
	case c.OutageTo > c.Seconds:
		return bad("outage", "is %ds..%ds: it must end within the duration of %ds", c.OutageFrom, c.OutageTo, c.Seconds)
	case c.Retries < 0 || c.Retries > MaxRetries:
		return bad("retries", "is %d: it must be from 0 to %d", c.Retries, MaxRetries)
	case c.Base < 0 || c.Base > MaxBase || c.Base%time.Millisecond != 0:
		return bad("base", "is %s: it must be whole milliseconds from 0s to %s", collector.FormatInterval(c.Base), collector.FormatInterval(MaxBase))
	case c.Jitter > FullJitter:
		return bad("jitter", "is %v: it must be none or full", c.Jitter)
	case !(c.BudgetPct >= 0 && c.BudgetPct <= maxBudgetPct):
		return bad("budget", "is %v%%: it must be from 0%% to %d%%, and 100%% or more is no budget", c.BudgetPct, maxBudgetPct)
	case c.Deadline < 0 || c.Deadline > MaxDeadline || c.Deadline%time.Millisecond != 0:
		return bad("deadline", "is %s: it must be whole milliseconds from 0s to %s", collector.FormatInterval(c.Deadline), collector.FormatInterval(MaxDeadline))
	case c.BreakerThreshold < 0:
		return bad("breaker-threshold", "is %d: it must be 0 or more", c.BreakerThreshold)
	}
	return nil
}
