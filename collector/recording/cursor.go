package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

const maxDepth = 64 // the deepest nesting of values that are skipped

// errTrailing says that something stands behind the object of a line.
var errTrailing = errors.New("something stands behind the object")

// cursor walks over the JSON of one line, which it never copies. After the first
// mistake every step reports it.
type cursor struct {
	line []byte
	at   int
	err  error
}

func (c *cursor) fail(want string) {
	if c.err == nil {
		c.err = fmt.Errorf("at byte %d %s", c.at+1, want)
	}
	c.at = len(c.line)
}

// peek is the next byte that is no white space; 0 at the end.
func (c *cursor) peek() byte {
	for c.at < len(c.line) {
		switch b := c.line[c.at]; b {
		case ' ', '\t', '\r', '\n':
			c.at++
		default:
			return b
		}
	}
	return 0
}

// take consumes a byte.
func (c *cursor) take(b byte) {
	if c.peek() != b || c.at >= len(c.line) {
		c.fail(fmt.Sprintf("%q was expected", string(rune(b))))
		return
	}
	c.at++
}

// more steps through a list or an object: it consumes the comma in front of
// every element but the first, or the closing byte.
func (c *cursor) more(first bool, closing byte) bool {
	switch b := c.peek(); {
	case b == closing && c.at < len(c.line):
		c.at++
		return false
	case first && b != 0:
		return true
	case b == ',' && !first:
		c.at++
		if c.peek() == closing {
			c.fail("a value was expected behind the comma")
			return false
		}
		return true
	}
	c.fail(fmt.Sprintf("a comma or %q was expected", string(rune(closing))))
	return false
}

// fields calls f for each field of an object, at its value. The name is as it
// is written: escapes are not resolved.
func (c *cursor) fields(f func(name []byte)) {
	c.take('{')
	for first := true; c.more(first, '}'); first = false {
		quoted := c.quoted()
		c.take(':')
		if c.err != nil {
			return
		}
		f(quoted[1 : len(quoted)-1])
	}
}

// list calls f at each element of a list.
func (c *cursor) list(f func()) {
	c.take('[')
	for n := 0; c.more(n == 0, ']'); n++ {
		if n == maxList {
			c.fail(fmt.Sprintf("a list has more than %d elements", maxList))
			return
		}
		f()
	}
}

// quoted is a string with its quotes.
func (c *cursor) quoted() []byte {
	c.take('"')
	start := c.at
	for i := start; i < len(c.line); i++ {
		switch b := c.line[i]; {
		case b == '\\':
			i++
		case b == '"':
			c.at = i + 1
			return c.line[start-1 : c.at]
		case b < 0x20:
			c.at = i
			c.fail("a control character stands in a string")
			return nil
		}
	}
	c.fail("a string has no end")
	return nil
}

// word is a string of which only plain names are expected.
func (c *cursor) word() string {
	if q := c.quoted(); len(q) >= 2 {
		return string(q[1 : len(q)-1])
	}
	return ""
}

// text is a string that may hold any bytes (see appendText).
func (c *cursor) text() (t text) {
	c.peek()
	start := c.at
	c.skip()
	if c.err == nil {
		if err := json.Unmarshal(c.line[start:c.at], &t); err != nil {
			c.at = start
			c.fail("a text was expected")
		}
	}
	return t
}

func (c *cursor) duration() time.Duration {
	d, err := time.ParseDuration(c.word())
	if err != nil {
		c.fail("a duration was expected")
	}
	return d
}

func (c *cursor) time() time.Time {
	t, err := time.Parse(time.RFC3339Nano, c.word())
	if err != nil {
		c.fail("an RFC 3339 time was expected")
	}
	return t.UTC()
}

// digits is the text of a number.
func (c *cursor) digits() []byte {
	b := c.peek()
	start := c.at
	if b != '-' && (b < '0' || b > '9') {
		c.fail("a number was expected")
		return nil
	}
	for c.at++; c.at < len(c.line); c.at++ {
		switch b := c.line[c.at]; {
		case b >= '0' && b <= '9', b == '.', b == 'e', b == 'E', b == '-', b == '+':
		default:
			return c.line[start:c.at]
		}
	}
	return c.line[start:c.at]
}

func (c *cursor) float() float64 {
	c.peek()
	if f, n, ok := plainFloat(c.line[c.at:]); ok {
		c.at += n
		return f
	}
	f, err := strconv.ParseFloat(string(c.digits()), 64)
	if err != nil {
		c.fail("a number was expected before this")
	}
	return f
}

func (c *cursor) int() int64 {
	n, err := strconv.ParseInt(string(c.digits()), 10, 64)
	if err != nil {
		c.fail("a whole number was expected before this")
	}
	return n
}

func (c *cursor) bool() bool {
	switch c.peek() {
	case 't':
		c.literal("true")
		return true
	case 'f':
		c.literal("false")
		return false
	}
	c.fail("true or false was expected")
	return false
}

func (c *cursor) literal(word string) {
	if len(c.line)-c.at < len(word) || string(c.line[c.at:c.at+len(word)]) != word {
		c.fail("a value was expected")
		return
	}
	c.at += len(word)
}

// skip moves over one value of any kind, without recursion.
func (c *cursor) skip() {
	var open [maxDepth]byte
	depth := 0
	for c.err == nil {
		switch b := c.peek(); b {
		case '{', '[':
			if depth == maxDepth {
				c.fail("values are nested too deeply")
				return
			}
			open[depth] = b + 2 // '{' and '}', '[' and ']' are two apart
			depth++
			c.at++
			continue
		case '}', ']':
			if depth == 0 || open[depth-1] != b {
				c.fail("a bracket does not match")
				return
			}
			depth--
			c.at++
		case ',', ':':
			if depth == 0 {
				c.fail("a value was expected")
				return
			}
			c.at++
			continue
		case '"':
			c.quoted()
		case 't':
			c.literal("true")
		case 'f':
			c.literal("false")
		case 'n':
			c.literal("null")
		default:
			c.digits()
		}
		if depth == 0 {
			return
		}
	}
}

// end complains of what stands behind the value.
func (c *cursor) end() error {
	if c.err == nil && (c.peek() != 0 || c.at < len(c.line)) {
		c.err = errTrailing
	}
	return c.err
}
