package field

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
)

// Unlimited is the text of a limit that is none, and NoLimit its value.
const (
	Unlimited = "unlimited"
	NoLimit   = -1
)

func access[N int | time.Duration | float64](p *N, whole bool) *float64Access {
	return &float64Access{
		get: func() (float64, bool) { return float64(*p), true },
		set: func(n float64) {
			if whole {
				n = math.Round(n)
			}
			*p = N(n)
		},
	}
}

// DurationOf is a duration from 0 to a maximum.
func DurationOf[T any](name, help string, longest time.Duration, at func(*T) *time.Duration) Field[T] {
	return Field[T]{
		Info: Info{Name: name, Kind: Duration, Help: help, Max: float64(longest)},
		get:  func(t *T) string { return collector.FormatInterval(*at(t)) },
		set: func(t *T, text string) error {
			if strings.HasPrefix(text, "-") {
				return fmt.Errorf("%s is negative: it must be from 0s to %s", collector.Quote(text), collector.FormatInterval(longest))
			}
			d, err := collector.ParseDuration(text)
			if err == nil && d > longest {
				err = fmt.Errorf("%s is too long: it must be from 0s to %s", collector.Quote(text), collector.FormatInterval(longest))
			}
			if err == nil {
				*at(t) = d
			}
			return err
		},
		number: func(t *T) *float64Access { return access(at(t), true) },
	}
}

// CountOf is a whole number within a range.
func CountOf[T any](name, help string, low, high int, at func(*T) *int) Field[T] {
	return Field[T]{
		Info: Info{Name: name, Kind: Count, Help: help, Min: float64(low), Max: float64(high)},
		get:  func(t *T) string { return strconv.Itoa(*at(t)) },
		set: func(t *T, text string) error {
			n, err := strconv.Atoi(text)
			if err != nil || n < low || n > high {
				return fmt.Errorf("%s: give a whole number from %d to %d", collector.Quote(text), low, high)
			}
			*at(t) = n
			return nil
		},
		number: func(t *T) *float64Access { return access(at(t), true) },
	}
}

// LimitOf is a whole number within a range, or unlimited (NoLimit).
func LimitOf[T any](name, help string, low, high int, at func(*T) *int) Field[T] {
	return Field[T]{
		Info: Info{Name: name, Kind: Limit, Help: help, Min: float64(low), Max: float64(high)},
		get: func(t *T) string {
			if n := *at(t); n != NoLimit {
				return strconv.Itoa(n)
			}
			return Unlimited
		},
		set: func(t *T, text string) error {
			n, err := NoLimit, error(nil)
			if text != Unlimited {
				n, err = strconv.Atoi(text)
				if err != nil || n < low || n > high {
					return fmt.Errorf("%s: give a whole number from %d to %d, or %s", collector.Quote(text), low, high, Unlimited)
				}
			}
			*at(t) = n
			return nil
		},
		number: func(t *T) *float64Access {
			a := access(at(t), true)
			a.get = func() (float64, bool) { return float64(*at(t)), *at(t) != NoLimit }
			return a
		},
	}
}

func number[T any](info Info, format func(float64) string, parse func(string) (float64, error), at func(*T) *float64) Field[T] {
	return Field[T]{
		Info: info,
		get:  func(t *T) string { return format(*at(t)) },
		set: func(t *T, text string) error {
			n, err := parse(text)
			if err != nil || !(n >= info.Min && n <= info.Max) {
				return fmt.Errorf("%s: give a number from %s to %s", collector.Quote(text), format(info.Min), format(info.Max))
			}
			*at(t) = n
			return nil
		},
		number: func(t *T) *float64Access { return access(at(t), false) },
	}
}

func formatFloat(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

func parseFloat(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// NumberOf is a number within a range.
func NumberOf[T any](name, help string, low, high float64, at func(*T) *float64) Field[T] {
	return number(Info{Name: name, Kind: Number, Help: help, Min: low, Max: high}, formatFloat, parseFloat, at)
}

// ShareOf is a fraction from 0 to 1, which may be written in percent.
func ShareOf[T any](name, help string, at func(*T) *float64) Field[T] {
	return PartOf(name, help, 1, at)
}

// PartOf is a fraction from 0 to a maximum that may be above 1; it may be
// written in percent.
func PartOf[T any](name, help string, high float64, at func(*T) *float64) Field[T] {
	return number(Info{Name: name, Kind: Share, Help: help, Max: high}, formatFloat, func(text string) (float64, error) {
		if digits, ok := strings.CutSuffix(text, "%"); ok {
			n, err := parseFloat(strings.TrimSpace(digits))
			return n / 100, err
		}
		return parseFloat(text)
	}, at)
}

// FormatRate is the text of a rate: "2010/s".
func FormatRate(perSecond float64) string { return formatFloat(perSecond) + "/s" }

// ParseRate reads the text of a rate, of which the "/s" must be there.
func ParseRate(text string) (float64, error) {
	digits, ok := strings.CutSuffix(text, "/s")
	n, err := parseFloat(strings.TrimSpace(digits))
	if !ok || err != nil || math.IsNaN(n) {
		return 0, fmt.Errorf("%s is no rate: write it like 2010/s", collector.Quote(text))
	}
	return n, nil
}

// RateOf is a rate from 0 to a maximum.
func RateOf[T any](name, help string, high float64, at func(*T) *float64) Field[T] {
	return number(Info{Name: name, Kind: Rate, Help: help, Max: high}, FormatRate, ParseRate, at)
}

// SwitchOf is on or off; true and false are read, too.
func SwitchOf[T any](name, help string, at func(*T) *bool) Field[T] {
	return Field[T]{
		Info: Info{Name: name, Kind: Switch, Help: help, Choices: []string{"on", "off"}},
		get: func(t *T) string {
			if *at(t) {
				return "on"
			}
			return "off"
		},
		set: func(t *T, text string) error {
			switch text {
			case "on", "true", "yes":
				*at(t) = true
			case "off", "false", "no":
				*at(t) = false
			default:
				return fmt.Errorf("%s: give on or off", collector.Quote(text))
			}
			return nil
		},
	}
}

// ChoiceOf is one value of a small enumeration, by its String.
func ChoiceOf[T any, E interface {
	comparable
	fmt.Stringer
}](name, help string, all []E, at func(*T) *E) Field[T] {
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.String()
	}
	return Field[T]{
		Info: Info{Name: name, Kind: Choice, Help: help, Choices: names},
		get:  func(t *T) string { return (*at(t)).String() },
		set: func(t *T, text string) error {
			for i, n := range names {
				if n == text {
					*at(t) = all[i]
					return nil
				}
			}
			return fmt.Errorf("%s: give one of %s", collector.Quote(text), strings.Join(names, ", "))
		},
	}
}

// TextOf is a value with a form of its own.
func TextOf[T any](name, help string, get func(*T) string, set func(*T, string) error) Field[T] {
	return Field[T]{Info: Info{Name: name, Kind: Text, Help: help}, get: get, set: set}
}

// Below is the fields of an inner value under a prefix: "budget." and so on.
func Below[T, Inner any](prefix string, table Table[Inner], at func(*T) *Inner) Table[T] {
	out := make(Table[T], 0, len(table))
	for _, f := range table {
		g := Field[T]{Info: f.Info}
		g.Name = prefix + f.Name
		g.get = func(t *T) string { return f.get(at(t)) }
		g.set = func(t *T, text string) error { return f.set(at(t), text) }
		if f.number != nil {
			g.number = func(t *T) *float64Access { return f.number(at(t)) }
		}
		out = append(out, g)
	}
	return out
}
