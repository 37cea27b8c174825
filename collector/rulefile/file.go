package rulefile

import "time"

// File is a rule file.
type File struct {
	Comment  []string // lines at its head, without the "#"
	Groups   []Group
	Resource *Resource // the PrometheusRule that wraps it; nil: a plain file
}

// Resource is what a PrometheusRule of the operator has beside its groups: by
// its labels a Prometheus finds it.
type Resource struct {
	Name, Namespace     string // Namespace "": it has none
	Labels, Annotations []Pair
}

// Group is rules that are evaluated one after the other, at the same instant.
type Group struct {
	Name        string
	Interval    time.Duration // 0: the server's
	QueryOffset time.Duration // query_offset
	Limit       int
	Labels      []Pair
	Partial     string // partial_response_strategy, of Thanos
	Rules       []Rule
	Line        int // where it was read; 0 where it was made
}

// Rule is a recording rule or an alert.
type Rule struct {
	Record, Alert string // one of the two
	Expr          string
	For, Keep     time.Duration
	Labels        []Pair
	Annotations   []Pair
	Line          int // where it was read
}

// Pair is a label or an annotation. Lists of them are sorted by Name.
type Pair struct{ Name, Value string }

// Value is that of a name in a list, or "".
func Value(list []Pair, name string) string {
	for _, p := range list {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// Alerts are all alerts of a file, in its order.
func (f *File) Alerts() []*Rule {
	var out []*Rule
	for i := range f.Groups {
		for k := range f.Groups[i].Rules {
			if r := &f.Groups[i].Rules[k]; r.Alert != "" {
				out = append(out, r)
			}
		}
	}
	return out
}
