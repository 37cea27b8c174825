package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// truth is what is known of one target.
type truth struct {
	profile, target string // profile "" for the total
	signals         map[string]expected
}

// expected is a number within a share of itself, or a state without a number.
type expected struct {
	state         string
	value, within float64
}

// number reports whether it is one.
func (e expected) number() bool { return e.state == "ok" || e.state == "stale" || e.state == "partial" }

// usualTolerance is that of a number that names none.
const usualTolerance = 0.001

// truth reads "name signal=value ...", the name quoted where it holds blanks,
// and without a name for the total.
func (r *shapeReader) truth(word, rest string) error {
	out := truth{target: "total", signals: map[string]expected{}}
	if word == "target" {
		out.profile = r.profile
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			out.target, _ = strconv.Unquote(quoted)
			rest = rest[len(quoted):]
		} else {
			out.target, rest, _ = strings.Cut(rest, " ")
		}
		if out.profile == "" || out.target == "" {
			return errors.New("a target has a name and belongs to a profile that is found before")
		}
	}
	for _, field := range strings.Fields(rest) {
		signal, text, _ := strings.Cut(field, "=")
		e, err := parseExpected(text)
		if err != nil {
			return fmt.Errorf("%s: want signal=number, signal=number~5%% or signal=state: %w", field, err)
		}
		out.signals[signal] = e
	}
	r.truths = append(r.truths, out)
	return nil
}

func parseExpected(text string) (expected, error) {
	switch text {
	case "idle", "infinite", "missing", "failed":
		return expected{state: text}, nil
	}
	text, state, other := strings.Cut(text, "/")
	number, share, tolerant := strings.Cut(text, "~")
	e := expected{state: "ok", within: usualTolerance}
	if other {
		e.state = state
	}
	if !e.number() {
		return e, fmt.Errorf("a number is never %s", state)
	}
	var err error
	if e.value, err = strconv.ParseFloat(number, 64); err == nil && tolerant {
		e.within, err = strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
		e.within /= 100
	}
	return e, err
}

// String is the notation.
func (e expected) String() string {
	if !e.number() {
		return e.state
	}
	return fmt.Sprintf("%v~%v%% (%s)", e.value, 100*e.within, e.state)
}
