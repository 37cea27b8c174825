package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"stormtop/collector"
)

// Entry is one thing that a recording tells: exactly one of its pointers is set.
type Entry struct {
	Line    int // where it stands, counted from 1
	Header  *Header
	Reading *collector.Reading
	Event   *collector.Event
	Mark    *collector.Mark
	Rules   *Ruling // other rules were put in force
}

// Reader reads a recording entry by entry. A line that cannot be read is
// skipped and told in the Report. It belongs to one goroutine.
type Reader struct {
	in      *bufio.Reader
	long    []byte // a line that does not fit into the buffer of in
	line    int
	begun   bool // the header was read
	cut     bool // the line that was read last has no end
	origin  *collector.Origin
	tables  tables
	decoder decoder
	report  Report
	ended   error
}

// NewReader makes a reader of a recording.
func NewReader(r io.Reader) *Reader {
	out := &Reader{in: bufio.NewReaderSize(r, 256<<10), origin: &collector.Origin{}}
	out.decoder.tables = &out.tables
	return out
}

// Report is what could not be read so far.
func (r *Reader) Report() Report { return r.report }

// Next is the next entry; the header comes first. The error is io.EOF behind
// the last one. Another one says that this is no recording, or one of a version
// that cannot be read, or that the input failed; it is final.
func (r *Reader) Next() (Entry, error) {
	e, f, err := r.next()
	if f != nil {
		e.Reading = f.reading()
	}
	return e, err
}

// next is Next with a reading still packed, good until the next call.
func (r *Reader) next() (Entry, *frame, error) {
	for r.ended == nil {
		line, err := r.read()
		if err != nil {
			r.ended = err
			break
		}
		if e, f, ok := r.parse(line); ok {
			return e, f, nil
		}
	}
	return Entry{}, nil, r.ended
}

// parse reads the line that was read last; ok is false when it is no entry.
func (r *Reader) parse(line []byte) (e Entry, f *frame, ok bool) {
	e.Line = r.line
	if !r.begun {
		h, err := r.first(line)
		if err != nil {
			r.ended = err
		}
		e.Header = &h
		return e, nil, err == nil
	}
	f, err := r.entry(line, &e)
	if err != nil {
		r.bad(r.line, r.cut, err)
		return e, nil, false
	}
	return e, f, f != nil || e.Header != nil || e.Event != nil || e.Mark != nil || e.Rules != nil
}

// bad notes a line that could not be read. One without an end was cut short.
func (r *Reader) bad(line int, cut bool, err error) {
	if cut {
		r.report.Cut = line
		return
	}
	r.report.Bad++
	if len(r.report.Problems) < maxProblems {
		r.report.Problems = append(r.report.Problems, Problem{line, collector.Clean(err.Error())})
	}
}

// read is the next line that is not empty, good until the next call.
func (r *Reader) read() ([]byte, error) {
	for {
		line, long, err := r.whole()
		r.line++
		r.cut = err == io.EOF
		switch {
		case err != nil && err != io.EOF:
			return nil, fmt.Errorf("line %d of the recording cannot be read: %w", r.line, err)
		case long && !r.begun:
			return nil, errNone
		case long:
			r.bad(r.line, false, fmt.Errorf("longer than %d MiB", maxLine>>20))
			continue
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
		if r.cut {
			return nil, r.end()
		}
	}
}

// whole is the next line as it is; long says that it is too long and was left
// out. The error is io.EOF with the last line when that has no end.
func (r *Reader) whole() (line []byte, long bool, err error) {
	line, err = r.in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, false, err
	}
	r.long = r.long[:0]
	for {
		if long = long || len(r.long)+len(line) > maxLine; !long {
			r.long = append(r.long, line...)
		}
		if err != bufio.ErrBufferFull {
			return r.long, long, err
		}
		line, err = r.in.ReadSlice('\n')
	}
}

// errNone is what is said of a file of another kind.
var errNone = errors.New("this is no recording of stormtop: its first line is not the header of one")

// end is the error at the end of the input.
func (r *Reader) end() error {
	if !r.begun {
		return errors.New("the recording is empty: it has not even a header")
	}
	return io.EOF
}

// first reads the first line.
func (r *Reader) first(line []byte) (Header, error) {
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	if len(line) > maxObject {
		return Header{}, errNone
	}
	var w headerLine
	err := json.Unmarshal(line, &w)
	switch {
	case err != nil && r.cut && bytes.HasPrefix(line, []byte(`{"schema":"`+schemaFamily)):
		return Header{}, errors.New("the recording ends within its first line: nothing was recorded")
	case w.Schema != Schema && strings.HasPrefix(w.Schema, schemaFamily):
		return Header{}, fmt.Errorf("the recording is of the format %s, this program reads %s: use a newer stormtop",
			collector.Clean(w.Schema), Schema)
	case err != nil && w.Schema == "", w.Schema != Schema:
		return Header{}, errNone
	}
	h, err := r.begin(&w, err)
	if err != nil {
		return h, fmt.Errorf("the header of the recording: %w", err)
	}
	return h, nil
}

// begin takes in a header: of the first line, or of another recording that was
// appended.
func (r *Reader) begin(w *headerLine, err error) (Header, error) {
	if err != nil {
		return Header{}, err
	}
	h, err := w.header()
	if err != nil {
		return h, err
	}
	r.begun, r.tables, r.origin = true, tables{}, &collector.Origin{}
	if h.Origin != nil {
		r.origin = h.Origin
	}
	return h, nil
}

// entry reads a line behind the first one into e, or into a frame. Nothing of
// both is set for one that only declares something.
func (r *Reader) entry(line []byte, e *Entry) (*frame, error) {
	kind, err := typeOf(line)
	if err != nil {
		return nil, err
	}
	if kind == "reading" {
		return r.decoder.read(line, r.origin)
	}
	if len(line) > maxObject {
		return nil, fmt.Errorf("longer than %d MiB", maxObject>>20)
	}
	switch kind {
	case "targets":
		return nil, r.tables.readTargets(line)
	case "shapes":
		return nil, r.tables.readShapes(line)
	case "event":
		var w eventLine
		if err := json.Unmarshal(line, &w); err != nil {
			return nil, err
		}
		event, err := w.event()
		if err == nil {
			e.Event = &event
		}
		return nil, err
	case "mark":
		var w markLine
		if err := json.Unmarshal(line, &w); err != nil {
			return nil, err
		}
		e.Mark = &collector.Mark{At: w.At.UTC(), Text: w.Text.clean()}
	case "rules":
		var w rulesLine
		if err := json.Unmarshal(line, &w); err != nil {
			return nil, err
		}
		list, err := rulesOf(w.Rules)
		if err != nil {
			return nil, err
		}
		e.Rules = &Ruling{w.At.UTC(), list}
	case "origin":
		var w originLine
		if err := json.Unmarshal(line, &w); err != nil {
			return nil, err
		}
		if w.Origin == nil {
			return nil, errors.New("an origin says nothing")
		}
		o, err := w.Origin.origin()
		if err == nil {
			r.origin = o
		}
		return nil, err
	case "header":
		var w headerLine
		err := json.Unmarshal(line, &w)
		if err == nil && w.Schema != Schema {
			err = errors.New("a header of another format")
		}
		h, err := r.begin(&w, err)
		if err == nil {
			e.Header = &h
		}
		return nil, err
	default:
		r.report.Unknown++
	}
	return nil, nil
}

// typeOf is the type of a line.
func typeOf(line []byte) (string, error) {
	if isReading(line) {
		return "reading", nil
	}
	c, kind := cursor{line: line}, ""
	c.fields(func(name []byte) {
		if string(name) == "type" {
			kind = c.word()
		} else {
			c.skip()
		}
	})
	if err := c.end(); err != nil {
		return "", err
	}
	if kind == "" {
		return "", errors.New("a line has no type")
	}
	return kind, nil
}

// isReading reports at a glance that a line is a reading, as the writer spells it.
func isReading(line []byte) bool { return bytes.HasPrefix(line, []byte(`{"type":"reading",`)) }
