package chart

import (
	"math"
	"time"

	"stormtop/collector"
)

// Curve is one signal on a chart.
type Curve struct {
	Series collector.Series
	Name   string // stands at the right edge, at the height of the newest value; "" for none
}

// Threshold is a dashed line across a chart.
type Threshold struct {
	At      float64 // in the unit of the chart; what is not finite is left out
	Compare collector.Comparison
	Text    string // the label at the right edge; "" is made of the rest: ">1.5x"
}

// Spec says what a chart shows. The zero value shows nothing at all and may
// still be drawn.
type Spec struct {
	Timing     Timing
	Unit       collector.Unit
	Curves     []Curve     // the first is an area, the others are lines
	Thresholds []Threshold // the first decides what is Above
	Bands      []Band      // rows of alert states below the plot
	Range      Range       // zero: chosen from what is seen
	Glyphs     Glyphs
	Marks      []Mark    // on the time axis
	Cursor     time.Time // a line at this instant, over all that is drawn; zero: none

	TimeAxis  bool // draw the time axis (height 3 and up)
	StateBand bool // draw the bands (height 4 and up; those that leave no room are left out, the last first)
	NoLabels  bool // leave out the labels at the left, as in small charts
	Gutter    int  // least width of the labels at the left, to align charts
	Margin    int  // least width of the labels at the right, to align charts
}

const (
	leastColumns  = 12 // labels at the left give way to this many columns
	roomyColumns  = 24 // and those at the right to this many
	longestMargin = 24
)

// Chart draws a chart of w by h cells: the plot, below it the time axis, below
// that the state band.
func (c *Canvas) Chart(w, h int, spec *Spec) {
	if !c.reset(w, h) {
		return
	}
	f := frame{c: c, spec: spec, set: spec.Glyphs.set(), rows: h}
	if spec.TimeAxis && h >= 3 {
		f.timeAxis = true
		f.rows--
	}
	if spec.StateBand && h >= 4 {
		f.bands = min(max(len(spec.Bands), 1), f.rows-2)
		f.rows -= f.bands
	}
	f.layOut(w)
	f.draw()
	c.finish()
}

// frame is one chart while it is drawn.
type frame struct {
	c    *Canvas
	spec *Spec
	set  *set

	timeAxis         bool
	bands            int // rows of alert states
	rows, left, cols int // of the plot
	axis             Axis
	scale            scale
}

// layOut shares the width out among labels and plot. The labels at the left
// depend on the range of values, which depends on the columns that are left:
// the gutter starts at a usual width and grows until the labels fit.
func (f *frame) layOut(w int) {
	margin := f.margin()
	gutter := 0
	if !f.spec.NoLabels {
		gutter = max(usualGutter(f.spec.Unit), f.spec.Gutter)
	}
	for range 3 {
		f.left = 0
		if gutter > 0 && w-gutter-1 >= leastColumns {
			f.left = gutter + 1
		}
		f.cols = w - f.left
		if margin > 0 && f.cols-margin >= roomyColumns {
			f.cols -= margin
		}
		f.fill()
		wide := f.c.makeTicks(f.scale, f.spec.Unit, f.set.dots)
		if f.left == 0 || wide <= gutter {
			break
		}
		gutter = wide
	}
	f.c.axis, f.c.left = f.axis, f.left
}

func usualGutter(u collector.Unit) int {
	if u == collector.PerSecond {
		return 7 // 1,998/s
	}
	return 5 // 2.50x, 12.5%, 240ms, 1,204
}

// margin is the width of the labels at the right, a blank in front of them.
func (f *frame) margin() int {
	wide := 0
	for i := range f.spec.Thresholds {
		if t := &f.spec.Thresholds[i]; t.finite() {
			wide = max(wide, width(f.label(t)))
		}
	}
	for i := range f.spec.Curves {
		wide = max(wide, width(f.spec.Curves[i].Name))
	}
	if f.bands > 0 {
		for i := range f.spec.Bands {
			wide = max(wide, width(f.spec.Bands[i].Text))
		}
	}
	if wide > 0 {
		wide = min(wide, longestMargin) + 1
	}
	return max(wide, f.spec.Margin)
}

func (t *Threshold) finite() bool { return !math.IsNaN(t.At) && !math.IsInf(t.At, 0) }

func (f *frame) label(t *Threshold) string {
	if t.Text != "" {
		return clip(t.Text, longestMargin)
	}
	return cut(f.c.cached(labelKey{v: t.At, unit: f.spec.Unit, compare: int8(t.Compare & 0x7f)}), longestMargin)
}

// fill sorts the readings into the columns and chooses the range of values.
func (f *frame) fill() {
	f.axis = f.spec.Timing.Axis(f.cols)
	n := len(f.spec.Curves)
	for len(f.c.buckets) < n {
		f.c.buckets = append(f.c.buckets, nil)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range n {
		f.c.buckets[i] = f.axis.Buckets(f.c.buckets[i], f.spec.Curves[i].Series, f.set.sub)
		for _, b := range f.c.buckets[i] {
			if b.Kind == Number {
				lo, hi = min(lo, b.Max), max(hi, b.Max)
			}
		}
	}
	if f.spec.Range != (Range{}) {
		f.scale = fixedScale(f.spec.Range, f.spec.Unit, f.rows)
		return
	}
	threshold := math.Inf(-1)
	for i := range f.spec.Thresholds {
		if t := &f.spec.Thresholds[i]; t.finite() {
			threshold = max(threshold, t.At)
			lo = min(lo, t.At)
		}
	}
	f.scale = newScale(lo, hi, threshold, f.spec.Unit, f.rows)
}

func (f *frame) draw() {
	f.drawThresholds()
	for i := range f.spec.Curves {
		if i == 0 {
			f.c.area = f.spans(f.c.area, f.c.buckets[i], false)
			f.drawArea(f.c.area)
			continue
		}
		f.c.line = f.spans(f.c.line, f.c.buckets[i], true)
		if f.set.sub == 2 {
			f.drawDots(f.c.line)
		} else {
			f.drawCurve(f.c.line)
		}
	}
	f.drawGutter()
	f.drawNotes()
	f.drawMarks()
	for i := range f.bands {
		var b Band
		if i < len(f.spec.Bands) {
			b = f.spec.Bands[i]
		}
		f.drawBand(f.c.h-f.bands+i, &b)
	}
	f.drawCursor()
	f.markOpen()
}

// markOpen marks what the newest column shows as not final.
func (f *frame) markOpen() {
	for y := range f.c.h {
		switch p := f.c.at(f.left+f.cols-1, y); p.class {
		case Plain, Rule, Label, ThresholdLine:
		default:
			p.open = true
		}
	}
}

// row turns a row counted from the bottom of the plot into one of the canvas.
func (f *frame) row(fromBottom int) int { return f.rows - 1 - fromBottom }

// drawGutter draws the labels at the left and the wall of the plot.
func (f *frame) drawGutter() {
	if f.left == 0 {
		return
	}
	for y := range f.rows {
		f.c.set(f.left-1, y, f.set.wall, Rule)
	}
	for _, t := range f.c.ticks {
		f.c.write(max(f.left-1-width(t.text), 0), f.row(t.row), cut(t.text, f.left-1), Label)
	}
}
