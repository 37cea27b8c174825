package rulefile

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// numbers replaces the numbers of the rules of a group that differ in nothing
// else, each where it stands. It is false where something else differs.
func (r *reviser) numbers(n *yaml.Node, is, to *Group) bool {
	rules := value(n, "rules")
	if rules == nil || len(rules.Content) != len(is.Rules) || len(is.Rules) != len(to.Rules) {
		return false
	}
	before := len(r.edits)
	bare := *to
	bare.Rules = nil
	for i := range is.Rules {
		a, b := is.Rules[i], to.Rules[i]
		if !r.renumber(rules.Content[i], &a, &b) {
			r.edits = r.edits[:before]
			return false
		}
		a.Expr, a.For, a.Keep = b.Expr, b.For, b.Keep
		bare.Rules = append(bare.Rules, a)
	}
	if !sameGroup(&bare, to) {
		r.edits = r.edits[:before]
		return false
	}
	return true
}

// renumber replaces the numbers of one rule.
func (r *reviser) renumber(n *yaml.Node, is, to *Rule) bool {
	if is.Expr != to.Expr && !r.threshold(n, is.Expr, to.Expr) {
		return false
	}
	if is.For != to.For && !r.duration(n, "for", Duration(to.For), "expr") {
		return false
	}
	return is.Keep == to.Keep || r.duration(n, "keep_firing_for", Duration(to.Keep), "for", "expr")
}

// threshold replaces the number that an expression is compared with.
func (r *reviser) threshold(n *yaml.Node, is, to string) bool {
	a, okA := ConditionOf(is)
	b, okB := ConditionOf(to)
	if !okA || !okB || a.Expr[:a.from]+b.Expr[b.from:b.to]+a.Expr[a.to:] != to {
		return false
	}
	number := a.Expr[a.from:a.to]
	from, end := r.field(n, "expr")
	if from < 0 {
		return false
	}
	for skip := strings.Count(a.Expr[:a.from], number); ; skip-- { // as often as before it in the expression
		i := strings.Index(string(r.text[from:end]), number)
		if i < 0 {
			return false
		}
		if from += i; skip == 0 {
			r.edits = append(r.edits, edit{from, from + len(number), b.Expr[b.from:b.to]})
			return true
		}
		from += len(number)
	}
}

// duration replaces a duration, or puts one behind the first of the fields that
// is there.
func (r *reviser) duration(n *yaml.Node, key, text string, behind ...string) bool {
	if v := value(n, key); v != nil {
		from, end := r.field(n, key)
		if from < 0 || v.Value == "" {
			return false
		}
		i := strings.Index(string(r.text[from:end]), v.Value)
		if i < 0 {
			return false
		}
		r.edits = append(r.edits, edit{from + i, from + i + len(v.Value), text})
		return true
	}
	for _, name := range behind {
		if _, end := r.field(n, name); end >= 0 {
			column := n.Content[0].Column - 1 // of the keys
			r.edits = append(r.edits, edit{end, end, strings.Repeat(" ", column) + key + ": " + text + "\n"})
			return true
		}
	}
	return false
}

// field is where the value of a field begins, and where the field ends; -1 where
// there is none.
func (r *reviser) field(n *yaml.Node, key string) (from, end int) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Value != key {
			continue
		}
		from = r.start[v.Line-1]
		for range v.Column - 1 {
			_, size := utf8.DecodeRune(r.text[from:])
			from += size
		}
		if end = r.end(k.Line, k.Column-1); end < from { // within braces, where indentation says nothing
			return -1, -1
		}
		return from, end
	}
	return -1, -1
}
