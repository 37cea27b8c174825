package prom

import (
	"errors"
	"sort"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"stormtop/collector"
)

// labelSet is the labels of a series, sorted by name.
type labelSet struct {
	labels []collector.Label
	// What the assembler made of the labels, so that it is made once. Only the
	// goroutine that calls Next touches these.
	target *collector.Target
	owner  *plan  // the plan that target and sheet belong to
	sheet  uint64 // the number of the sheet in which row counts
	row    int
}

const (
	internedSets  = 1 << 17  // label sets that are remembered
	internedBytes = 16 << 20 // bytes of JSON behind them
)

// interner remembers label sets by the JSON they were written in, so that the
// same targets in every signal of every poll are read once. It forgets
// everything when it has grown too large. It is safe for concurrent use.
type interner struct {
	mu    sync.RWMutex
	raw   map[string]*labelSet
	text  map[string]string
	bytes int
}

func newInterner() *interner {
	return &interner{raw: map[string]*labelSet{}, text: map[string]string{}}
}

// labels finds or reads the label set written as raw, braces included.
func (in *interner) labels(raw []byte) (*labelSet, error) {
	in.mu.RLock()
	s := in.raw[string(raw)]
	in.mu.RUnlock()
	if s != nil {
		return s, nil
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.raw) >= internedSets || in.bytes+len(raw) > internedBytes {
		in.raw, in.text, in.bytes = map[string]*labelSet{}, map[string]string{}, 0
	}
	s, err := in.parse(raw)
	if err != nil {
		return nil, err
	}
	in.raw[string(raw)] = s
	in.bytes += len(raw)
	return s, nil
}

// parse reads an object whose extent the scanner has already found.
func (in *interner) parse(raw []byte) (*labelSet, error) {
	p := labelParser{b: raw[1:]}
	s := &labelSet{}
	if p.next() == '}' && p.last() {
		return s, nil
	}
	for {
		name, err := p.quoted()
		if err != nil {
			return nil, err
		}
		if p.next() != ':' {
			return nil, errors.New("a colon was expected")
		}
		p.b = p.b[1:]
		value, err := p.quoted()
		if err != nil {
			return nil, err
		}
		s.labels = append(s.labels, collector.Label{Name: in.intern(name), Value: in.intern(value)})
		switch p.next() {
		case ',':
			p.b = p.b[1:]
		case '}':
			if !p.last() {
				return nil, errors.New("a label set was expected")
			}
			sort.SliceStable(s.labels, func(i, j int) bool { return s.labels[i].Name < s.labels[j].Name })
			return s, nil
		default:
			return nil, errors.New("a comma was expected")
		}
	}
}

func (in *interner) intern(raw []byte) string {
	if s, ok := in.text[string(raw)]; ok {
		return s
	}
	s := unescape(raw)
	in.text[string(raw)] = s
	in.bytes += len(s)
	return s
}

// labelParser walks over an object in memory.
type labelParser struct{ b []byte }

func (p *labelParser) next() byte {
	for len(p.b) > 0 {
		switch c := p.b[0]; c {
		case ' ', '\t', '\n', '\r':
			p.b = p.b[1:]
		default:
			return c
		}
	}
	return 0
}

func (p *labelParser) last() bool { return len(p.b) == 1 }

func (p *labelParser) quoted() ([]byte, error) {
	if p.next() != '"' {
		return nil, errors.New("a string was expected")
	}
	for i := 1; i < len(p.b); i++ {
		switch p.b[i] {
		case '\\':
			i++
		case '"':
			raw := p.b[1:i]
			p.b = p.b[i+1:]
			return raw, nil
		}
	}
	return nil, errors.New("a string has no end")
}

// unescape resolves the escapes of a JSON string; what is wrong becomes U+FFFD.
// Bytes that are no UTF-8 stay as they are.
func unescape(raw []byte) string {
	i := strings.IndexByte(string(raw), '\\')
	if i < 0 {
		return string(raw)
	}
	out := append(make([]byte, 0, len(raw)), raw[:i]...)
	for i < len(raw) {
		c := raw[i]
		if c != '\\' {
			out = append(out, c)
			i++
			continue
		}
		if i+1 >= len(raw) {
			return string(utf8.AppendRune(out, utf8.RuneError))
		}
		switch e := raw[i+1]; e {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case '"', '\\', '/':
			out = append(out, e)
		case 'u':
			r := hex4(raw[i+2:])
			i += 4
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if i+3 < len(raw) && raw[i+2] == '\\' && raw[i+3] == 'u' {
					low = hex4(raw[i+4:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			if r < 0 {
				r = utf8.RuneError
			}
			out = utf8.AppendRune(out, r)
		default:
			out = utf8.AppendRune(out, utf8.RuneError)
		}
		i += 2
	}
	return string(out)
}

// hex4 reads four hexadecimal digits, or is -1.
func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return r
}
