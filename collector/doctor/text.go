package doctor

import (
	"fmt"
	"io"
	"strings"

	"stormtop/collector"
	"stormtop/collector/prom"
)

var marks = [...]string{OK: "ok", Note: "–", Gap: "!", Broken: "×"}

func mark(l Level) string { return word(marks[:], l) }

// Text writes the report for people, 80 columns wide: one block for the server,
// one for each system, the verdict in the last line. ascii keeps it to ASCII.
// The error is that of w.
func (r Report) Text(w io.Writer, ascii bool) error {
	p := &page{ascii: ascii}
	r.writeHead(p)
	for _, f := range r.Findings {
		p.finding(f)
	}
	for _, sys := range r.Systems {
		if sys.examined() {
			sys.write(p)
		}
	}
	r.writeOthers(p)
	p.blank()
	p.line(r.Verdict())
	_, err := io.WriteString(w, p.String())
	return err
}

// Verdict is the last line: what was found, and what the exit status means.
func (r Report) Verdict() string {
	switch n := r.Gaps(); {
	case r.NoData:
		return "no data (exit 3)"
	case n > 0:
		return fmt.Sprintf("%s, each with what to do about it (exit 1)", plural(n, "gap", "gaps"))
	}
	return "complete: every signal that these systems export is here (exit 0)"
}

func (r Report) writeHead(p *page) {
	at := ""
	if !r.At.IsZero() {
		at = r.At.UTC().Format("2006-01-02 15:04:05Z")
	}
	head := "stormtop doctor  " + r.Server
	if r.Tenant != "" {
		head += "  tenant " + r.Tenant
	}
	p.spread(head, at)
	p.blank()
}

func (p *page) finding(f Finding) {
	p.entry(mark(f.Level), f.Topic, f.Text)
	p.advice(f.Remedy)
}

// examined reports whether more is known of a system than that it is there.
func (s System) examined() bool { return len(s.Signals) > 0 || len(s.Findings) > 0 }

func (s System) write(p *page) {
	name := s.Profile
	if name == "" {
		name = "own signals"
	}
	var traits []string
	if s.Kind != collector.NoRatioKind {
		traits = append(traits, s.Kind.String())
	}
	traits = append(traits, word(trustWords[:], s.Trust))
	if len(s.Grouping) > 0 {
		traits = append(traits, "by "+strings.Join(s.Grouping, ", "))
	}
	p.blank()
	p.spread(name+"  "+word(useWords[:], s.Use), collector.Clean(strings.Join(traits, ", ")))
	p.block(2, s.Title+evidence(s))
	p.block(2, s.CannotSee)
	p.blank()
	s.writeSignals(p)
	p.blank()
	for _, f := range s.Findings {
		p.finding(f)
	}
}

var trustWords = [...]string{
	collector.NoTrust: "trust not known", collector.Exact: "exact", collector.Approx: "approximate",
	collector.LowerBound: "a lower bound", collector.Heuristic: "a hint only",
}

var useWords = [...]string{
	prom.Judged: "JUDGED", prom.Companion: "POOLS ONLY", prom.Offered: "offered", prom.Superseded: "superseded",
}

func evidence(s System) string {
	if s.Evidence <= 0 {
		return ""
	}
	return "; detected by " + plural(int(s.Evidence), "series", "series")
}

// writeSignals writes a row for each signal; those that a system does not
// export for no particular reason share one, neighbours with the same remedy
// share that.
func (s System) writeSignals(p *page) {
	var rows []Signal
	var none []string
	for _, x := range s.Signals {
		if x.State == NotExported && x.Remedy == "" && x.Text == plainlyAbsent {
			none = append(none, x.Topic)
			continue
		}
		rows = append(rows, x)
	}
	for i, x := range rows {
		x.write(p)
		if i+1 == len(rows) || rows[i+1].Remedy != x.Remedy {
			p.advice(x.Remedy)
		}
	}
	if len(none) > 0 {
		p.entry(mark(Note), "others", "not exported by this system: "+strings.Join(none, ", "))
	}
}

// write writes a signal without its remedy.
func (x Signal) write(p *page) {
	if x.State == Present || x.State == Idle && x.Targets > 0 {
		p.row(mark(x.Level), x.Topic, x.figures())
		p.block(textAt, x.Text)
		return
	}
	p.entry(mark(x.Level), x.Topic, x.Text)
}

// figures are the columns of a signal that is there.
func (x Signal) figures() string {
	return fmt.Sprintf("%s  %s  %s  %s", right(plural(x.Targets, "target ", "targets"), 14), right(x.Value.String(), 12),
		right(took(x.Cost.Took), 8), right(size(x.Cost.Bytes), 8))
}

func right(s string, n int) string { return strings.Repeat(" ", max(n-width(s), 0)) + s }

// writeOthers lists what else has data here.
func (r Report) writeOthers(p *page) {
	first := true
	for _, s := range r.Systems {
		if s.examined() {
			continue
		}
		if first {
			p.blank()
			p.line("ALSO HERE")
			first = false
		}
		text := s.Title + evidence(s)
		remedy := ""
		switch {
		case s.Use == prom.Superseded && s.By != "":
			text += "; superseded: " + s.By + " reads the same series better"
		case s.Use == prom.Offered:
			remedy = "Judge by it with --profile=" + s.Profile + "."
		}
		p.entry(mark(Note), s.Profile, text)
		p.advice(remedy)
	}
}
