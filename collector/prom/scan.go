package prom

import (
	"errors"
	"fmt"
	"io"
)

const (
	scanBuffer = 32 << 10 // the first size of a scanner's buffer
	maxToken   = 1 << 20  // the longest label set or string that is accepted
	maxDepth   = 64       // the deepest nesting of values that are skipped
)

// errTooLarge says that an answer passed a cap on bytes, points or a token.
var errTooLarge = errors.New("the answer is too large")

// syntaxError says that an answer is not the JSON that was expected.
type syntaxError struct {
	at   int64 // bytes read before the place
	want string
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("at byte %d %s", e.at, e.want)
}

// scanner reads JSON tokens from a stream through one buffer. A token that is
// returned as bytes is valid until the next call.
type scanner struct {
	r        io.Reader
	buf      []byte
	pos, end int
	mark     int   // start of the token that must stay in the buffer, -1 for none
	gone     int64 // bytes that left the buffer at the front
	err      error // what ended the stream
}

func newScanner(r io.Reader) *scanner {
	return &scanner{r: r, buf: make([]byte, scanBuffer), mark: -1}
}

// fail makes an error of the present place; a stream that ended by an error of
// its own is reported as that error.
func (s *scanner) fail(want string) error {
	switch {
	case s.err == nil:
		return &syntaxError{s.gone + int64(s.pos), want}
	case s.err == io.EOF && s.pos < s.end:
		return &syntaxError{s.gone + int64(s.pos), want}
	case s.err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return s.err
}

// fill reads more; false at the end of the stream or when a token is too long.
func (s *scanner) fill() bool {
	if s.err != nil {
		return false
	}
	keep := s.pos
	if s.mark >= 0 {
		keep = s.mark
	}
	if keep > 0 {
		copy(s.buf, s.buf[keep:s.end])
		s.gone += int64(keep)
		s.pos -= keep
		s.end -= keep
		if s.mark >= 0 {
			s.mark = 0
		}
	}
	if s.end == len(s.buf) {
		if len(s.buf) >= maxToken {
			s.err = fmt.Errorf("%w: one label set or string is longer than 1 MiB", errTooLarge)
			return false
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// peek is the next byte that is no white space, not consumed; 0 at the end.
func (s *scanner) peek() byte {
	for {
		for s.pos < s.end {
			switch c := s.buf[s.pos]; c {
			case ' ', '\t', '\n', '\r':
				s.pos++
			default:
				return c
			}
		}
		if !s.fill() {
			return 0
		}
	}
}

// take consumes the byte c, white space before it allowed.
func (s *scanner) take(c byte) error {
	if s.peek() != c || s.pos >= s.end {
		return s.fail(fmt.Sprintf("%q was expected", string(rune(c))))
	}
	s.pos++
	return nil
}

// more steps through a list that ends in closing: it consumes the comma in
// front of every element but the first, or the closing byte.
func (s *scanner) more(first bool, closing byte) (bool, error) {
	switch c := s.peek(); {
	case c == closing:
		s.pos++
		return false, nil
	case first:
		return true, nil
	case c == ',':
		s.pos++
		if s.peek() == closing {
			return false, s.fail("a value was expected after the comma")
		}
		return true, nil
	}
	return false, s.fail(fmt.Sprintf("a comma or %q was expected", string(rune(closing))))
}

// str is the content of a string, between its quotes, escapes not resolved.
func (s *scanner) str() ([]byte, error) {
	if err := s.take('"'); err != nil {
		return nil, err
	}
	s.mark = s.pos
	defer func() { s.mark = -1 }()
	if err := s.restOfString(); err != nil {
		return nil, err
	}
	return s.buf[s.mark : s.pos-1], nil
}

// restOfString moves behind the closing quote.
func (s *scanner) restOfString() error {
	escaped := false
	for {
		for i := s.pos; i < s.end; i++ {
			c := s.buf[i]
			switch {
			case c < 0x20:
				s.pos = i
				return s.fail("a control character stands in a string")
			case escaped:
				escaped = false
			case c == '\\':
				escaped = true
			case c == '"':
				s.pos = i + 1
				return nil
			}
		}
		s.pos = s.end
		if !s.fill() {
			return s.fail("a string has no end")
		}
	}
}

// object is a whole object of strings, its braces included.
func (s *scanner) object() ([]byte, error) {
	if err := s.take('{'); err != nil {
		return nil, err
	}
	s.mark = s.pos - 1
	defer func() { s.mark = -1 }()
	for {
		for s.pos < s.end {
			c := s.buf[s.pos]
			s.pos++
			switch c {
			case '"':
				if err := s.restOfString(); err != nil {
					return nil, err
				}
			case '}':
				return s.buf[s.mark:s.pos], nil
			case '{', '[':
				return nil, s.fail("a label set holds strings only")
			}
		}
		if !s.fill() {
			return nil, s.fail("a label set has no end")
		}
	}
}

// number is the text of a number.
func (s *scanner) number() ([]byte, error) {
	s.peek()
	s.mark = s.pos
	defer func() { s.mark = -1 }()
	for {
		for s.pos < s.end {
			c := s.buf[s.pos]
			if c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E' {
				s.pos++
				continue
			}
			if s.pos == s.mark {
				return nil, s.fail("a number was expected")
			}
			return s.buf[s.mark:s.pos], nil
		}
		if !s.fill() {
			return nil, s.fail("a number was expected")
		}
	}
}

// skip moves over one value of any kind without recursion.
func (s *scanner) skip() error {
	var stack [maxDepth]byte
	depth := 0
	for {
		switch c := s.peek(); c {
		case '{', '[':
			if depth == maxDepth {
				return s.fail("values are nested too deeply")
			}
			stack[depth] = c + 2 // '{' and '}', '[' and ']' are two apart
			depth++
			s.pos++
			continue
		case '}', ']':
			if depth == 0 || stack[depth-1] != c {
				return s.fail("a bracket does not match")
			}
			depth--
			s.pos++
		case ',', ':':
			if depth == 0 {
				return s.fail("a value was expected")
			}
			s.pos++
			continue
		case '"':
			if _, err := s.str(); err != nil {
				return err
			}
		case 't', 'f', 'n':
			if err := s.word(); err != nil {
				return err
			}
		default:
			if _, err := s.number(); err != nil {
				return err
			}
		}
		if depth == 0 {
			return nil
		}
	}
}

// word moves over true, false or null.
func (s *scanner) word() error {
	word := "null"
	switch s.peek() {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	}
	for i := range len(word) {
		if s.pos >= s.end && !s.fill() || s.buf[s.pos] != word[i] {
			return s.fail("a value was expected")
		}
		s.pos++
	}
	return nil
}
