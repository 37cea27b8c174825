package scrape

import (
	"bytes"
	"math"
	"strconv"
)

// fromOpenMetrics writes an OpenMetrics text as the older text format, which
// then holds each sample under the name that it has. The decoder of expfmt for
// OpenMetrics works through a grammar: measured, it takes 10 ms a line, so that
// 1,000 series could not be read each second.
func fromOpenMetrics(body []byte) ([]byte, error) {
	trimmed := bytes.TrimRight(body, "\n")
	if !bytes.HasSuffix(trimmed, []byte("# EOF")) {
		return nil, &malformed{"its metrics cannot be read (OpenMetrics without # EOF at the end: it is cut short)"}
	}
	out := make([]byte, 0, len(body))
	for line := range bytes.Lines(trimmed) {
		line = bytes.TrimRight(line, "\n")
		if !bytes.HasPrefix(line, []byte("#")) {
			out = appendSample(out, line)
			continue
		}
		// Of the rest only gauges matter, and their samples have the family's name.
		if bytes.HasPrefix(line, []byte("# TYPE ")) && bytes.HasSuffix(line, []byte(" gauge")) {
			out = append(out, line...)
		}
		out = append(out, '\n') // so that errors name the right line
	}
	return out, nil
}

// appendSample writes a sample without its exemplar and with its time in
// milliseconds.
func appendSample(out, line []byte) []byte {
	end := labelsEnd(line)
	out = append(out, line[:end]...)
	rest, _, _ := bytes.Cut(line[end:], []byte("#"))
	fields := bytes.Fields(rest)
	for i, f := range fields {
		if i == len(fields)-1 && i == numbersBefore(end)+1 {
			if s, err := strconv.ParseFloat(string(f), 64); err == nil && math.Abs(s) < 1e12 {
				f = strconv.AppendInt(nil, int64(math.Round(s*1000)), 10)
			}
		}
		out = append(append(out, ' '), f...)
	}
	return append(out, '\n')
}

// numbersBefore is the place of the value among the words behind the labels:
// where there are no labels, the name is one of them.
func numbersBefore(end int) int {
	if end == 0 {
		return 1
	}
	return 0
}

// labelsEnd is where the labels of a sample end, 0 where it has none.
func labelsEnd(line []byte) int {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '}':
			return i + 1
		case c == '#', c == ' ' && !bytes.ContainsRune(line[:i], '{'):
			return 0
		}
	}
	return 0
}
