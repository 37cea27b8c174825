package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"time"
)

// shapeSpacing is the distance of two samples unless a series has another.
const shapeSpacing = 15 * time.Second

// writeOpenMetrics writes the series as they would have been scraped around
// now. There are no TYPE lines: a block keeps none.
func writeOpenMetrics(to io.Writer, series []plotted, now time.Time) error {
	w := bufio.NewWriter(to)
	now = now.Truncate(shapeSpacing)
	for _, p := range series {
		for at := p.begins; at <= p.ceases; at += cmp.Or(p.every, shapeSpacing) {
			value := p.start + p.slope*(at-shapePast).Seconds()
			fmt.Fprintf(w, "%s %s %d\n", p.series, strconv.FormatFloat(value, 'g', -1, 64), now.Add(at).Unix())
		}
	}
	fmt.Fprintln(w, "# EOF")
	return w.Flush()
}
