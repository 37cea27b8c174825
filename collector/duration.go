package collector

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// FormatDuration formats a span of time in at most two units, rounded down to
// whole seconds: "0s", "42s", "3m12s", "4h12m", "3d4h"; "-42s" for a negative one.
func FormatDuration(d time.Duration) string {
	if d <= -time.Second {
		return "-" + FormatDuration(-max(d, -math.MaxInt64))
	}
	s := max(int64(d/time.Second), 0)
	two := func(a int64, ua string, b int64, ub string) string {
		out := strconv.FormatInt(a, 10) + ua
		if b > 0 {
			out += strconv.FormatInt(b, 10) + ub
		}
		return out
	}
	switch {
	case s < 60:
		return strconv.FormatInt(s, 10) + "s"
	case s < 3600:
		return two(s/60, "m", s%60, "s")
	case s < 86400:
		return two(s/3600, "h", s%3600/60, "m")
	}
	return two(s/86400, "d", s%86400/3600, "h")
}

// FormatInterval formats a configured duration exactly: "500ms", "5s", "1m",
// "1m30s", "15m".
func FormatInterval(d time.Duration) string {
	s := d.String() // from a minute on it always ends in seconds: 15m0s, 1h0m0s
	if d.Abs() >= time.Minute && d%time.Minute == 0 {
		s = strings.TrimSuffix(s, "0s")
	}
	if d.Abs() >= time.Hour && d%time.Hour == 0 {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// FormatClock formats an instant as a clock time in its zone; UTC is a "Z".
func FormatClock(t time.Time) string {
	if t.Location() == time.UTC {
		return t.Format("15:04:05Z")
	}
	return t.Format("15:04:05")
}
