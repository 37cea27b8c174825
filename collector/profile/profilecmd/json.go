package profilecmd

import (
	"encoding/json"
	"fmt"
	"io"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// schema names the format and its version: fields are only added.
const schema = "stormtop/profiles/v1"

type document struct {
	Schema   string  `json:"schema"`
	Profiles []entry `json:"profiles"`
}

// entry is a profile as data. Lists and objects are there even when empty.
type entry struct {
	Name       string             `json:"name"`
	Title      string             `json:"title"`
	Status     string             `json:"status"` // proven or unproven
	Trust      string             `json:"trust"`
	Ratio      string             `json:"ratio"` // hop, edge, or pool where there is none
	LooksFor   string             `json:"looks_for"`
	Detect     string             `json:"detect"`
	By         []string           `json:"by"`
	Callers    []string           `json:"callers"`
	Supersedes []string           `json:"supersedes"`
	Signals    map[string]measure `json:"signals"`
	ZeroFill   []string           `json:"zero_fill"`
	Absent     map[string]string  `json:"absent"`
	Edge       *pair              `json:"edge"`
	CannotSee  string             `json:"cannot_see"`
	Notes      string             `json:"notes"`
}

type measure struct {
	Template string `json:"template"` // with $window and $by; or "ingress + retries"
	Unit     string `json:"unit"`
}

type pair struct {
	Ingress    string `json:"ingress"`
	Downstream string `json:"downstream"`
	Trust      string `json:"trust"`
	CannotSee  string `json:"cannot_see"`
}

func writeJSON(w io.Writer, list []profile.Profile) error {
	doc := document{Schema: schema, Profiles: make([]entry, 0, len(list))}
	for i := range list {
		doc.Profiles = append(doc.Profiles, entryOf(&list[i]))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("writing the profiles as JSON: %w", err)
	}
	return nil
}

func entryOf(p *profile.Profile) entry {
	e := entry{
		Name: p.Name, Title: p.Title, Status: status(p), Trust: p.Trust.String(), Ratio: ratio(p), LooksFor: p.LooksFor, Detect: p.Detect,
		By: list(p.By), Callers: list(p.Callers), Supersedes: list(p.Supersedes),
		Signals: map[string]measure{}, ZeroFill: []string{}, Absent: map[string]string{}, CannotSee: p.CannotSee, Notes: p.Notes,
	}
	for s, text := range p.Signals {
		e.Signals[s.String()] = measure{text, p.Unit(s).String()}
	}
	if p.Sum {
		e.Signals[collector.Downstream.String()] = measure{"ingress + retries", p.Unit(collector.Downstream).String()}
	}
	for _, s := range p.ZeroFill {
		e.ZeroFill = append(e.ZeroFill, s.String())
	}
	for s, why := range p.Absent {
		e.Absent[s.String()] = why
	}
	if p.Edge != nil {
		e.Edge = &pair{p.Edge.Ingress, p.Edge.Downstream, p.Edge.Trust.String(), p.Edge.CannotSee}
	}
	return e
}

// list is never null in JSON.
func list(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
