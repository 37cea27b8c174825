package collector

import "slices"

// Expressions is what a source asks of one system, as PromQL that is filled in
// and narrowed down as it is sent: what rules for a server can be made of. It is
// plain data and immutable.
type Expressions struct {
	Profile  string // the profile's name, "" for signals that were named one by one
	Title    string
	Kind     RatioKind
	Trust    Trust
	By       []string           // the labels that make a target; nil: all of them, empty: the only target of an edge pair
	Queries  [NumSignals]string // by signal, "" where there is none
	Units    [NumSignals]Unit   // of those
	Sum      bool               // downstream has no query: it is ingress + retries
	ZeroFill []Signal           // absent means 0 on a target that has ingress
	Sides    [2]string          // a plain selector behind ingress and downstream, "" where none is known
	Replicas []string           // labels in which series that count the same thing differ; the queries count them once
}

// Has reports whether a signal is measured, or is the sum that Sum says.
func (x *Expressions) Has(s Signal) bool {
	return x.Queries[s] != "" || s == Downstream && x.Sum && x.Queries[Ingress] != "" && x.Queries[Retries] != ""
}

// Fills reports whether a signal that is absent means 0.
func (x *Expressions) Fills(s Signal) bool { return slices.Contains(x.ZeroFill, s) }
