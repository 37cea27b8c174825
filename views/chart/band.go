package chart

import "time"

// State is an alert state in the state band.
type State uint8

// The states, in ascending precedence: a column shows the worst of its time.
const (
	NoState State = iota // nothing is known, nothing is drawn
	OK
	Blind // no data
	Pending
	Held // firing, but it cannot be judged at present
	Firing

	numStates
)

var stateClasses = [numStates]Class{
	NoState: Plain, OK: BandOK, Blind: BandBlind, Pending: BandPending, Held: BandHeld, Firing: BandFiring,
}

// Interval is a time in which an alert state held: From included, To excluded;
// an interval without length is an instant. A zero To means until now.
type Interval struct {
	From, To time.Time
	State    State
}

// Band is a row of alert states over time. The intervals may overlap, the worst
// shows. Text stands at the right edge, where there is room.
type Band struct {
	Intervals []Interval
	Text      string
}

// drawBand draws the worst state of every column at row y.
func (f *frame) drawBand(y int, b *Band) {
	f.c.worst = grow(f.c.worst, f.cols)
	clear(f.c.worst)
	for i := range b.Intervals {
		iv := &b.Intervals[i]
		if iv.State >= numStates {
			continue
		}
		lo, hi, ok := f.axis.columns(iv.From, iv.To)
		for x := lo; ok && x <= hi; x++ {
			f.c.worst[x] = max(f.c.worst[x], iv.State)
		}
	}
	for x, s := range f.c.worst {
		f.c.set(f.left+x, y, f.set.band[s], stateClasses[s])
	}
	if x := f.left + f.cols + 1; b.Text != "" && x < f.c.w {
		f.c.write(x, y, clip(b.Text, f.c.w-x), ThresholdLabel)
	}
}

// columns are the first and last column that touch the time from a to b.
func (a Axis) columns(from, to time.Time) (lo, hi int, ok bool) {
	last := a.now
	if !to.IsZero() {
		last = min(last, max(to.UnixNano()-1, from.UnixNano()))
	}
	first := max(from.UnixNano(), a.start)
	if from.IsZero() {
		first = a.start
	}
	if first > last || last < a.start || a.step == 0 {
		return 0, 0, false
	}
	lo = int((first - a.start) / a.step)
	hi = int((last - a.start) / a.step)
	return lo, min(hi, a.cols-1), lo < a.cols
}

// StripSpec says what a row of alert states shows.
type StripSpec struct {
	Timing Timing
	Band   Band
	Glyphs Glyphs
	Cursor time.Time // the column of this instant is under the cursor; zero: none
}

// Strip draws a row of alert states alone, w columns wide.
func (c *Canvas) Strip(w int, spec *StripSpec) {
	if !c.reset(w, 1) {
		return
	}
	c.axis, c.left = spec.Timing.Axis(w), 0
	f := frame{c: c, spec: &Spec{}, set: spec.Glyphs.set(), rows: 1, cols: w, axis: c.axis}
	band := spec.Band
	band.Text = ""
	f.drawBand(0, &band)
	c.at(w-1, 0).open = true
	if x, ok := c.axis.at(spec.Cursor); ok {
		c.at(x, 0).class = Under
	}
	c.finish()
}
