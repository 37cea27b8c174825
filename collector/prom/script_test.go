package prom

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// vector is an instant answer: labels as in `a="x",b="y"` and a number.
type vector map[string]float64

// script answers instant queries by the longest piece of text in them, range
// queries of the same with a constant, and everything else like a Prometheus
// without data.
type script map[string]vector

func (s script) answer(q request) *canned {
	best := ""
	for piece := range s {
		if strings.Contains(q.query, piece) && len(piece) > len(best) {
			best = piece
		}
	}
	if q.query == "time()" || strings.HasPrefix(q.query, "max(timestamp(") || strings.HasPrefix(q.query, "topk(1, timestamp(") ||
		strings.HasSuffix(q.query, "m]") || strings.HasSuffix(q.query, "h]") {
		return nil
	}
	ranged := strings.HasSuffix(q.path, "query_range")
	var list []string
	for labels, v := range s[best] {
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !ranged {
			list = append(list, fmt.Sprintf(`{"metric":{%s},"value":[%d,%q]}`, jsonLabels(labels), q.at.Unix(), text))
			continue
		}
		var points []string
		for at := number(q.form["start"]); at <= number(q.form["end"])+1e-6; at += number(q.form["step"]) {
			points = append(points, fmt.Sprintf(`[%s,%q]`, strconv.FormatFloat(at, 'f', 3, 64), text))
		}
		list = append(list, fmt.Sprintf(`{"metric":{%s},"values":[%s]}`, jsonLabels(labels), strings.Join(points, ",")))
	}
	kind := "vector"
	if ranged {
		kind = "matrix"
	}
	return &canned{body: fmt.Sprintf(`{"status":"success","data":{"resultType":%q,"result":[%s]}}`, kind, strings.Join(list, ","))}
}

func number(form []string) float64 {
	v, _ := strconv.ParseFloat(form[0], 64)
	return v
}

func jsonLabels(text string) string {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if name, value, ok := strings.Cut(part, "="); ok {
			out = append(out, fmt.Sprintf("%q:%s", name, value))
		}
	}
	return strings.Join(out, ",")
}

// found makes the answer to a detection query, and joins it to a script.
func (s script) found(names ...string) func(request) *canned {
	return func(q request) *canned {
		if c := detected(names...)(q); c != nil && strings.Contains(q.query, detectLabel) {
			return c
		}
		return s.answer(q)
	}
}

// hop is a profile by service over metrics that begin with its name.
func hop(name string, trust collector.Trust, change func(*profile.Profile)) profile.Profile {
	p := profile.Profile{
		Name: name, Title: name + " for tests", LooksFor: name + "_in", Detect: "count(" + name + "_in)", By: []string{"service"},
		Kind: collector.Hop, Trust: trust, CannotSee: "sees " + name + " only", Signals: map[collector.Signal]string{
			collector.Ingress:    "sum by ($by) (rate(" + name + "_in[$window]))",
			collector.Downstream: "sum by ($by) (rate(" + name + "_out[$window]))",
		},
	}
	if change != nil {
		change(&p)
	}
	return p
}

// openKnown opens a source that looks for these profiles on a scripted server.
func openKnown(t *testing.T, s script, known []profile.Profile, names []string, change func(*Config)) (*Source, *fakeProm) {
	t.Helper()
	f := newFake(t)
	f.metrics = map[string]map[string]string{"in": {"a": "1"}, "out": {"a": "1"}} // for ages and spacing
	f.on(s.found(names...))
	return f.openForDetection(t, func(c *Config) {
		c.Known = known
		if change != nil {
			change(c)
		}
	}), f
}

func targetOf(t *testing.T, r *collector.Reading, system, name string) collector.Row {
	t.Helper()
	for _, row := range r.Targets {
		if row.Target.System == system && row.Target.Name == name {
			return row
		}
	}
	t.Fatalf("no %s of %q in %v", name, system, names(r))
	return collector.Row{}
}

func warned(r *collector.Reading, text string) bool {
	for _, w := range r.Warnings {
		if strings.Contains(w, text) {
			return true
		}
	}
	return false
}
