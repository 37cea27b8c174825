package profile_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"stormtop/collector"
	"stormtop/collector/profile"
)

// filled is a template as it is sent.
func filled(template string, by ...string) string {
	for i, label := range by {
		if !regexp.MustCompile(`^[a-zA-Z_]\w*$`).MatchString(label) {
			by[i] = fmt.Sprintf("%q", label)
		}
	}
	return strings.NewReplacer("$window", "1m", "$by", strings.Join(by, ", ")).Replace(template)
}

func parsed(t *testing.T, query string) parser.Expr {
	t.Helper()
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if expr.Type() != parser.ValueTypeVector {
		t.Errorf("%s is a %s, no vector", query, expr.Type())
	}
	return expr
}

// selectors are the series that an expression reads, each without its range.
func selectors(expr parser.Expr) (out []*parser.VectorSelector) {
	parser.Inspect(expr, func(n parser.Node, _ []parser.Node) error {
		if vs, ok := n.(*parser.VectorSelector); ok {
			out = append(out, vs)
		}
		return nil
	})
	return out
}

// templates are the queries of a profile by where they stand.
func templates(p profile.Profile) map[string]string {
	out := map[string]string{}
	for s, text := range p.Signals {
		out[s.String()] = text
	}
	if p.Edge != nil {
		out["edge ingress"], out["edge downstream"] = p.Edge.Ingress, p.Edge.Downstream
	}
	return out
}

func TestEveryTemplateIsAVectorByTheGroupingAndReadsSeries(t *testing.T) {
	stray := regexp.MustCompile(`\$\{?[A-Za-z_]\w*`)
	for _, p := range profile.Builtin() {
		t.Run(p.Name, func(t *testing.T) {
			for where, text := range templates(p) {
				for _, word := range stray.FindAllString(text, -1) {
					if word != "$window" && word != "$by" {
						t.Errorf("%s: %s is filled in by nobody", where, word)
					}
				}
				if edge := strings.HasPrefix(where, "edge"); strings.Contains(text, "by ($by)") == edge {
					t.Errorf("%s: grouped by $by: %v", where, !edge)
				}
				read := selectors(parsed(t, filled(text, append(slices.Clone(p.By), p.Callers...)...)))
				if len(read) == 0 {
					t.Errorf("%s reads no series", where)
				}
			}
		})
	}
}

func TestDetectionIsACountThatTrustsALabelAndNoName(t *testing.T) {
	for _, p := range profile.Builtin() {
		expr := parsed(t, p.Detect)
		if got := expr.String(); !strings.HasPrefix(got, "count(") || strings.Contains(got, " by ") {
			t.Errorf("%s: %s has labels, so that it cannot be joined with others", p.Name, got)
		}
		for _, vs := range selectors(expr) {
			trusted := slices.ContainsFunc(vs.LabelMatchers, func(m *labels.Matcher) bool {
				return m.Name != "__name__" && !m.Matches("")
			})
			if !trusted {
				t.Errorf("%s: %s is a bare name", p.Name, vs)
			}
		}
	}
}

func TestAllDetectionsFitIntoOneQuery(t *testing.T) {
	var parts []string
	for _, p := range profile.Builtin() {
		parts = append(parts, fmt.Sprintf(`label_replace(%s, "p", %q, "p", ".*")`, p.Detect, p.Name))
	}
	parsed(t, strings.Join(parts, " or "))
}

// spelledEitherWay are profiles of which a series can only have the label of one.
var spelledEitherWay = map[string]string{"envoy": "istio_envoy", "kuma": "istio_envoy", "consul": "istio_envoy"}

func TestNoTwoProfilesClaimTheSameSeries(t *testing.T) {
	list := profile.Builtin()
	reads := map[string][]*parser.VectorSelector{}
	for _, p := range list {
		for _, text := range p.Signals {
			reads[p.Name] = append(reads[p.Name], selectors(parsed(t, filled(text, "l")))...)
		}
	}
	for _, a := range list {
		for _, b := range list {
			if a.Name >= b.Name || slices.Contains(a.Supersedes, b.Name) || slices.Contains(b.Supersedes, a.Name) ||
				spelledEitherWay[a.Name] == b.Name || spelledEitherWay[b.Name] == a.Name || ranked(a, b) {
				continue
			}
			for _, x := range reads[a.Name] {
				for _, y := range reads[b.Name] {
					if sameName(x, y) && !disjoint(x, y) && !disjoint(y, x) {
						t.Errorf("%s reads %s, %s reads %s", a.Name, x, b.Name, y)
					}
				}
			}
		}
	}
}

// ranked reports whether two profiles take the place of one and the same third,
// and so are found side by side in different meshes only.
func ranked(a, b profile.Profile) bool {
	return slices.ContainsFunc(a.Supersedes, func(name string) bool { return slices.Contains(b.Supersedes, name) })
}

func sameName(x, y *parser.VectorSelector) bool {
	for _, name := range append(names(x), names(y)...) {
		if matchesName(x, name) && matchesName(y, name) {
			return true
		}
	}
	return false
}

// names are the names that a selector spells out.
func names(vs *parser.VectorSelector) []string {
	for _, m := range vs.LabelMatchers {
		if m.Name == "__name__" {
			return strings.Split(m.Value, "|")
		}
	}
	return nil
}

func matchesName(vs *parser.VectorSelector, name string) bool {
	for _, m := range vs.LabelMatchers {
		if m.Name == "__name__" && !m.Matches(name) {
			return false
		}
	}
	return true
}

// disjoint reports whether x wants a label that y wants to be absent.
func disjoint(x, y *parser.VectorSelector) bool {
	for _, m := range x.LabelMatchers {
		for _, n := range y.LabelMatchers {
			if m.Name == n.Name && !m.Matches("") && n.Type == labels.MatchEqual && n.Value == "" {
				return true
			}
		}
	}
	return false
}

func TestWhatTakesAnothersPlaceExists(t *testing.T) {
	for _, p := range profile.Builtin() {
		for _, name := range p.Supersedes {
			if _, err := profile.Find(name); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	}
}

func TestARatioSaysWhyEachOfItsSignalsIsMissing(t *testing.T) {
	for _, p := range profile.Builtin() {
		for _, s := range collector.Inputs() {
			optional := s == collector.Arrived || s == collector.Overflow || p.Pool()
			here := p.Signals[s] != "" || p.Absent[s] != "" || s == collector.Downstream && p.Sum
			if !optional && !here && p.Name != "stormtop" {
				t.Errorf("%s: neither a template nor a reason for %s", p.Name, s)
			}
		}
		if !p.Pool() && p.CannotSee == "" || len(p.CannotSee) > 140 {
			t.Errorf("%s: %d letters for the overview: %s", p.Name, len(p.CannotSee), p.CannotSee)
		}
	}
}
