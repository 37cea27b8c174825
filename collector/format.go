package collector

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Number formatting for the whole product: at most four significant digits,
// the unit right behind the number, no locale. An approximate figure has a "~"
// in front, a lower bound a "≥".

// String formats the value with its unit and trust. What is not a number is a
// word or sign of its own: "–" missing, "idle", "∞" infinite, "×" failed; a
// stale or partial number says so behind it ("2.48x old", "2.48x part").
func (v Value) String() string { return v.format("") }

// Against formats the value with as many digits as are needed to tell it from
// threshold: 1.5004 against 1.5 is "1.5004x", never "1.50x".
func (v Value) Against(threshold float64) string {
	if v.State.HasNumber() && v.V != threshold && formatNumber(v.V, v.Unit) == formatNumber(threshold, v.Unit) {
		return v.format(distinctNumber(v.V, threshold, v.Unit))
	}
	return v.format("")
}

func (v Value) format(number string) string {
	switch v.State {
	case Missing:
		return "–"
	case Idle:
		return "idle"
	case Infinite:
		return "∞"
	case Failed:
		return "×"
	}
	if !v.State.HasNumber() {
		return "?"
	}
	if number == "" {
		number = formatNumber(v.V, v.Unit)
	}
	switch v.Trust {
	case Approx, Heuristic:
		number = "~" + number
	case LowerBound:
		number = "≥" + number
	}
	switch v.State {
	case Stale:
		number += " old"
	case Partial:
		number += " part"
	}
	return number
}

// FormatThreshold formats a threshold in a signal's unit with all its digits:
// "1.5x", "10%", "0/s", "250ms".
func FormatThreshold(f float64, u Unit) string {
	if notFinite(f) {
		return "–"
	}
	switch u {
	case Ratio:
		return plain(f) + "x"
	case Fraction:
		return plain(percent(f)) + "%"
	case PerSecond:
		return plain(f) + "/s"
	case Seconds:
		if f != 0 && math.Abs(f) < 1 {
			return plain(shift(f, 3)) + "ms"
		}
		return plain(f) + "s"
	}
	return plain(f)
}

// distinctNumber formats f with the fewest digits, four at least, that tell it
// from threshold however that is written.
func distinctNumber(f, threshold float64, u Unit) string {
	for digits := 4; digits < 17; digits++ {
		short := roundDigits(f, digits)
		if short == threshold || short == roundDigits(threshold, digits) {
			continue
		}
		if s := FormatThreshold(short, u); s != formatNumber(threshold, u) {
			return s
		}
	}
	return FormatThreshold(f, u)
}

// plain writes every digit of a finite f, without an exponent where that is readable.
func plain(f float64) string {
	if a := math.Abs(f); f != 0 && (a < 1e-5 || a >= 1e15) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	whole, rest, _ := strings.Cut(strconv.FormatFloat(math.Abs(f), 'f', -1, 64), ".")
	out := groupDigits(whole, f < 0)
	if rest != "" {
		out += "." + rest
	}
	return out
}

// percent and shift move the decimal point exactly: 0.07 is 7, not 7.000000000000001.
func percent(f float64) float64 { return shift(f, 2) }

func shift(f float64, digits int) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', -1, 64)+"e"+strconv.Itoa(digits), 64)
	if err != nil { // beyond the range of a float64
		return f
	}
	return out
}

func roundDigits(f float64, digits int) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(f, 'e', digits-1, 64), 64)
	if err != nil {
		return f
	}
	return out
}

func notFinite(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

func formatNumber(f float64, u Unit) string {
	if notFinite(f) {
		return "–"
	}
	switch u {
	case Ratio:
		return significant(f, 2) + "x"
	case Fraction:
		return significant(max(min(f*100, math.MaxFloat64), -math.MaxFloat64), 1) + "%"
	case PerSecond:
		return FormatCount(f) + "/s"
	case Seconds:
		return formatSeconds(f)
	}
	return FormatCount(f)
}

// FormatCount formats a count or rate: thousands in groups, "12.35M" from ten
// million on, fractions only below 100. What is no finite number is "–".
func FormatCount(f float64) string {
	a := math.Abs(f)
	switch {
	case notFinite(f):
		return "–"
	case a >= 1e10:
		return fixed(f, 'g', 4)
	case a >= 1e7:
		return millions(f / 1e6)
	case a >= 99.95 || f == math.Trunc(f):
		return group(round4(f))
	case a >= 9.995:
		return fixed(f, 'f', 1)
	case a >= 0.0995:
		return fixed(f, 'f', 2)
	case a >= 0.0005:
		return fixed(f, 'f', 3)
	}
	return fixed(f, 'g', 2)
}

func millions(f float64) string {
	switch a := math.Abs(f); {
	case a >= 999.95:
		return group(math.Round(f)) + "M"
	case a >= 99.995:
		return fixed(f, 'f', 1) + "M"
	}
	return fixed(f, 'f', 2) + "M"
}

// significant formats with the given decimals (1 or 2), fewer for large numbers
// so that four significant digits are not passed; what would round to zero but
// is not is less than the last digit: "<0.01".
func significant(f float64, decimals int) string {
	a := math.Abs(f)
	switch {
	case a >= 1e10:
		return fixed(f, 'g', 4)
	case a >= 999.5:
		return group(round4(f))
	case a >= 99.95:
		return fixed(f, 'f', 0)
	case a >= 9.995:
		return fixed(f, 'f', 1)
	case a >= 0.05 || a >= 0.005 && decimals > 1 || a == 0:
		return fixed(a*sign(f), 'f', decimals)
	}
	least := "<" + fixed(math.Pow10(-decimals), 'f', decimals)
	if f < 0 {
		return "-" + least
	}
	return least
}

// sign is -1 below zero, else 1: a negative zero loses its sign.
func sign(f float64) float64 {
	if f < 0 {
		return -1
	}
	return 1
}

func fixed(f float64, format byte, digits int) string {
	return strconv.FormatFloat(f, format, digits, 64)
}

// round4 rounds to a whole number of at most four significant digits.
func round4(f float64) float64 {
	p := 1.0
	for math.Abs(f)/p >= 9999.5 {
		p *= 10
	}
	return math.Round(f/p) * p
}

func group(f float64) string { return groupDigits(fixed(math.Abs(f), 'f', 0), f < 0) }

// groupDigits puts a comma in front of every third digit from the end.
func groupDigits(digits string, negative bool) string {
	if !negative && len(digits) <= 3 {
		return digits
	}
	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

func formatSeconds(f float64) string {
	a, ms, us := math.Abs(f), f*1e3, f*1e6
	switch {
	case a == 0:
		return "0ms"
	case math.Abs(us) < 0.5:
		return fixed(us, 'g', 2) + "µs"
	case math.Abs(us) < 999.5:
		return fixed(us, 'f', 0) + "µs"
	case math.Abs(ms) < 9.95:
		return fixed(ms, 'f', 1) + "ms"
	case math.Abs(ms) < 999.5:
		return fixed(ms, 'f', 0) + "ms"
	case a < 9.995:
		return fixed(f, 'f', 2) + "s"
	case a < 99.95:
		return fixed(f, 'f', 1) + "s"
	case a < 1e9:
		return FormatDuration(time.Duration(math.Round(f)) * time.Second)
	}
	return fixed(f, 'g', 4) + "s"
}
