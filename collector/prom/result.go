package prom

import (
	"fmt"
	"math"
	"strconv"
)

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
