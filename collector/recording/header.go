package recording

import (
	"fmt"
	"regexp"
	"time"

	"stormtop/collector"
)

// Header is the first line of a recording.
type Header struct {
	Program string               // what wrote it, with its version
	Picture bool                 // it is what was on a screen, put together afterwards: all of it is there at once
	Start   time.Time            // when the recording was begun, by the clock of its machine
	Origin  *collector.Origin    // the source as it was at the start; nil: not known yet
	Rules   []collector.RuleSpec // what was judged by
}

// headerLine is a header as it is written.
type headerLine struct {
	Schema  string      `json:"schema"`
	Type    string      `json:"type"`
	Program text        `json:"program,omitempty"`
	Picture bool        `json:"picture,omitempty"`
	Start   time.Time   `json:"start,omitzero"`
	Origin  *originWire `json:"origin,omitempty"`
	Rules   []ruleWire  `json:"rules,omitempty"`
}

func wireHeader(h Header) headerLine {
	out := headerLine{Schema: Schema, Type: "header", Program: text(h.Program), Picture: h.Picture, Start: h.Start.UTC().Round(0)}
	if h.Origin != nil {
		out.Origin = wireOrigin(h.Origin)
	}
	out.Rules = wireRules(h.Rules)
	return out
}

func (w *headerLine) header() (Header, error) {
	h := Header{Program: w.Program.clean(), Picture: w.Picture, Start: w.Start.UTC()}
	if w.Origin != nil {
		o, err := w.Origin.origin()
		if err != nil {
			return h, err
		}
		h.Origin = o
	}
	var err error
	h.Rules, err = rulesOf(w.Rules)
	return h, err
}

type ruleWire struct {
	Name       text            `json:"name"`
	Signal     string          `json:"signal,omitempty"`
	Compare    string          `json:"compare"`
	Threshold  number          `json:"threshold"`
	For        duration        `json:"for"`
	KeepFiring duration        `json:"keep_firing_for"`
	Scope      string          `json:"scope"`
	Select     map[string]text `json:"select,omitempty"`
	MinTraffic number          `json:"min_traffic"`
	Severity   string          `json:"severity,omitempty"`
	Off        bool            `json:"off,omitempty"`
	Both       []text          `json:"both,omitempty"`
}

func wireRule(r *collector.RuleSpec) ruleWire {
	out := ruleWire{
		Name: text(r.Name), Signal: nameOf(r.Signal), Compare: r.Compare.String(), Threshold: number(r.Threshold),
		For: duration(r.For), KeepFiring: duration(r.KeepFiring), Scope: r.Scope.String(),
		MinTraffic: number(r.MinTraffic), Severity: nameOf(r.Severity), Off: r.Off,
	}
	for label, re := range r.Select {
		if out.Select == nil {
			out.Select = map[string]text{}
		}
		out.Select[label] = text(re.String())
	}
	if r.Both != [2]string{} {
		out.Both = texts(r.Both[:])
	}
	return out
}

func (w *ruleWire) rule() (collector.RuleSpec, error) {
	r := collector.RuleSpec{
		Name: w.Name.clean(), Threshold: float64(w.Threshold), For: time.Duration(w.For),
		KeepFiring: time.Duration(w.KeepFiring), MinTraffic: float64(w.MinTraffic), Off: w.Off,
	}
	wrong := func(err error) (collector.RuleSpec, error) {
		return r, fmt.Errorf("rule %s: %w", collector.Quote(r.Name), err)
	}
	var err error
	if r.Signal, err = named[collector.Signal]("signal", w.Signal); err != nil {
		return wrong(err)
	}
	if r.Compare, err = named[collector.Comparison]("comparison", w.Compare); err != nil {
		return wrong(err)
	}
	if r.Scope, err = named[collector.Scope]("scope", w.Scope); err != nil {
		return wrong(err)
	}
	if r.Severity, err = named[collector.Severity]("severity", w.Severity); err != nil {
		return wrong(err)
	}
	for label, pattern := range w.Select {
		re, err := regexp.Compile(string(pattern))
		if err != nil {
			return wrong(err)
		}
		if r.Select == nil {
			r.Select = map[string]*regexp.Regexp{}
		}
		r.Select[label] = re
	}
	switch len(w.Both) {
	case 0:
	case 2:
		r.Both = [2]string{w.Both[0].clean(), w.Both[1].clean()}
	default:
		return wrong(fmt.Errorf("both names %d rules, not two", len(w.Both)))
	}
	return r, nil
}
