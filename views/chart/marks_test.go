package chart_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/collector"
	"stormtop/views/chart"
)

// withMarks is a storm with an incident, a mark, a band and a cursor.
func withMarks() *chart.Spec {
	spec := ofRatio(180, 5*time.Second, func(x float64) collector.Value { return ratio(storm(x)) })
	spec.Bands = stormBand()
	at := func(m int) time.Time { return start.Add(time.Duration(m) * time.Minute) }
	spec.Marks = []chart.Mark{{From: at(3), To: at(6)}, {From: at(9)}}
	spec.Cursor = at(12)
	return spec
}

func TestMarksAndCursor(t *testing.T) {
	for _, g := range glyphSets {
		t.Run(g.String(), func(t *testing.T) {
			spec := withMarks()
			spec.Glyphs = g
			var c chart.Canvas
			c.Chart(72, 9, spec)
			golden.RequireEqual(t, c.String()+"\n\n"+classes(&c))
		})
	}
}

func TestTheCursorIsInTheColumnOfItsInstantOnEveryChart(t *testing.T) {
	spec := withMarks()
	var c chart.Canvas
	c.Chart(72, 9, spec)
	col, ok := c.Axis().Column(spec.Cursor)
	row := strings.Split(classes(&c), "\n")[0]
	if !ok || strings.Count(row, "|") != 1 || row[c.Left()+col] != '|' {
		t.Errorf("column %d of %q", col, row)
	}
	c.Spark(30, &chart.SparkSpec{Timing: spec.Timing, Series: spec.Curves[0].Series, Range: chart.Range{Hi: 3}, Cursor: spec.Cursor})
	col, _ = c.Axis().Column(spec.Cursor)
	if row := classes(&c); strings.Index(row, "u") != col {
		t.Errorf("sparkline: column %d of %q", col, row)
	}
	for _, off := range []time.Time{{}, start.Add(-time.Hour), start.Add(24 * time.Hour)} {
		spec.Cursor = off
		if c.Chart(72, 9, spec); strings.Contains(classes(&c), "|") {
			t.Errorf("a cursor at %v, off the axis", off)
		}
	}
}

func TestACourseThatWasSortedBeforeDrawsTheSame(t *testing.T) {
	spec := withMarks()
	for _, low := range []bool{false, true} {
		spark := chart.SparkSpec{Timing: spec.Timing, Series: spec.Curves[0].Series, Range: chart.Range{Lo: 1, Hi: 3}, Low: low}
		var c chart.Canvas
		c.Spark(40, &spark)
		want := c.String()
		spark.Course, spark.Series = spec.Timing.Course(spark.Series, 40, low), collector.Series{}
		if c.Spark(40, &spark); c.String() != want {
			t.Errorf("low %v: %q, want %q", low, c.String(), want)
		}
		spark.Course = spark.Course[:3] // of another width: not used
		c.Spark(40, &spark)
	}
}
