package chart

import (
	"strings"
	"unicode/utf8"

	"stormtop/collector"
)

// Class says what a run of cells is, so that a screen can choose its colour.
type Class uint8

// The classes. The zero value is Plain.
const (
	Plain          Class = iota // empty cells
	Area                        // the body of the area below the first curve
	Line                        // the cells in which the first curve itself runs
	Above                       // area and curve beyond the first threshold
	Capped                      // the mark of an infinite value at the top
	Second                      // further curves
	ThresholdLine               // threshold lines
	ThresholdLabel              // labels of thresholds, at the right
	Name                        // names of curves, at the right
	Rule                        // the lines of both axes
	Label                       // labels of both axes
	GapMark                     // missing or failed, on the time axis
	IdleMark                    // idle, on the time axis
	DoubtMark                   // stale or partial, on the time axis
	BandOK                      // the state band: calm
	BandBlind                   // no data
	BandPending
	BandHeld
	BandFiring
	Cursor   // the line of the time cursor
	Under    // a sign that stays as it is under the cursor
	MarkSign // marks, and the stretches between two of them, on the time axis

	// NumClasses bounds arrays that are indexed by Class.
	NumClasses
)

// Run is a piece of a row whose cells share a class. Text is valid until the
// canvas is drawn on again; every rune in it is one cell wide.
type Run struct {
	Text  []byte
	Class Class
	Open  bool // of the newest bucket, which later readings may still change
}

// Canvas is a picture made of cells, together with the memory that drawing it
// takes, so that drawing again allocates nothing. The zero value is ready to
// use. A Canvas is not safe for concurrent use.
type Canvas struct {
	w, h  int
	cells []cell
	text  []byte
	runs  []Run
	rows  []int // index of the first run of each row, and one more

	axis    Axis
	left    int
	buckets [][]Bucket
	area    []span // of the first curve
	line    []span // of another one
	worst   []State
	stamp   []byte
	ticks   []tick
	notes   []note
	labels  map[labelKey]string
}

type cell struct {
	r     rune
	class Class
	open  bool
}

// Size is the width and height of the picture in cells.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// Axis is the time axis of the chart that was drawn last, for those who want to
// know which column an instant is in.
func (c *Canvas) Axis() Axis { return c.axis }

// Left is the cell in which the columns of the chart that was drawn last begin.
func (c *Canvas) Left() int { return c.left }

// Row returns the runs of row y, from the left, which together are exactly the
// width of the picture. They are valid until the canvas is drawn on again.
func (c *Canvas) Row(y int) []Run {
	if y < 0 || y >= c.h {
		return nil
	}
	return c.runs[c.rows[y]:c.rows[y+1]]
}

// String is the picture without classes, rows joined by line feeds.
func (c *Canvas) String() string {
	var b strings.Builder
	for y := range c.h {
		if y > 0 {
			b.WriteByte('\n')
		}
		for _, r := range c.Row(y) {
			b.Write(r.Text)
		}
	}
	return b.String()
}

// reset makes the canvas w by h empty cells; nothing when either is below 1.
func (c *Canvas) reset(w, h int) bool {
	if w < 1 || h < 1 {
		w, h = 0, 0
	}
	c.w, c.h, c.left, c.axis = w, h, 0, Axis{}
	c.cells = grow(c.cells, w*h)
	for i := range c.cells {
		c.cells[i] = cell{r: ' '}
	}
	c.text, c.runs, c.rows = c.text[:0], c.runs[:0], c.rows[:0]
	return w > 0
}

func (c *Canvas) at(x, y int) *cell { return &c.cells[y*c.w+x] }

func (c *Canvas) set(x, y int, r rune, class Class) {
	p := c.at(x, y)
	p.r, p.class = r, class
}

// write puts text at x, cut at the edge of the canvas.
func (c *Canvas) write(x, y int, s string, class Class) {
	for _, r := range s {
		if x >= c.w {
			return
		}
		if x >= 0 {
			c.set(x, y, r, class)
		}
		x++
	}
}

// finish turns the cells into runs.
func (c *Canvas) finish() {
	for y := range c.h {
		c.rows = append(c.rows, len(c.runs))
		row := c.cells[y*c.w : (y+1)*c.w]
		for x := 0; x < len(row); {
			first, from := row[x], len(c.text)
			for x < len(row) && row[x].class == first.class && row[x].open == first.open {
				c.text = utf8.AppendRune(c.text, row[x].r)
				x++
			}
			// The text may move while it grows: lengths now, slices below.
			c.runs = append(c.runs, Run{Text: c.text[from:], Class: first.class, Open: first.open})
		}
	}
	c.rows = append(c.rows, len(c.runs))
	from := 0
	for i := range c.runs {
		n := len(c.runs[i].Text)
		c.runs[i].Text = c.text[from : from+n : from+n]
		from += n
	}
}

// grow returns a slice of length n, reusing s where it is large enough.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// width is the number of cells of a label: one for each rune.
func width(s string) int { return utf8.RuneCountInString(s) }

// clip cleans a text from outside and cuts it to n cells.
func clip(s string, n int) string { return cut(collector.Clean(s), n) }

func cut(s string, n int) string {
	if width(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
