package recording

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"stormtop/collector"
)

const hexDigits = "0123456789abcdef"

// appendString writes a JSON string in which nothing can take over a terminal:
// what Clean would replace is written as an escape.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c < 0x20 || c == 0x7f:
				b = appendEscape(b, rune(c))
			default:
				b = append(b, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch part := s[i : i+n]; {
		case r == utf8.RuneError:
			b = utf8.AppendRune(b, r)
		case collector.Clean(part) == part:
			b = append(b, part...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = appendEscape(appendEscape(b, high), low)
		default:
			b = appendEscape(b, r)
		}
		i += n
	}
	return append(b, '"')
}

func appendEscape(b []byte, r rune) []byte {
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

// appendText writes text that may hold any bytes: what is no UTF-8, which JSON
// cannot hold, as {"base64": ...}.
func appendText(b []byte, s string) []byte {
	if utf8.ValidString(s) {
		return appendString(b, s)
	}
	b = append(b, `{"base64":"`...)
	b = base64.StdEncoding.AppendEncode(b, []byte(s))
	return append(b, '"', '}')
}

// text is a string that may hold any bytes.
type text string

// MarshalJSON is appendText.
func (t text) MarshalJSON() ([]byte, error) { return appendText(nil, string(t)), nil }

// UnmarshalJSON reads what appendText writes.
func (t *text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		var bytes struct {
			Base64 *string `json:"base64"`
		}
		if err := json.Unmarshal(b, &bytes); err != nil {
			return err
		}
		if bytes.Base64 == nil {
			return errors.New("text is a string or has the field base64")
		}
		raw, err := base64.StdEncoding.DecodeString(*bytes.Base64)
		*t = text(raw)
		return err
	}
	return json.Unmarshal(b, (*string)(t))
}

// clean is text for people, cleaned when it is read.
func (t text) clean() string { return collector.Clean(string(t)) }

// lines is text of several lines, each cleaned when it is read.
func (t text) lines() string {
	list := strings.Split(strings.ReplaceAll(string(t), "\t", " "), "\n")
	for i := range list {
		list[i] = collector.Clean(list[i])
	}
	return strings.Join(list, "\n")
}

func texts(list []string) []text {
	var out []text
	for _, s := range list {
		out = append(out, text(s))
	}
	return out
}

func cleaned(list []text) []string {
	var out []string
	for _, t := range list {
		out = append(out, t.clean())
	}
	return out
}

// appendNumber writes a finite number so that reading it gives the same one.
func appendNumber(b []byte, f float64) []byte {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.AppendFloat(b, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

// number is a number that is null, and read as 0, where it is not finite.
type number float64

// MarshalJSON is appendNumber, or null.
func (n number) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return appendNumber(nil, f), nil
	}
	return []byte("null"), nil
}

// duration is a duration as Go spells it, "" for none.
type duration time.Duration

// MarshalText spells the duration.
func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what MarshalText writes.
func (d *duration) UnmarshalText(b []byte) error {
	got, err := time.ParseDuration(string(b))
	*d = duration(got)
	return err
}

// appendTime writes an instant as RFC 3339 in UTC, as exact as it is.
func appendTime(b []byte, t time.Time) []byte {
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, time.RFC3339Nano)
	return append(b, '"')
}
