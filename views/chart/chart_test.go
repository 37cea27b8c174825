package chart_test

import (
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/views/chart"
)

func TestAxisChoosesTheSmallestFriendlyStepThatFits(t *testing.T) {
	for _, tc := range []struct {
		span time.Duration
		cols int
		step time.Duration
	}{
		{15 * time.Minute, 60, 15 * time.Second},
		{15 * time.Minute, 72, 15 * time.Second},
		{15 * time.Minute, 178, 5 * time.Second}, // 98 % of the span are enough
		{15 * time.Minute, 120, 8 * time.Second},
		{time.Minute, 120, 500 * time.Millisecond},
		{time.Hour, 60, time.Minute},
		{6 * time.Hour, 72, 5 * time.Minute},
		{24 * time.Hour, 72, 20 * time.Minute},
		{30 * 24 * time.Hour, 72, 12 * time.Hour},
		{9 * 365 * 24 * time.Hour, 1, 3286 * 24 * time.Hour},
		{0, 0, time.Second},
		{-time.Hour, 10, 100 * time.Millisecond},
	} {
		a := chart.Timing{Now: start, Span: tc.span}.Axis(tc.cols)
		if a.Step() != tc.step {
			t.Errorf("%v on %d columns: step %v, want %v", tc.span, tc.cols, a.Step(), tc.step)
		}
		if col, ok := a.Column(start); !ok || col != a.Columns()-1 {
			t.Errorf("%v on %d columns: now is in column %d, %v", tc.span, tc.cols, col, ok)
		}
		if r := a.Start().UnixNano() % int64(a.Step()); r != 0 {
			t.Errorf("%v on %d columns: starts %v off the grid", tc.span, tc.cols, time.Duration(r))
		}
	}
}

func TestHistoryBeyondTheSpanFillsSpareColumns(t *testing.T) {
	spec := ofRatio(1800, time.Second, func(float64) collector.Value { return ratio(2) })
	spec.Timing.Span = 11 * time.Minute // 12 s a column on 60: 12 minutes
	kinds := func(history time.Duration) (none int) {
		spec.Timing.History = history
		for _, b := range spec.Timing.Axis(60).Buckets(nil, spec.Curves[0].Series, 1) {
			if b.Kind == chart.None {
				none++
			}
		}
		return none
	}
	if n := kinds(0); n != 5 {
		t.Errorf("%d columns are empty, want the 5 that one span does not fill", n)
	}
	if n := kinds(time.Hour); n != 0 {
		t.Errorf("%d columns are empty although the history holds them", n)
	}
}

// TestGapsAndHolds uses a letter a bucket: # number, i idle, 8 infinite,
// x gap, . none; one reading or none a second, columns of a second.
func TestGapsAndHolds(t *testing.T) {
	for _, tc := range []struct {
		name, readings, want string
		spacing              time.Duration
	}{
		{"every second", "vvvvvvvv", "########", time.Second},
		{"before the first reading nothing", "   vvvvv", "...#####", time.Second},
		{"one reading left out is a gap", "vvvv vvv", "####x###", time.Second},
		{"sparse readings hold", "v   v   v", "#########", 4 * time.Second},
		{"a late reading holds up to one and a half spacings", "v     v", "#######", 4 * time.Second},
		{"longer than that is a gap", "v       v", "####xxxx#", 4 * time.Second},
		{"missing does not hold the number before", "v   m   v", "####xxxx#", 4 * time.Second},
		{"failed", "vvffvv", "##xx##", time.Second},
		{"idle", "vviivv", "##ii##", time.Second},
		{"infinite", "vv88vv", "##88##", time.Second},
		{"stale and partial are numbers", "vspv", "####", time.Second},
		{"coarse past, finer present", "v   v   v   v   v   vvvvv", "#########################", time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var rs []reading
			states := map[rune]collector.State{
				'v': collector.Ok, 'm': collector.Missing, 'f': collector.Failed, 'i': collector.Idle,
				'8': collector.Infinite, 's': collector.Stale, 'p': collector.Partial,
			}
			for i, r := range tc.readings {
				if st, ok := states[r]; ok {
					rs = append(rs, reading{start.Add(time.Duration(i) * time.Second), ratio(2).With(st)})
				}
			}
			n := len(tc.readings)
			timing := chart.Timing{Now: start.Add(time.Duration(n-1) * time.Second), Span: time.Duration(n) * time.Second, Spacing: tc.spacing}
			if got := letters(timing.Axis(n).Buckets(nil, seriesOf(rs), 1)); got != tc.want {
				t.Errorf("readings %q give %q, want %q", tc.readings, got, tc.want)
			}
		})
	}
}

func letters(buckets []chart.Bucket) string {
	var b strings.Builder
	for _, k := range buckets {
		b.WriteByte(".xi#8"[k.Kind])
	}
	return b.String()
}

func TestBlindSinceTheLastReadingIsAGap(t *testing.T) {
	spec := ofRatio(60, time.Second, func(float64) collector.Value { return ratio(2) })
	timing := chart.Timing{Now: spec.Timing.Now.Add(5 * time.Second), Span: 10 * time.Second, Spacing: time.Second, History: time.Minute}
	if got := letters(timing.Axis(10).Buckets(nil, spec.Curves[0].Series, 1)); got != "#####xxxxx" {
		t.Errorf("buckets are %q, want the last reading to hold for one and a half spacings", got)
	}
}

func TestBandShowsTheWorstStateOfAColumn(t *testing.T) {
	at := func(s int) time.Time { return start.Truncate(time.Minute).Add(time.Duration(s) * time.Second) }
	var c chart.Canvas
	c.Chart(12, 4, &chart.Spec{
		Timing:   chart.Timing{Now: at(119), Span: 2 * time.Minute, Spacing: time.Second},
		NoLabels: true, StateBand: true, TimeAxis: true,
		Bands: []chart.Band{{Intervals: []chart.Interval{
			{To: at(50), State: chart.OK},                     // from ever on
			{From: at(31), To: at(31), State: chart.Firing},   // an instant
			{From: at(50), To: at(70), State: chart.Pending},  // to the edge of a column
			{From: at(65), To: at(80), State: chart.OK},       // milder than what it overlaps
			{From: at(80), To: at(90), State: chart.Blind},    //
			{From: at(90), State: chart.Held},                 // until now
			{From: at(500), To: at(600), State: chart.Firing}, // beyond the axis
			{From: at(100), To: at(95), State: chart.Firing},  // backwards: an instant
		}}},
	})
	if got, want := rowText(&c, 3), "···●·◔◔·×◑●◑"; got != want {
		t.Errorf("band is %q, want %q", got, want)
	}
}

func TestLabelsAtTheLeftAreDistinctAndAscend(t *testing.T) {
	var c chart.Canvas
	for _, scene := range scenes {
		for h := 1; h <= 30; h++ {
			spec := scene.make()
			spec.TimeAxis, spec.StateBand = false, false
			c.Chart(80, h, spec)
			seen := map[string]bool{}
			for y := range h {
				label := strings.TrimSpace(string([]rune(rowText(&c, y))[:c.Left()-1]))
				if label == "" {
					continue
				}
				if seen[label] {
					t.Errorf("%s at height %d has the label %q twice", scene.name, h, label)
				}
				seen[label] = true
			}
			if n := len(seen); n < 1 || n < 2 && h >= 3 || n > 7 {
				t.Errorf("%s at height %d has %d labels:\n%s", scene.name, h, n, c.String())
			}
		}
	}
}

func TestTheNewestColumnIsOpen(t *testing.T) {
	var c chart.Canvas
	spec := scenes[0].make()
	c.Chart(72, 9, spec)
	open := 0
	for y := range 9 {
		x := 0
		for _, r := range c.Row(y) {
			n := len([]rune(string(r.Text)))
			if r.Open {
				open++
				if n != 1 || x != c.Left()+c.Axis().Columns()-1 {
					t.Errorf("row %d has %d open cells at %d", y, n, x)
				}
			}
			x += n
		}
	}
	if open == 0 {
		t.Error("no cell is open")
	}
}

func TestDrawingAgainAllocatesNothing(t *testing.T) {
	for _, scene := range scenes {
		for _, g := range glyphSets {
			spec := scene.make()
			spec.Glyphs = g
			var c chart.Canvas
			c.Chart(120, 12, spec)
			if n := testing.AllocsPerRun(10, func() { c.Chart(120, 12, spec) }); n > 0 {
				t.Errorf("%s in %v allocates %v times", scene.name, g, n)
			}
		}
	}
}

func TestParseGlyphsKnowsEveryName(t *testing.T) {
	for _, g := range glyphSets {
		if got, err := chart.ParseGlyphs(g.String()); err != nil || got != g {
			t.Errorf("ParseGlyphs(%q) = %v, %v", g, got, err)
		}
	}
	if _, err := chart.ParseGlyphs("dots"); err == nil || !strings.Contains(err.Error(), "braille, block, ascii") {
		t.Errorf("an unknown name gives %v", err)
	}
}

func TestPeakIsTheLargestFiniteNumberInTheTime(t *testing.T) {
	rs := []reading{
		{start, ratio(9)},
		{start.Add(time.Second), ratio(2)},
		{start.Add(2 * time.Second), ratio(5).With(collector.Infinite)},
		{start.Add(3 * time.Second), ratio(3)},
		{start.Add(4 * time.Second), ratio(7)},
	}
	s := seriesOf(rs)
	if v, ok := chart.Peak(s, rs[1].at, rs[3].at); !ok || v != 3 {
		t.Errorf("Peak = %v, %v, want 3", v, ok)
	}
	if _, ok := chart.Peak(s, rs[2].at, rs[2].at); ok {
		t.Error("an infinite value is no peak")
	}
}

func TestLabelsOfThresholdsStandInTheOrderOfTheirValues(t *testing.T) {
	s, now := course(60, 5*time.Second, collector.Ratio, func(x float64) collector.Value {
		return collector.Num(1+9*x, collector.Ratio, collector.Exact)
	})
	for h := 3; h < 20; h++ {
		spec := full(now, 5*time.Second, collector.Ratio, chart.Curve{Series: s})
		spec.Thresholds = []chart.Threshold{{At: 1.5}, {At: 1.11, Text: ">10%"}}
		var c chart.Canvas
		c.Chart(100, h, spec)
		text := c.String()
		high, low := strings.Index(text, ">1.5x"), strings.Index(text, ">10%")
		if low >= 0 && high > low {
			t.Errorf("height %d: 1.5x stands below 1.11x:\n%s", h, text)
		}
	}
}

func TestASparklineOfWhatIsBadWhenLowKeepsItsSmallestValue(t *testing.T) {
	s, now := course(180, 5*time.Second, collector.Fraction, func(x float64) collector.Value {
		v := 1.0
		if x > 0.5 && x < 0.52 {
			v = 0
		}
		return collector.Num(v, collector.Fraction, collector.Exact)
	})
	var c chart.Canvas
	spec := chart.SparkSpec{Timing: chart.Timing{Now: now, Span: 15 * time.Minute, Spacing: 5 * time.Second}, Series: s, Range: chart.Range{Hi: 1}}
	c.Spark(10, &spec)
	if got := c.String(); strings.ContainsRune(got, '▁') {
		t.Errorf("the largest value is not kept: %q", got)
	}
	spec.Low = true
	c.Spark(10, &spec)
	if got := c.String(); strings.Count(got, "▁") != 1 {
		t.Errorf("the outage is hidden: %q", got)
	}
}
