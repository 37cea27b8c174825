package chart

import (
	"math"
	"strings"

	"stormtop/collector"
)

// tick is a label at the left edge.
type tick struct {
	row  int // from the bottom
	text string
}

// labelKey names a text that was formatted before. Texts are kept because most
// pictures have the labels of the one before.
type labelKey struct {
	v        float64
	unit     collector.Unit
	compare  int8 // -1 for a tick
	decimals int8
}

const (
	maxLabels = 256
	maxTicks  = 16 // more than tickStep ever asks for
)

// cached returns the text of a key, formatting it at most once.
func (c *Canvas) cached(k labelKey) string {
	if s, ok := c.labels[k]; ok {
		return s
	}
	if c.labels == nil || len(c.labels) >= maxLabels {
		c.labels = make(map[labelKey]string, maxLabels)
	}
	var s string
	if k.compare < 0 {
		s = tickText(k.v, k.unit, int(k.decimals))
	} else {
		s = collector.Comparison(k.compare).String() + collector.FormatThreshold(k.v, k.unit)
	}
	c.labels[k] = s
	return s
}

// tickText formats a tick. Ratios and fractions have the decimals of their
// neighbours, so that "1.0x" stands below "1.5x".
func tickText(v float64, u collector.Unit, decimals int) string {
	switch u {
	case collector.Ratio:
	case collector.Fraction:
		decimals = max(decimals-2, 0)
	default:
		return collector.Num(v, u, collector.Exact).String()
	}
	s := collector.FormatThreshold(v, u)
	number, suffix := s[:len(s)-1], s[len(s)-1:]
	if strings.ContainsAny(number, "e∞N") {
		return s
	}
	have := 0
	if i := strings.IndexByte(number, '.'); i >= 0 {
		have = len(number) - i - 1
	}
	if have >= decimals {
		return s
	}
	if have == 0 {
		number += "."
	}
	return number + strings.Repeat("0", decimals-have) + suffix
}

// makeTicks fills c.ticks, lowest first, and returns the width of the widest.
// Where a friendly distance leaves less than two labels a finer one is tried.
func (c *Canvas) makeTicks(s scale, u collector.Unit, per int) int {
	wide := 0
	for extra := range 3 {
		wide = c.tryTicks(s, u, per, tickStep(s.hi-s.lo, s.rows+2*extra))
		if len(c.ticks) > 1 || s.rows < 3 {
			break
		}
	}
	return wide
}

func (c *Canvas) tryTicks(s scale, u collector.Unit, per int, st step) int {
	c.ticks = c.ticks[:0]
	n := math.Ceil(s.lo/st.of(1)-1e-9) + 0 // never -0
	if s.lo < 0 && s.base == 1 {
		n = 0 // a ratio below 0 means nothing
	}
	wide := 0
	// The baseline is what the others are compared with: its row is its own.
	ground := s.dot(s.base, per) / per
	for i := range maxTicks {
		v := st.of(n + float64(i))
		if v > s.hi*(1+1e-9) && v > s.hi+1e-9 {
			break
		}
		row := s.dot(v, per) / per
		if row == ground {
			continue
		}
		if row > ground {
			wide = max(wide, c.addTick(s.base, ground, u, st))
		}
		wide = max(wide, c.addTick(v, row, u, st))
	}
	return max(wide, c.addTick(s.base, ground, u, st))
}

// addTick adds a label unless its row or its text is that of the one below.
func (c *Canvas) addTick(v float64, row int, u collector.Unit, st step) int {
	text := c.cached(labelKey{v, u, -1, int8(min(st.decimals(), 15))})
	if n := len(c.ticks); n > 0 && (row <= c.ticks[n-1].row || text == c.ticks[n-1].text) {
		return 0
	}
	c.ticks = append(c.ticks, tick{row, text})
	return width(text)
}
