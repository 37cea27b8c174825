// Package chart draws the course of a signal as text cells. It knows nothing
// of colours or terminals: a Canvas holds rows of runs (text and Class), and
// whoever shows them decides what a class looks like.
//
// The rules of the picture:
//
//   - A column is a bucket aligned to absolute time (Axis), so the picture
//     moves only when a bucket closes, and always by whole cells. The newest
//     bucket is still open; its cells carry Run.Open.
//   - A column shows the largest value of its bucket: a spike of one sample is
//     never lost. A bucket without a reading of its own shows the reading
//     before it, unless readings are more than one and a half spacings apart:
//     then there is a gap.
//   - A number is drawn as an area from the baseline (1 for a ratio, else 0);
//     at or below the baseline it is a thin line, and there are rows below the
//     baseline only where something is visibly lower. Infinite reaches the top and
//     carries "∞". Idle draws nothing and puts "·" on the time axis. Missing
//     and failed break the line and put "×" on the time axis. A number that is
//     stale or partial is drawn and puts "?" there. None of them is ever zero.
//     Time before the first reading stays empty.
//   - Further curves are lines on the same scale, told apart from the area by
//     their shape; where a line runs inside the area it is cut out of it.
//   - Thresholds are dashed lines with a label at the right edge; inside a
//     filled area they are cut out of it, so that they show without colours.
//     Cells beyond the first threshold have the class Above.
//   - A mark is a sign on the time axis, and the time between two marks of one
//     incident a double line there. The time cursor is a line through all rows;
//     moving it changes nothing else.
//
// Every size is legal: what does not fit is left out (labels at the right,
// labels at the left, state band, time axis), and a width or height below 1
// gives an empty canvas. After its first use a Canvas allocates nothing.
package chart
