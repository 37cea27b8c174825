package rulefile

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Revise is a rule file with the groups and the comment of another one, and else
// as it was written: what stays the same keeps its layout and its comments, and
// of a rule of which numbers change the numbers alone are replaced. Groups are
// told apart by their names, and those that stay must be in the same order. ok is
// false where the file is laid out in a way that cannot be changed in place.
func Revise(text []byte, to *File) (out []byte, ok bool) {
	if is, err := Parse(text); err != nil || len(is.Groups) == 0 || len(to.Groups) == 0 || oddLines(text) {
		return nil, false
	}
	for _, fine := range []bool{true, false} { // where numbers cannot be replaced, the group is written anew
		r := &reviser{text: text, fine: fine}
		if out, ok = r.revise(to); !ok {
			continue
		}
		if got, err := Parse(out); err == nil && sameFile(got, to) {
			return out, true
		}
	}
	return nil, false
}

// oddLines reports whether a text has lines that end in what only YAML takes for
// an end, or a mark at its beginning that it does not count.
func oddLines(text []byte) bool {
	plain := bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ContainsAny(plain, "\r\u0085\u2028\u2029\ufeff")
}

// sameFile reports whether two files hold the same, wherever it stands in them.
func sameFile(a, b *File) bool {
	return slices.Equal(a.Comment, b.Comment) && slices.EqualFunc(a.Groups, b.Groups, func(x, y Group) bool { return sameGroup(&x, &y) })
}

func sameGroup(a, b *Group) bool {
	x, y := *a, *b
	x.Line, y.Line, x.Rules, y.Rules = 0, 0, nil, nil
	return reflect.DeepEqual(x, y) && slices.EqualFunc(a.Rules, b.Rules, func(x, y Rule) bool {
		x.Line, y.Line = 0, 0
		return reflect.DeepEqual(x, y)
	})
}

// reviser changes a text in places.
type reviser struct {
	text  []byte
	fine  bool  // numbers are replaced where they stand
	start []int // offsets of the lines, and of the end
	edits []edit
}

// edit puts other text in place of what is between two offsets.
type edit struct {
	from, to int
	text     string
}

func (r *reviser) revise(to *File) ([]byte, bool) {
	var doc yaml.Node
	if yaml.Unmarshal(r.text, &doc) != nil || len(doc.Content) == 0 || tangled(&doc) {
		return nil, false
	}
	is, err := Parse(r.text)
	if err != nil {
		return nil, false
	}
	groups := groupsNode(doc.Content[0])
	if groups == nil || groups.Style&yaml.FlowStyle != 0 || len(groups.Content) != len(is.Groups) {
		return nil, false
	}
	r.start = []int{0}
	for i, c := range r.text {
		if c == '\n' {
			r.start = append(r.start, i+1)
		}
	}
	if r.start[len(r.start)-1] != len(r.text) {
		r.start = append(r.start, len(r.text))
	}
	r.comment(is.Comment, to.Comment)
	dash, ok := r.dash(groups.Content[0])
	if !ok {
		return nil, false
	}
	next := 0 // of the groups wanted
	insert := func(until, at int) {
		for ; next < until; next++ {
			r.edits = append(r.edits, edit{at, at, rendered(&to.Groups[next], dash)})
		}
	}
	end := 0
	for i, n := range groups.Content {
		if d, ok := r.dash(n); !ok || d != dash {
			return nil, false
		}
		from := r.start[n.Line-1]
		end = r.end(n.Line, dash)
		at := slices.IndexFunc(to.Groups, func(g Group) bool { return g.Name == is.Groups[i].Name })
		if at < 0 {
			r.edits = append(r.edits, edit{from, end, ""})
			continue
		}
		insert(at, from)
		next = at + 1
		if want := &to.Groups[at]; !sameGroup(&is.Groups[i], want) && !(r.fine && r.numbers(n, &is.Groups[i], want)) {
			r.edits = append(r.edits, edit{from, end, rendered(want, dash)})
		}
	}
	insert(len(to.Groups), end)
	return r.apply(), true
}

// rendered is a group whose dash stands at a column.
func rendered(g *Group, dash int) string {
	w := &writer{indent: strings.Repeat(" ", dash)}
	w.group(g)
	return w.String()
}

// tangled reports whether a part of a document stands for another one.
func tangled(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || n.Anchor != "" || slices.ContainsFunc(n.Content, tangled)
}

// IsResource reports whether a text is a resource of the operator that wraps
// groups.
func IsResource(text []byte) bool {
	var doc yaml.Node
	return yaml.Unmarshal(text, &doc) == nil && len(doc.Content) > 0 && value(resolve(doc.Content[0]), "kind") != nil
}

// groupsNode is the list of groups of a file, plain or wrapped.
func groupsNode(root *yaml.Node) *yaml.Node {
	if spec := value(root, "spec"); value(root, "kind") != nil && spec != nil {
		root = spec
	}
	if n := value(root, "groups"); n != nil && n.Kind == yaml.SequenceNode && len(n.Content) > 0 {
		return n
	}
	return nil
}

// comment changes the comment at the head, of which the lines that stay keep how
// they were written.
func (r *reviser) comment(is, to []string) {
	same := 0
	for same < len(is) && same < len(to) && is[same] == to[same] {
		same++
	}
	if same == len(is) && same == len(to) {
		return
	}
	w := &writer{}
	for _, c := range to[same:] {
		w.line("%s", strings.TrimRight("# "+oneLine(c), " "))
	}
	r.edits = append(r.edits, edit{r.start[same], r.start[len(is)], w.String()})
}

// line is one line, counted from 1, without its end.
func (r *reviser) line(n int) string {
	if n < 1 || n >= len(r.start) {
		return ""
	}
	return strings.TrimRight(string(r.text[r.start[n-1]:r.start[n]]), "\r\n")
}

// dash is the column, from 0, of the dash of a list's item.
func (r *reviser) dash(n *yaml.Node) (int, bool) {
	before := r.line(n.Line)
	before = before[:min(n.Column-1, len(before))]
	at := strings.TrimLeft(before, " ")
	return len(before) - len(at), n.Kind == yaml.MappingNode && strings.TrimRight(at, " ") == "-"
}

// end is the offset behind what begins in a line and is indented by more than so
// many blanks: blank lines, and comments that are not indented either, are not of
// it.
func (r *reviser) end(line, indent int) int {
	last := line
	for n := line + 1; n < len(r.start); n++ {
		text := r.line(n)
		rest := strings.TrimLeft(text, " ")
		if rest == "" {
			continue
		}
		if len(text)-len(rest) <= indent {
			if rest[0] == '#' { // more of it may come
				continue
			}
			break
		}
		last = n
	}
	return r.start[last]
}

// apply makes the edits.
func (r *reviser) apply() []byte {
	slices.SortStableFunc(r.edits, func(a, b edit) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	var out bytes.Buffer
	at := 0
	for _, e := range r.edits {
		if e.from < at { // it lies in what another one replaced: what comes out is looked at again
			continue
		}
		out.Write(r.text[at:e.from])
		if b := out.Bytes(); e.text != "" && len(b) > 0 && b[len(b)-1] != '\n' && strings.HasSuffix(e.text, "\n") {
			out.WriteByte('\n') // the last line of the file has no end
		}
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(r.text[at:])
	return out.Bytes()
}
