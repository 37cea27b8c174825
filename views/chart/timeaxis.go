package chart

import "time"

// labelSteps are the distances between labelled times.
var labelSteps = [...]time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour, 28 * 24 * time.Hour, 364 * 24 * time.Hour,
}

// drawMarks draws the time axis: the rule, what is not known, the labels. Where
// there is no room for an axis, only what is not known is marked, at the foot
// of the plot.
func (f *frame) drawMarks() {
	y := f.rows
	if f.timeAxis {
		for x := range f.cols {
			f.c.set(f.left+x, y, f.set.floor, Rule)
		}
		if f.left > 0 {
			f.c.set(f.left-1, y, f.set.corner, Rule)
		}
	} else {
		y--
	}
	for x := range f.cols {
		r, class := f.mark(x)
		switch f.c.at(f.left+x, y).class {
		case Rule, Plain, ThresholdLine:
			if class != Plain {
				f.c.set(f.left+x, y, r, class)
			}
		}
	}
	if f.timeAxis {
		f.drawMarked(y)
		f.drawTimes(y)
	}
}

// mark is what a column has to say that is no height: the worst of all parts of
// it and of all curves.
func (f *frame) mark(x int) (rune, Class) {
	gap, idle, doubt := false, false, false
	for i := range f.spec.Curves {
		for _, b := range f.c.buckets[i][x*f.set.sub : (x+1)*f.set.sub] {
			gap = gap || b.Kind == Gap
			idle = idle || b.Kind == Idle
			doubt = doubt || b.Doubt
		}
	}
	switch {
	case gap:
		return f.set.gap, GapMark
	case doubt:
		return f.set.doubt, DoubtMark
	case idle:
		return f.set.idle, IdleMark
	}
	return ' ', Plain
}

// drawTimes writes round times behind ticks: at the right edge in front of the
// tick, where they do not fit otherwise. The first one names UTC.
func (f *frame) drawTimes(y int) {
	step, layout := f.timeStep()
	zone := f.axis.zoneOrUTC()
	_, offset := time.Unix(0, f.axis.now).In(zone).Zone()
	shift := int64(offset) * int64(time.Second)
	t := -floorDiv(-(f.axis.start+shift), step)*step - shift
	end := f.axis.start + f.axis.step*int64(f.axis.cols)
	named := zone != time.UTC
	for free := f.left; t < end; t += step {
		x := f.left + int((t-f.axis.start)/f.axis.step)
		f.c.stamp = time.Unix(0, t).In(zone).AppendFormat(f.c.stamp[:0], layout)
		if !named {
			f.c.stamp = append(f.c.stamp, 'Z')
		}
		n := len(f.c.stamp)
		from, tick, text := x, x, x+1
		if text+n > f.left+f.cols {
			from, text = x-n, x-n
		}
		if from < free || !f.clear(y, from, from+n+1) {
			continue
		}
		named = true
		for i, b := range f.c.stamp {
			f.c.set(text+i, y, rune(b), Label)
		}
		f.c.set(tick, y, f.set.tick, Rule)
		free = from + n + 4
	}
}

// clear reports whether a label may stand on the cells from x to end: it must
// not hide a mark, unless the marks go on at both of its sides.
func (f *frame) clear(y, x, end int) bool {
	marked := 0
	for i := x; i < end; i++ {
		if f.c.at(i, y).class != Rule {
			marked++
		}
	}
	if marked == 0 {
		return true
	}
	same := func(i int) bool {
		return i >= f.left && i < f.left+f.cols && f.c.at(i, y).class == f.c.at(x, y).class
	}
	return marked == end-x && same(x-1) && same(end)
}

// timeStep is the distance between labels that leaves about as much rule as
// label, and the form of the labels.
func (f *frame) timeStep() (int64, string) {
	for _, d := range labelSteps {
		layout := "15:04"
		switch {
		case d < time.Minute:
			layout = "15:04:05"
		case d >= 24*time.Hour:
			layout = "Jan 02"
		}
		if int64(d)/f.axis.step >= int64(2*len(layout)+3) {
			return int64(d), layout
		}
	}
	last := labelSteps[len(labelSteps)-1]
	return int64(last) * (1 + 20*f.axis.step/int64(last)), "2006"
}
