package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	"stormtop/collector"
)

// ErrClosed is returned when something is written behind Close.
var ErrClosed = errors.New("the recording is closed")

// syncEvery is how much time of the data passes between two calls of sync.
const syncEvery = 30 * time.Second

// Writer writes a recording. Every line is one Write of one line, so that a
// program that is killed leaves at most one line unfinished. After an error
// nothing more is written and every call returns that error. Its methods may be
// called from any goroutine.
type Writer struct {
	mu     sync.Mutex
	out    io.Writer
	sync   func() error
	header *Header // not written yet; nil: it was, or none was given
	packer packer
	buf    []byte
	origin *collector.Origin // the one in use
	told   []byte            // the line that said so
	synced time.Time         // the data's time of the last sync
	err    error
}

// NewWriter makes a writer to out. sync, which may be nil, brings what was
// written to the disk: it is called for every mark, once in 30 seconds of the
// data, and by Close.
func NewWriter(out io.Writer, sync func() error) *Writer {
	return &Writer{out: out, sync: sync}
}

// Header gives the first line. Without an Origin it is held back until the first
// reading, whose origin it takes, or until something else is written.
func (w *Writer) Header(h Header) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begin(nil); w.err == nil {
		w.header = &h
		if h.Origin != nil {
			w.begin(nil)
		}
	}
	return w.err
}

// begin writes the header, if that is still to be done.
func (w *Writer) begin(origin *collector.Origin) {
	if w.header == nil {
		return
	}
	h := *w.header
	w.header = nil
	if h.Origin == nil {
		h.Origin = origin
	}
	w.packer.forget()
	w.origin, w.told = nil, nil
	w.object(wireHeader(h))
	if h.Origin != nil {
		w.origin, w.told = h.Origin, w.describe(h.Origin)
	}
}

// Reading writes a reading, and before it what it needs: its origin when that is
// another one, and targets that were not seen before.
func (w *Writer) Reading(r *collector.Reading) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(r.Origin)
	if r.Origin != nil && r.Origin != w.origin {
		w.origin = r.Origin
		if line := w.describe(r.Origin); !bytes.Equal(line, w.told) {
			w.told = line
			w.line(line, maxObject)
		}
	}
	f := w.packer.pack(r)
	declare(w, w.packer.fresh.targets, wireTarget, func(list []targetWire) any { return targetsLine{"targets", list} })
	declare(w, w.packer.fresh.shapes, wireShape, func(list []shapeWire) any { return shapesLine{"shapes", list} })
	w.buf = appendReading(w.buf[:0], f, w.packer.places)
	w.line(w.buf, maxLine)
	if away := r.At.Sub(w.synced); away >= syncEvery || away < 0 {
		w.flush()
		w.synced = r.At
	}
	return w.err
}

// declare writes what the packer saw for the first time, some in a line.
func declare[K, W any](w *Writer, fresh []*known[K], wire func(*known[K]) W, line func([]W) any) {
	for len(fresh) > 0 {
		n := min(len(fresh), perLine)
		list := make([]W, n)
		for i, k := range fresh[:n] {
			list[i] = wire(k)
		}
		w.object(line(list))
		fresh = fresh[n:]
	}
}

// Event writes something that happened.
func (w *Writer) Event(e collector.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(nil)
	w.object(wireEvent(e))
	return w.err
}

// Mark writes an instant that a person named.
func (w *Writer) Mark(m collector.Mark) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(nil)
	w.object(markLine{"mark", m.At.UTC().Round(0), text(m.Text)})
	w.flush()
	return w.err
}

// Close ends the recording; what it writes to is left open. The error is the
// first one that there was, nil when all is written.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begin(nil)
	w.flush()
	if err := w.err; err != nil {
		if errors.Is(err, ErrClosed) {
			return nil
		}
		return err
	}
	w.err = ErrClosed
	return nil
}

func (w *Writer) describe(o *collector.Origin) []byte {
	line, err := encode(originLine{"origin", wireOrigin(o)})
	if err != nil && w.err == nil {
		w.err = err
	}
	return line
}

func (w *Writer) object(v any) {
	line, err := encode(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.line(line, maxObject)
}

// line writes one line, its end included, unless it is longer than what is read.
func (w *Writer) line(b []byte, most int) {
	switch {
	case w.err != nil:
		return
	case len(b) > most:
		w.err = fmt.Errorf("a line of %d MiB does not fit into a recording: at most %d MiB are read back", len(b)>>20, most>>20)
		return
	}
	n, err := w.out.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil {
		w.err = fmt.Errorf("the recording cannot be written: %w", err)
	}
}

func (w *Writer) flush() {
	if w.err != nil || w.sync == nil {
		return
	}
	// A pipe or a device has no disk behind it.
	if err := w.sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		w.err = fmt.Errorf("the recording cannot be brought to the disk: %w", err)
	}
}

// encode is one line of JSON.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("a line of the recording cannot be encoded: %w", err)
	}
	return b.Bytes(), nil
}
