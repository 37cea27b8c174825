package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"stormtop/alerts/watch"
	"stormtop/collector"
)

// ReadingSchema and EventSchema name the formats, which docs/formats.md describes.
const (
	ReadingSchema = "stormtop/reading/v1"
	EventSchema   = "stormtop/event/v1"
)

// JSON writes a snapshot as one indented JSON object. The error is that of w.
func JSON(w io.Writer, s watch.Snapshot) error { return encode(w, newReading(s), "  ") }

// JSONLine writes the object of JSON in a single line. It does not tell a replay
// from what was recorded, so that the lines of both are the same.
func JSONLine(w io.Writer, s watch.Snapshot) error {
	r := newReading(s)
	r.Replay = false
	return encode(w, r, "")
}

// EventJSON writes an event as one line of JSON.
func EventJSON(w io.Writer, e collector.Event) error { return encode(w, newEvent(e), "") }

func encode(w io.Writer, v any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encoding as JSON: %w", err)
	}
	if _, err := w.Write(escape(b.Bytes())); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

// escape spells, in encoded JSON, the characters that JSON permits but a
// terminal may obey: DEL, C1, bidirectional and other invisible ones.
func escape(b []byte) []byte {
	if bytes.IndexFunc(b, obeyed) < 0 {
		return b
	}
	out := make([]byte, 0, len(b)+64)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case !obeyed(r):
			out = append(out, b[i:i+n]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += n
	}
	return out
}

func obeyed(r rune) bool {
	return r == 0x7f || r >= 0x80 && r < 0xa0 || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
