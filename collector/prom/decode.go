package prom

import (
	"fmt"
	"io"
	"math"
	"strconv"

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

func (d *decoder) data() error {
	if d.peek() != '{' {
		return d.skip() // null, or another API's answer
	}
	return d.fields(func(key string) (err error) {
		switch key {
		case "resultType":
			d.out.resultType, err = d.text(maxNoteText)
		case "result":
			err = d.result()
		default:
			err = d.skip()
		}
		return err
	})
}

// result reads a list of series, or the one pair of a scalar or string. What
// it is shows in the first byte, so resultType may come later.
func (d *decoder) result() error {
	if d.peek() == 'n' {
		return d.word()
	}
	d.out.series, d.out.points = d.out.series[:0], d.out.points[:0]
	if err := d.take('['); err != nil {
		return err
	}
	if c := d.peek(); c != '{' && c != ']' {
		d.out.series = append(d.out.series, series{labels: &labelSet{}, end: 1})
		return d.restOfPoint()
	}
	for first := true; ; first = false {
		more, err := d.more(first, ']')
		if err != nil || !more {
			return err
		}
		if err := d.oneSeries(); err != nil {
			return err
		}
	}
}

func (d *decoder) oneSeries() error {
	s := series{start: len(d.out.points)}
	err := d.fields(func(key string) error {
		switch key {
		case "metric":
			raw, err := d.object()
			if err != nil {
				return err
			}
			if s.labels, err = d.in.labels(raw); err != nil {
				return d.fail(err.Error())
			}
			return nil
		case "value":
			return d.point()
		case "values":
			return d.list(d.point)
		case "histogram":
			d.out.histograms++
		}
		return d.skip()
	})
	if err != nil {
		return err
	}
	if s.end = len(d.out.points); s.end == s.start {
		return nil // a native histogram, or nothing
	}
	if s.labels == nil {
		s.labels = &labelSet{}
	}
	d.out.series = append(d.out.series, s)
	return nil
}

func (d *decoder) point() error {
	if err := d.take('['); err != nil {
		return err
	}
	return d.restOfPoint()
}

// restOfPoint reads `1700000000.123,"1.5"]`.
func (d *decoder) restOfPoint() error {
	if len(d.out.points) >= d.lim.points {
		return fmt.Errorf("%w: more than %d samples", errTooLarge, d.lim.points)
	}
	raw, err := d.number()
	if err != nil {
		return err
	}
	t, ok := parseMillis(raw)
	if !ok {
		return d.fail("a time was expected")
	}
	if err := d.take(','); err != nil {
		return err
	}
	if raw, err = d.str(); err != nil {
		return err
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && !math.IsInf(v, 0) {
		v = math.NaN()
		if d.out.resultType != "string" {
			return d.fail("a number in quotes was expected")
		}
	}
	d.out.points = append(d.out.points, point{t, v})
	return d.take(']')
}

// parseMillis reads seconds as milliseconds.
func parseMillis(b []byte) (int64, bool) {
	var t, scale int64 = 0, 0
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9' && i < 17:
			if scale != 1 {
				t = t*10 + int64(c-'0')
				scale /= 10
			}
		case c == '.' && scale == 0 && i > 0:
			scale = 1000
		default:
			f, err := strconv.ParseFloat(string(b), 64)
			return int64(math.Round(f * 1000)), err == nil && math.Abs(f) < 1e12
		}
	}
	if scale == 0 {
		scale = 1000
	}
	return t * scale, len(b) > 0 && t < 1e15
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
