package chart

import "math"

// note is a label at the right edge.
type note struct {
	row   int // from the bottom
	text  string
	class Class
}

// drawThresholds draws the dashed lines; areas and curves are drawn over them.
func (f *frame) drawThresholds() {
	for i := range f.spec.Thresholds {
		if t := &f.spec.Thresholds[i]; f.shows(t) {
			y := f.row(f.scale.dot(t.At, f.set.dots) / f.set.dots)
			for x := range f.cols {
				f.c.set(f.left+x, y, f.set.dash, ThresholdLine)
			}
		}
	}
}

// shows reports whether a threshold lies on the chart: it always does unless
// the range was given.
func (f *frame) shows(t *Threshold) bool {
	chosen := f.spec.Range == Range{}
	return t.finite() && (chosen || t.At <= f.scale.hi && t.At >= f.scale.lo)
}

// drawNotes writes the labels at the right: thresholds at their lines, then the
// names of the curves as near to their newest values as there is room.
func (f *frame) drawNotes() {
	x := f.left + f.cols + 1
	if x >= f.c.w {
		return
	}
	f.c.notes = f.c.notes[:0]
	f.addThresholdNotes()
	for i := range f.spec.Curves {
		name := f.spec.Curves[i].Name
		if name == "" {
			continue
		}
		for b := len(f.c.buckets[i]) - 1; b >= 0; b-- {
			if k := f.c.buckets[i][b]; k.Kind == Number || k.Kind == Infinite {
				f.addNote(f.height(k)/f.set.dots, clip(name, longestMargin), Name)
				break
			}
		}
	}
	for _, n := range f.c.notes {
		f.c.write(x, f.row(n.row), n.text, n.class)
	}
}

// addThresholdNotes labels the thresholds, the lowest first: a label stands at
// its line, or above it where a lower threshold has that row already.
func (f *frame) addThresholdNotes() {
	above := math.Inf(-1)
	row := 0
	for range f.spec.Thresholds {
		next := -1
		for i := range f.spec.Thresholds {
			t := &f.spec.Thresholds[i]
			if f.shows(t) && t.At > above && (next < 0 || t.At < f.spec.Thresholds[next].At) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		t := &f.spec.Thresholds[next]
		above = t.At
		row = max(row, f.scale.dot(t.At, f.set.dots)/f.set.dots)
		if row >= f.rows {
			return
		}
		f.c.notes = append(f.c.notes, note{row, f.label(t), ThresholdLabel})
		row++
	}
}

// addNote puts a label into the free row nearest to the one asked for.
func (f *frame) addNote(row int, text string, class Class) {
	for d := range 2 * f.rows {
		try := row + (d+1)/2
		if d%2 == 0 {
			try = row - d/2
		}
		if try >= 0 && try < f.rows && f.free(try) {
			f.c.notes = append(f.c.notes, note{try, text, class})
			return
		}
	}
}

func (f *frame) free(row int) bool {
	for _, n := range f.c.notes {
		if n.row == row {
			return false
		}
	}
	return true
}
