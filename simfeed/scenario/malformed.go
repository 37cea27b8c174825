package scenario

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"stormtop/collector"
)

var (
	yamlLine   = regexp.MustCompile(`^line (\d+): (.*)$`)
	yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// malformed notes that the file is no YAML. What the parser says without a
// place is looked for in the file.
func (r *reader) malformed(data []byte, err error) {
	text, p := strings.TrimPrefix(collector.Clean(err.Error()), "yaml: "), place{}
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		p.line, _ = strconv.Atoi(m[1])
		p.column = 1
		text = m[2]
	}
	if tab, ok := tabNear(data, p.line); ok && p.line > 0 {
		r.wrong(tab, "malformed YAML: a tab is no indentation: use spaces")
		return
	}
	if m := yamlAnchor.FindStringSubmatch(text); m != nil {
		r.wrong(placeOf(data, bytes.Index(data, []byte("*"+m[1]))), "aliases (*%s) are not read: write the value itself", m[1])
		return
	}
	switch {
	case strings.Contains(text, "max depth"):
		r.wrong(placeOf(data, tooDeep(data)), "malformed YAML: nested more than a thousand deep: a scenario needs five levels")
		return
	case p.line == 0:
		p = placeOf(data, max(unreadable(data), 0)) // directives, and what else is of the file as a whole
	}
	r.wrong(p, "malformed YAML: %s: correct it there, or in the line before", text)
}

// tooDeep is the offset of what is nested too deep to be read: of the thousandth
// bracket that is open, or of the start where the depth has other reasons.
func tooDeep(data []byte) int {
	depth := 0
	for i, c := range data {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth > 1000 {
			return i
		}
	}
	return 0
}

// tabNear finds a tab in the indentation of a line, or of the one before or
// behind it: the parser tells where it gave up.
func tabNear(data []byte, line int) (place, bool) {
	lines := bytes.Split(data, []byte("\n"))
	for _, n := range []int{line, line + 1, line - 1} {
		if n < 1 || n > len(lines) {
			continue
		}
		text := lines[n-1]
		indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
		if i := bytes.IndexByte(indent, '\t'); i >= 0 && (n == line || len(bytes.TrimSpace(text)) > 0) {
			return place{n, i + 1}, true
		}
	}
	return place{}, false
}

// unreadable is the offset of the first thing that no YAML may hold: a control
// character, or bytes that are no UTF-8; -1 where there is none.
func unreadable(data []byte) int {
	for i := 0; i < len(data); {
		c, size := utf8.DecodeRune(data[i:])
		if c == utf8.RuneError && size == 1 || c < ' ' && c != '\t' && c != '\n' && c != '\r' || c >= 0x7f && c < 0xa0 && c != 0x85 {
			return i
		}
		i += size
	}
	return -1
}

// placeOf is the place of an offset; that of -1 is the file as a whole.
func placeOf(data []byte, offset int) place {
	if offset < 0 {
		return place{}
	}
	before := data[:offset]
	return place{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1}
}
