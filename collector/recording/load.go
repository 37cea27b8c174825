package recording

import (
	"io"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"

	"stormtop/collector"
)

// What is decoded together, at most: readings that follow each other depend on
// nothing but what was declared before them, and so on no order.
const (
	batchLines = 512
	batchBytes = 8 << 20
)

// Load reads all of a recording, on all cores. See Reader.Next for its errors.
func Load(r *Reader) (*Recording, error) {
	l := &loader{reader: r, out: &Recording{}, decoders: make([]decoder, max(1, min(runtime.GOMAXPROCS(0), 8)))}
	for r.ended == nil {
		line, err := r.read()
		if err != nil {
			l.flush()
			r.ended = err
			break
		}
		if r.begun && isReading(line) {
			l.add(line)
			continue
		}
		l.flush()
		if e, f, ok := r.parse(line); ok {
			l.entry(&e, f)
		}
	}
	if r.ended != io.EOF {
		return nil, r.ended
	}
	l.out.Report = r.report
	slices.SortStableFunc(l.out.Report.Problems, func(a, b Problem) int { return a.Line - b.Line })
	byTime(l.out.events, func(e collector.Event) time.Time { return e.At })
	byTime(l.out.marks, func(m collector.Mark) time.Time { return m.At })
	return l.out, nil
}

// loader gathers lines of readings and decodes them by the batch.
type loader struct {
	reader   *Reader
	out      *Recording
	again    bool   // a further header came: the next reading begins anew
	text     []byte // the lines of the batch
	jobs     []job
	decoders []decoder
}

// job is one line of a batch and what becomes of it.
type job struct {
	from, to int // its place in the text
	line     int
	cut      bool
	frame    frame
	err      error
}

func (l *loader) add(line []byte) {
	from := len(l.text)
	l.text = append(l.text, line...)
	l.jobs = append(l.jobs, job{from: from, to: len(l.text), line: l.reader.line, cut: l.reader.cut})
	if len(l.jobs) >= batchLines || len(l.text) >= batchBytes {
		l.flush()
	}
}

// entry takes in what is no reading, or one that only the reader recognised.
func (l *loader) entry(e *Entry, f *frame) {
	switch {
	case f != nil:
		l.keep(f.clone(nil))
	case e.Event != nil:
		l.out.events = append(l.out.events, *e.Event)
	case e.Mark != nil:
		l.out.marks = append(l.out.marks, *e.Mark)
	case e.Header != nil && e.Line == 1:
		l.out.Header = *e.Header
	case e.Header != nil:
		l.again = len(l.out.frames) > 0
		l.out.rule(Ruling{Rules: e.Header.Rules})
	case e.Rules != nil:
		l.out.rule(*e.Rules)
	}
}

// sameRule reports whether two rules are the same.
func sameRule(a, b collector.RuleSpec) bool { return reflect.DeepEqual(a, b) }

// flush decodes the batch, a part of it by each decoder, and keeps it in order.
func (l *loader) flush() {
	if len(l.jobs) == 0 {
		return
	}
	var all sync.WaitGroup
	panics := make([]any, len(l.decoders))
	size := (len(l.jobs) + len(l.decoders) - 1) / len(l.decoders)
	next := 0
	for part := range slices.Chunk(l.jobs, size) {
		d, panicked := &l.decoders[next], &panics[next]
		next++
		d.tables = &l.reader.tables
		all.Go(func() {
			defer func() { *panicked = recover() }()
			l.decode(d, part)
		})
	}
	all.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p) // where somebody can restore the terminal
		}
	}
	for i := range l.jobs {
		if j := &l.jobs[i]; j.err != nil {
			l.reader.bad(j.line, j.cut, j.err)
		} else {
			l.keep(j.frame)
		}
	}
	clear(l.jobs)
	l.jobs, l.text = l.jobs[:0], l.text[:0]
}

func (l *loader) decode(d *decoder, part []job) {
	var layout []place
	for i := range part {
		f, err := d.read(l.text[part[i].from:part[i].to], l.reader.origin)
		if err != nil {
			part[i].err = err
			continue
		}
		part[i].frame = f.clone(layout)
		layout = part[i].frame.layout
	}
}

// keep appends a frame, which shares the layout of the one before where it can.
func (l *loader) keep(f frame) {
	if n := len(l.out.frames); n > 0 && slices.Equal(l.out.frames[n-1].layout, f.layout) {
		f.layout = l.out.frames[n-1].layout
	}
	f.begins = f.begins || l.again
	l.again = false
	l.out.frames = append(l.out.frames, f)
}

// clone copies a frame; layout is shared where it is the same.
func (f *frame) clone(layout []place) frame {
	out := *f
	out.numbers, out.states, out.layout = slices.Clone(f.numbers), slices.Clone(f.states), layout
	if !slices.Equal(layout, f.layout) {
		out.layout = slices.Clone(f.layout)
	}
	return out
}
