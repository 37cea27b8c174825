package chart

import "time"

// Timing says which time a chart shows. One Timing serves all charts of a
// screen; each makes its own Axis of it, as wide as it is.
type Timing struct {
	Now     time.Time      // the newest reading
	Span    time.Duration  // time that must fit on the chart
	Spacing time.Duration  // interval between readings; 0: as wide as a column
	History time.Duration  // how far the series reach back from Now where that is more than Span: the columns that Span does not need are then filled, too
	Zone    *time.Location // of the labels; nil is UTC
}

// Axis divides time into columns: buckets of one friendly width (a divisor of
// an hour or a multiple of it), aligned to absolute time. The last column holds
// Now and is still open.
type Axis struct {
	cols    int
	first   int   // the first column that the history fills for certain
	step    int64 // nanoseconds a column
	start   int64 // Unix nanoseconds of the left edge
	now     int64
	spacing int64
	zone    *time.Location
}

const (
	maxSpan = 10 * 365 * 24 * time.Hour
	maxNow  = 1 << 62 // 146 years around 1970, in nanoseconds
)

// steps are the widths of a column in the order of choice.
var steps = func() []int64 {
	var out []int64
	for _, ms := range []int64{100, 200, 250, 500} {
		out = append(out, ms*int64(time.Millisecond))
	}
	for s := int64(1); s <= 3600; s++ {
		if 3600%s == 0 {
			out = append(out, s*int64(time.Second))
		}
	}
	for _, h := range []int64{2, 3, 4, 6, 8, 12, 24, 48, 96, 168, 336, 672, 1344, 4032, 8064} {
		out = append(out, h*int64(time.Hour))
	}
	return out
}()

// Axis makes the axis of a chart of cols columns: the smallest friendly width
// with which at least 98 % of the span fit.
func (t Timing) Axis(cols int) Axis {
	cols = max(cols, 1)
	span := int64(min(max(t.Span, time.Second), maxSpan))
	const day = int64(24 * time.Hour)
	step := (span/int64(cols)/day + 1) * day
	for _, s := range steps {
		if s*int64(cols) >= span-span/50 {
			step = s
			break
		}
	}
	now := min(max(t.Now.UnixNano(), -maxNow), maxNow)
	end := (floorDiv(now, step) + 1) * step
	a := Axis{cols: cols, step: step, start: end - step*int64(cols), now: now, zone: t.Zone}
	if a.zone == nil {
		a.zone = time.UTC
	}
	if a.spacing = int64(min(t.Spacing, maxSpan)); a.spacing <= 0 {
		a.spacing = step
	}
	// What reaches back exactly one span has lost a part of the column before
	// this one by the time the newest column closes.
	full := end - max(span, int64(min(t.History, maxSpan)))
	a.first = int(min(max(-floorDiv(a.start-full, step), 0), int64(cols-1)))
	return a
}

// Columns is the number of columns.
func (a Axis) Columns() int { return a.cols }

// Step is the width of a column.
func (a Axis) Step() time.Duration { return time.Duration(a.step) }

// Start is the left edge of the first column.
func (a Axis) Start() time.Time { return time.Unix(0, a.start).In(a.zoneOrUTC()) }

// Column is the column that holds t; ok is false when t is left or right of the axis.
func (a Axis) Column(t time.Time) (col int, ok bool) {
	if a.step == 0 {
		return 0, false
	}
	i := floorDiv(t.UnixNano()-a.start, a.step)
	return int(i), i >= 0 && i < int64(a.cols)
}

// Time is the beginning of a column.
func (a Axis) Time(col int) time.Time {
	return time.Unix(0, a.start+int64(col)*a.step).In(a.zoneOrUTC())
}

func (a Axis) zoneOrUTC() *time.Location {
	if a.zone == nil {
		return time.UTC
	}
	return a.zone
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
