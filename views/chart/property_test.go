package chart_test

import (
	"math"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"stormtop/collector"
	"stormtop/views/chart"
)

// reading is one point of a random series.
type reading struct {
	at time.Time
	v  collector.Value
}

func seriesOf(readings []reading) collector.Series {
	at, values := make([]time.Time, len(readings)), make([]collector.Value, len(readings))
	for i, r := range readings {
		at[i], values[i] = r.at, r.v
	}
	return collector.NewSeries(at, values)
}

var allStates = []collector.State{
	collector.Missing, collector.Ok, collector.Idle, collector.Infinite,
	collector.Stale, collector.Partial, collector.Failed,
}

func readings(least int) *rapid.Generator[[]reading] {
	return rapid.Custom(func(t *rapid.T) []reading {
		n := rapid.IntRange(least, 120).Draw(t, "n")
		at := start.Add(time.Duration(rapid.IntRange(0, 100_000).Draw(t, "offset")) * time.Millisecond)
		out := make([]reading, n)
		for i := range out {
			at = at.Add(time.Duration(rapid.SampledFrom([]int{1000, 4900, 5000, 5000, 5000, 5100, 15000, 90000}).Draw(t, "distance")) * time.Millisecond)
			v := collector.Value{V: rapid.Float64Range(0, 4).Draw(t, "v"), State: collector.Ok, Unit: collector.Ratio}
			if rapid.IntRange(0, 4).Draw(t, "other") == 0 {
				v = v.With(rapid.SampledFrom(allStates).Draw(t, "state"))
			}
			out[i] = reading{at, v}
		}
		return out
	})
}

var anyFloat = rapid.OneOf(
	rapid.Float64(),
	rapid.SampledFrom([]float64{0, 1, -1, 1.5, 5e-324, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}),
)

// TestAnyInputGivesAPictureOfTheAskedSize draws whatever the types allow.
func TestAnyInputGivesAPictureOfTheAskedSize(t *testing.T) {
	var c chart.Canvas
	rapid.Check(t, func(t *rapid.T) {
		spec := anySpec(t)
		w, h := rapid.IntRange(-2, 130).Draw(t, "w"), rapid.IntRange(-2, 30).Draw(t, "h")
		c.Chart(w, h, spec)
		checkSize(t, &c, w, h)
		c.Spark(w, &chart.SparkSpec{
			Timing: spec.Timing, Range: spec.Range, Glyphs: spec.Glyphs,
			Above: anyFloat.Draw(t, "above"), Cursor: spec.Cursor,
		})
		checkSize(t, &c, w, 1)
	})
}

func anySpec(t *rapid.T) *chart.Spec {
	spec := &chart.Spec{
		Timing: chart.Timing{
			Now:     start.Add(time.Duration(rapid.Int64Range(-1e15, 1e15).Draw(t, "now"))),
			Span:    time.Duration(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 1e13)).Draw(t, "span")),
			Spacing: time.Duration(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 1e11)).Draw(t, "spacing")),
			History: time.Duration(rapid.Int64().Draw(t, "history")),
		},
		Unit:      collector.Unit(rapid.IntRange(0, 6).Draw(t, "unit")),
		Glyphs:    chart.Glyphs(rapid.IntRange(0, 3).Draw(t, "glyphs")),
		TimeAxis:  rapid.Bool().Draw(t, "axis"),
		StateBand: rapid.Bool().Draw(t, "band"),
		NoLabels:  rapid.Bool().Draw(t, "bare"),
		Gutter:    rapid.IntRange(-3, 20).Draw(t, "gutter"),
		Margin:    rapid.IntRange(-3, 20).Draw(t, "margin"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "curves") {
		rs := readings(0).Draw(t, "readings")
		for i := range rs {
			if rapid.IntRange(0, 5).Draw(t, "odd") == 0 {
				rs[i].v.V = anyFloat.Draw(t, "any")
			}
		}
		spec.Curves = append(spec.Curves, chart.Curve{Series: seriesOf(rs), Name: rapid.SampledFrom([]string{"", "x", "attempts", "much too long a name for a chart"}).Draw(t, "name")})
		if len(rs) > 0 && rapid.Bool().Draw(t, "live") {
			spec.Timing.Now = rs[len(rs)-1].at
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "thresholds") {
		spec.Thresholds = append(spec.Thresholds, chart.Threshold{
			At: anyFloat.Draw(t, "at"), Compare: collector.Comparison(rapid.IntRange(0, 5).Draw(t, "compare")),
		})
	}
	for range rapid.IntRange(0, 3).Draw(t, "intervals") {
		when := func() time.Time {
			return spec.Timing.Now.Add(time.Duration(rapid.Int64Range(-2e12, 1e12).Draw(t, "when")))
		}
		iv := chart.Interval{From: when(), State: chart.State(rapid.IntRange(0, 7).Draw(t, "state"))}
		if rapid.Bool().Draw(t, "ended") {
			iv.To = when()
		}
		if len(spec.Bands) == 0 || rapid.Bool().Draw(t, "another band") {
			spec.Bands = append(spec.Bands, chart.Band{Text: rapid.StringMatching(`[a-z0-9>%. ]{0,12}`).Draw(t, "text")})
		}
		last := &spec.Bands[len(spec.Bands)-1]
		last.Intervals = append(last.Intervals, iv)
	}
	near := func(what string) time.Time {
		return spec.Timing.Now.Add(time.Duration(rapid.Int64Range(-2e12, 1e12).Draw(t, what)))
	}
	for range rapid.IntRange(0, 3).Draw(t, "marks") {
		m := chart.Mark{From: near("mark")}
		if rapid.Bool().Draw(t, "incident") {
			m.To = near("end")
		}
		spec.Marks = append(spec.Marks, m)
	}
	if rapid.Bool().Draw(t, "cursor") {
		spec.Cursor = near("cursor")
	}
	if rapid.Bool().Draw(t, "fixed") {
		spec.Range = chart.Range{Lo: anyFloat.Draw(t, "lo"), Hi: anyFloat.Draw(t, "hi")}
	}
	return spec
}

// fataler is what testing.T and rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkSize(t fataler, c *chart.Canvas, w, h int) {
	t.Helper()
	if w < 1 || h < 1 {
		w, h = 0, 0
	}
	if gw, gh := c.Size(); gw != w || gh != h {
		t.Fatalf("size is %dx%d, want %dx%d", gw, gh, w, h)
	}
	for y := range h {
		var row []byte
		for _, r := range c.Row(y) {
			if r.Class >= chart.NumClasses || len(r.Text) == 0 {
				t.Fatalf("row %d holds a run of class %d with text %q", y, r.Class, r.Text)
			}
			row = append(row, r.Text...)
		}
		if n := utf8.RuneCount(row); n != w || ansi.StringWidth(string(row)) != w {
			t.Fatalf("row %d has %d runes and is %d cells wide, want %d: %q", y, n, ansi.StringWidth(string(row)), w, row)
		}
	}
	if c.Row(-1) != nil || c.Row(h) != nil {
		t.Fatalf("rows outside the picture are not empty")
	}
}

// TestEveryBucketHoldsTheLargestOfItsReadings compares with the plain definition.
func TestEveryBucketHoldsTheLargestOfItsReadings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rs := readings(1).Draw(t, "readings")
		now := rs[len(rs)-1].at
		timing := chart.Timing{Now: now, Span: time.Duration(rapid.IntRange(10, 3600).Draw(t, "span")) * time.Second, Spacing: 5 * time.Second, History: 24 * time.Hour}
		a := timing.Axis(rapid.IntRange(1, 130).Draw(t, "cols"))
		per := rapid.IntRange(1, 2).Draw(t, "per")
		for b, got := range a.Buckets(nil, seriesOf(rs), per) {
			from := a.Start().Add(time.Duration(b) * a.Step() / time.Duration(per))
			to := a.Start().Add(time.Duration(b+1) * a.Step() / time.Duration(per))
			peak, infinite, any := math.Inf(-1), false, false
			for _, r := range rs {
				if r.at.Before(from) || !r.at.Before(to) {
					continue
				}
				any = true
				infinite = infinite || r.v.State == collector.Infinite
				if f, ok := r.v.Number(); ok {
					peak = max(peak, f)
				}
			}
			switch {
			case infinite && got.Kind != chart.Infinite:
				t.Fatalf("bucket %d holds an infinite reading but is %v", b, got)
			case !infinite && peak >= 0 && (got.Kind != chart.Number || got.Max != peak):
				t.Fatalf("bucket %d is %v, its largest number is %v", b, got, peak)
			case any && peak < 0 && !infinite && got.Kind >= chart.Number:
				t.Fatalf("bucket %d is %v without a known reading", b, got)
			}
		}
	})
}

// TestEveryReadingAboveTheThresholdShows looks for it in its column.
func TestEveryReadingAboveTheThresholdShows(t *testing.T) {
	var c chart.Canvas
	rapid.Check(t, func(t *rapid.T) {
		rs := readings(1).Draw(t, "readings")
		threshold := rapid.Float64Range(1, 4).Draw(t, "threshold")
		spec := full(rs[len(rs)-1].at, 5*time.Second, collector.Ratio, chart.Curve{Series: seriesOf(rs)})
		spec.Timing.History = 24 * time.Hour
		spec.Thresholds = []chart.Threshold{{At: threshold}}
		spec.Glyphs = rapid.SampledFrom(glyphSets).Draw(t, "glyphs")
		w, h := rapid.IntRange(1, 130).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h")
		c.Chart(w, h, spec)
		shown := columnClasses(&c)
		for _, r := range rs {
			col, ok := c.Axis().Column(r.at)
			if f, has := r.v.Float(); !ok || !has || !(f > threshold) {
				continue
			}
			if cl := shown[c.Left()+col]; !cl[chart.Above] && !cl[chart.Capped] {
				t.Fatalf("%v at %v is above %v but column %d of %dx%d does not show it:\n%s", r.v, r.at, threshold, col, w, h, c.String())
			}
		}
	})
}

func columnClasses(c *chart.Canvas) []map[chart.Class]bool {
	w, h := c.Size()
	out := make([]map[chart.Class]bool, w)
	for x := range out {
		out[x] = map[chart.Class]bool{}
	}
	for y := range h {
		x := 0
		for _, r := range c.Row(y) {
			for range utf8.RuneCount(r.Text) {
				out[x][r.Class] = true
				x++
			}
		}
	}
	return out
}

// TestClosedColumnsStay draws the same history before and after one more
// reading: whatever the two pictures both show of closed columns is the same,
// moved by whole cells.
func TestClosedColumnsStay(t *testing.T) {
	var before, after chart.Canvas
	rapid.Check(t, func(t *rapid.T) {
		rs := readings(7).Draw(t, "readings")
		glyphs := rapid.SampledFrom(glyphSets).Draw(t, "glyphs")
		w, h := rapid.IntRange(1, 130).Draw(t, "w"), rapid.IntRange(1, 20).Draw(t, "h")
		span := time.Duration(rapid.IntRange(60, 3600).Draw(t, "span")) * time.Second
		draw := func(c *chart.Canvas, rs []reading) {
			spec := full(rs[len(rs)-1].at, 5*time.Second, collector.Ratio, chart.Curve{Series: seriesOf(rs)})
			spec.Timing.Span, spec.Timing.History = span, 24*time.Hour
			spec.Range = chart.Range{Lo: 0, Hi: 4}
			spec.Glyphs = glyphs
			spec.TimeAxis = false
			c.Chart(w, h, spec)
		}
		draw(&before, rs[:len(rs)-1])
		draw(&after, rs)
		moved := int(after.Axis().Start().Sub(before.Axis().Start()) / after.Axis().Step())
		left, cols := after.Left(), after.Axis().Columns()
		for y := range h {
			old, now := []rune(rowText(&before, y)), []rune(rowText(&after, y))
			// The first column leans on one that may have left the picture.
			for x := 1; x+moved < cols-1; x++ {
				if old[left+x+moved] != now[left+x] {
					t.Fatalf("row %d, column %d changed when one more reading came:\n%s\n\n%s", y, x, before.String(), after.String())
				}
			}
		}
	})
}

func rowText(c *chart.Canvas, y int) string {
	var out []byte
	for _, r := range c.Row(y) {
		out = append(out, r.Text...)
	}
	return string(out)
}

// FuzzChart draws from raw bytes: a size, then values.
func FuzzChart(f *testing.F) {
	f.Add(72, 9, uint8(0), int64(900), 1.5, []byte("\x00\x01\x02storm"))
	f.Add(0, -1, uint8(2), int64(0), math.NaN(), []byte{})
	f.Add(1, 1, uint8(1), int64(-5), math.MaxFloat64, []byte{255, 254})
	f.Fuzz(func(t *testing.T, w, h int, kind uint8, span int64, scale float64, data []byte) {
		w, h = w%400, h%100
		rs := make([]reading, len(data))
		for i, b := range data {
			v := collector.Value{V: float64(b) / 64 * scale, State: collector.State(b % 9)}
			rs[i] = reading{start.Add(time.Duration(i) * 5 * time.Second), v}
		}
		spec := full(start.Add(time.Duration(len(data))*5*time.Second), 5*time.Second, collector.Unit(kind%7), chart.Curve{Series: seriesOf(rs)})
		spec.Timing.Span = time.Duration(span)
		spec.Glyphs = chart.Glyphs(kind % 4)
		spec.Thresholds = []chart.Threshold{{At: scale}}
		var c chart.Canvas
		c.Chart(w, h, spec)
		checkSize(t, &c, w, h)
	})
}
