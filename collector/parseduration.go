package collector

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// MaxDuration is the longest duration that ParseDuration takes: ten years.
const MaxDuration = 10 * 365 * day

const day = 24 * time.Hour

var durationUnits = map[string]time.Duration{
	"ns": 1, "us": time.Microsecond, "µs": time.Microsecond, "μs": time.Microsecond, "ms": time.Millisecond,
	"s": time.Second, "m": time.Minute, "h": time.Hour, "d": day, "w": 7 * day, "y": 365 * day,
}

// ParseDuration reads Go's and Prometheus's ways of writing a duration, from 0
// to MaxDuration: "1m30s", "1.5h", "1d12h", "0". The error is a sentence that
// begins with the text and ends with the remedy.
func ParseDuration(text string) (time.Duration, error) {
	bad := fmt.Errorf("%s is no duration: write it like 500ms, 30s, 1m30s, 2h or 1d", Quote(text))
	switch text {
	case "":
		return 0, bad
	case "0":
		return 0, nil
	}
	var sum time.Duration
	for rest := text; rest != ""; {
		digits := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if digits == 0 {
			return 0, bad
		}
		if digits < 0 {
			return 0, fmt.Errorf("%s has no unit: write %ss for seconds, %sm for minutes", Quote(text), text, text)
		}
		number, unit := rest[:digits], rest[digits:]
		if end := strings.IndexAny(unit, "0123456789."); end >= 0 {
			unit = unit[:end]
		}
		rest = rest[digits+len(unit):]
		piece, ok := durationPiece(number, unit)
		if !ok {
			return 0, bad
		}
		if sum += piece; sum > MaxDuration {
			return 0, fmt.Errorf("%s is too long: ten years at most", Quote(text))
		}
	}
	return sum, nil
}

// durationPiece is a number of one unit, a little more than MaxDuration when it
// is more than that.
func durationPiece(number, unit string) (time.Duration, bool) {
	f, err := strconv.ParseFloat(number, 64)
	size, ok := durationUnits[unit]
	switch {
	case !ok || err != nil:
		return 0, false
	case f > float64(MaxDuration/size):
		return MaxDuration + 1, true
	case size >= day:
		return time.Duration(f * float64(size)), true
	}
	d, err := time.ParseDuration(number + unit)
	return d, err == nil
}
