package prom

import (
	"io"

	"stormtop/collector"
)

// point is a sample: milliseconds since 1970 and a value, which may be NaN or
// infinite.
type point struct {
	t int64
	v float64
}

// series is a label set with its points, a range of answer.points.
type series struct {
	labels     *labelSet
	start, end int
}

// answer is what a query API said. Points of all series lie in one array.
type answer struct {
	ok         bool // status was "success"
	resultType string
	errorType  string
	errorText  string
	series     []series
	points     []point
	warnings   []string
	histograms int // native histograms that were ignored
}

// limits bound what one answer may cost.
type limits struct {
	points int // points in all; also of series
	hint   int // series to expect, from the answer before
}

const (
	maxNotes    = 20   // warnings that are kept of an answer
	maxNoteText = 2000 // bytes of each; what is shown of it is cut after it was masked
	maxError    = 4000

	noStatus = "it has no status"
)

// decoder reads one answer.
type decoder struct {
	*scanner
	in  *interner
	lim limits
	out *answer
}

// decode reads a whole answer of the query API. Keys may come in any order and
// unknown ones are skipped. The error is a *syntaxError, errTooLarge, or what
// the reader said; a refusal by the server is no error but answer.ok false.
func decode(r io.Reader, in *interner, lim limits) (*answer, error) {
	hint := min(lim.hint, lim.points, 1<<16)
	d := &decoder{scanner: newScanner(r), in: in, lim: lim, out: &answer{
		series: make([]series, 0, hint), points: make([]point, 0, hint)}}
	status := ""
	err := d.fields(func(key string) (err error) {
		switch key {
		case "status":
			status, err = d.text(maxNoteText)
		case "errorType":
			d.out.errorType, err = d.text(maxNoteText)
		case "error":
			d.out.errorText, err = d.text(maxError)
		case "warnings":
			d.out.warnings, err = d.notes()
		case "data":
			err = d.data()
		default:
			err = d.skip()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if d.peek() != 0 || d.pos < d.end {
		return nil, d.fail("text stands behind the answer")
	}
	if d.err != nil && d.err != io.EOF {
		return nil, d.err
	}
	switch status {
	case "success":
		d.out.ok = true
	case "error":
	default:
		return nil, &syntaxError{0, noStatus}
	}
	return d.out, nil
}

// fields calls f for each key of an object, the value being next.
func (d *decoder) fields(f func(key string) error) error {
	if err := d.take('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := d.more(first, '}')
		if err != nil || !more {
			return err
		}
		raw, err := d.str()
		if err != nil {
			return err
		}
		key := keyName(raw)
		if err := d.take(':'); err != nil {
			return err
		}
		if err := f(key); err != nil {
			return err
		}
	}
}

// keyName avoids an allocation for the keys that are known; others are "".
func keyName(raw []byte) string {
	switch string(raw) {
	case "metric":
		return "metric"
	case "value":
		return "value"
	case "values":
		return "values"
	case "histogram", "histograms":
		return "histogram"
	case "status":
		return "status"
	case "data":
		return "data"
	case "result":
		return "result"
	case "resultType":
		return "resultType"
	case "errorType":
		return "errorType"
	case "error":
		return "error"
	case "warnings":
		return "warnings"
	}
	return ""
}

// text is a cleaned string cut to n bytes; null is "".
func (d *decoder) text(n int) (string, error) {
	if d.peek() == 'n' {
		return "", d.word()
	}
	raw, err := d.str()
	if err != nil {
		return "", err
	}
	return cut(collector.Clean(unescape(raw)), n), nil
}

func (d *decoder) notes() ([]string, error) {
	if d.peek() == 'n' {
		return nil, d.word()
	}
	var out []string
	return out, d.list(func() error {
		s, err := d.text(maxNoteText)
		if err == nil && len(out) < maxNotes {
			out = append(out, s)
		}
		return err
	})
}

// list calls f in front of each element of an array.
func (d *decoder) list(f func() error) error {
	if err := d.take('['); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := d.more(first, ']')
		if err != nil || !more {
			return err
		}
		if err := f(); err != nil {
			return err
		}
	}
}

// cut shortens s to at most n bytes, at a rune's edge.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "..."
}
