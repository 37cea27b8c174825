package views

import (
	"math"
	"strconv"

	"stormtop/collector"
	"stormtop/views/chart"
)

// Sizes of a small multiple, in cells.
const (
	leastCourse = 12
	mostCourse  = 40
	mostPeer    = 18
)

// peerRows are small multiples of the same arrivals under other policies, on one
// scale and one time, so that they can be compared; the heading first, which counts
// them where h rows are too few for all.
func (m *Model) peerRows(h int) []string {
	peers := m.rig.shown.Peers
	if len(peers) == 0 {
		return nil
	}
	scale := m.peerScale(peers)
	name, peak, points := leastName, 5, 0
	for i := range peers {
		name = max(name, min(textWidth(m.text(peers[i].Name)), mostPeer))
		peak = max(peak, textWidth(m.text(figure(peers[i].Peak, collector.Ratio))))
		points = max(points, len(peers[i].Points))
	}
	fixed := name + peak + 4
	columns := min(max((m.width-1)/(fixed+leastCourse+2), 1), len(peers))
	width := (m.width - 1) / columns
	course := min(width-fixed-1, mostCourse)
	above := 0.0
	if rule, ok := m.leadRule(); ok {
		above = rule.Threshold
	}
	title := " THE SAME STORM UNDER OTHER POLICIES"
	if m.width < 60 {
		title = " OTHER POLICIES"
	}
	if r := m.rig.shown; r.PeerSeed != r.Seed {
		title += ", of seed " + strconv.FormatInt(r.PeerSeed, 10)
	}
	head := m.line().put(m.styles.strong, title)
	if there := (h - 1) * columns; there < len(peers) {
		head.put(m.styles.strong, "  "+strconv.Itoa(there)+" of "+strconv.Itoa(len(peers)))
		peers = peers[:max(there, 0)]
	}
	out := []string{head.put(m.styles.dim, m.text("  peak, and course from 1x to "+most(scale.Hi))).String()}
	for from := 0; from < len(peers); from += columns {
		l := m.line()
		for i := from; i < min(from+columns, len(peers)); i++ {
			p := &peers[i]
			l.pad(m.styles.plain, 1+(i-from)*width)
			l.cell(m.styles.plain, m.text(p.Name), name, false).put(m.styles.plain, " ")
			st := m.styles.plain
			if p.Peak > above && above > 0 {
				st = m.styles.strong
			}
			l.cell(st, m.text(figure(p.Peak, collector.Ratio)), peak, true).put(m.styles.plain, " ")
			if course > 0 {
				m.courseOf(l, p.Points, points, course, scale, above)
			}
		}
		out = append(out, l.String())
	}
	return out
}

// peerScale is the scale of all courses: from 1 to the larger of twice the
// threshold and the highest of them.
func (m *Model) peerScale(peers []collector.Course) chart.Range {
	hi := 2.0
	if rule, ok := m.leadRule(); ok && rule.Threshold > 0.5 {
		hi = 2 * rule.Threshold
	}
	for i := range peers {
		hi = highest(hi, peers[i].Peak)
		for _, p := range peers[i].Points {
			hi = highest(hi, p)
		}
	}
	return chart.Range{Lo: 1, Hi: math.Ceil(hi)}
}

// highest is the larger of two numbers, of which the second may be none.
func highest(hi, f float64) float64 {
	if f > hi && !math.IsInf(f, 0) {
		return f
	}
	return hi
}

// courseOf draws points of which a whole run has so many, in width cells.
func (m *Model) courseOf(l *line, points []float64, of, width int, scale chart.Range, above float64) {
	buckets := make([]chart.Bucket, width)
	for x := range buckets {
		for i := x * of / width; i < max((x+1)*of/width, x*of/width+1) && i < len(points); i++ {
			buckets[x] = larger(buckets[x], points[i])
		}
	}
	m.charts.spark.Spark(width, &chart.SparkSpec{Range: scale, Above: above, Course: buckets, Glyphs: m.set})
	for _, run := range m.charts.spark.Row(0) {
		l.runes(m.classStyle(run, m.styles.pending), run.Text)
	}
}

// larger is a column with another point in it.
func larger(b chart.Bucket, p float64) chart.Bucket {
	switch {
	case math.IsInf(p, 1):
		return chart.Bucket{Kind: chart.Infinite}
	case math.IsNaN(p):
		if b.Kind == chart.None {
			return chart.Bucket{Kind: chart.Idle}
		}
	case b.Kind < chart.Number || b.Kind == chart.Number && p > b.Max:
		return chart.Bucket{Kind: chart.Number, Max: p}
	}
	return b
}
