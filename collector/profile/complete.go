package profile

import (
	"maps"
	"slices"

	"stormtop/collector"
)

// complete looks at the profile as a whole: what is missing, and what
// contradicts something else.
func (r *reader) complete() {
	p := &r.p
	for _, f := range []struct {
		name string
		here bool
	}{
		{"name", p.Name != ""}, {"title", p.Title != ""}, {"looks_for", p.LooksFor != ""}, {"detect", p.Detect != ""},
		{"by", len(p.By) > 0}, {"kind", p.Kind != collector.NoRatioKind}, {"trust", p.Trust != collector.NoTrust},
		{"signals", len(p.Signals) > 0 || p.Sum}, {"cannot_see", p.CannotSee != ""},
	} {
		// A field that is there with a mistake in it was told already.
		if line := r.lines[f.name]; !f.here && !r.told(line) {
			r.wrong(line, "%s is missing", f.name)
		}
	}
	if p.Sum && !r.told(r.lines["signals"]) && (p.Signals[collector.Ingress] == "" || p.Signals[collector.Retries] == "") {
		r.wrong(r.lines["signals"], "signals: downstream is %s, but one of these has no template", sumOf)
	}
	for _, label := range p.Callers {
		if slices.Contains(p.By, label) {
			r.wrong(r.lines["callers"], "callers: %s is in by already: callers are the labels beside it", collector.Quote(label))
		}
	}
	if slices.Contains(p.Supersedes, p.Name) {
		r.wrong(r.lines["supersedes"], "supersedes: a profile cannot take its own place")
	}
	r.settled()
}

// settled looks at what is said about signals beside their templates.
func (r *reader) settled() {
	p := &r.p
	for _, s := range slices.Sorted(maps.Keys(p.Units)) {
		if !p.has(s) {
			r.wrong(r.lines["units"], "units: %s has no template", s)
		}
	}
	for _, s := range p.ZeroFill {
		switch {
		case s == collector.Ingress:
			r.wrong(r.lines["zero_fill"], "zero_fill: ingress is what the others are filled from")
		case !p.has(s):
			r.wrong(r.lines["zero_fill"], "zero_fill: %s has no template", s)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(p.Absent)) {
		switch {
		case p.has(s):
			r.wrong(r.lines["absent"], "absent: %s has a template", s)
		case p.Absent[s] == "":
			r.wrong(r.lines["absent"], "absent: %s needs a reason", s)
		}
	}
}

// told reports whether a mistake was found at a line or behind it, up to the
// next field.
func (r *reader) told(line int) bool {
	if line == 0 {
		return false
	}
	next := 0
	for _, l := range r.lines {
		if l > line && (next == 0 || l < next) {
			next = l
		}
	}
	return slices.ContainsFunc(r.mistakes, func(m mistake) bool { return m.line >= line && (next == 0 || m.line < next) })
}

// has reports whether a signal is measured.
func (p *Profile) has(s collector.Signal) bool {
	return p.Signals[s] != "" || s == collector.Downstream && p.Sum
}
