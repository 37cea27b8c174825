package usage

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"stormtop/collector"
)

// OneOf makes a parser of one of a few words.
func OneOf(words ...string) func(string) (string, error) {
	return func(text string) (string, error) {
		for _, w := range words {
			if w == text {
				return text, nil
			}
		}
		return "", fmt.Errorf("%s is not known%s: it is %s", collector.Quote(text), DidYouMean(text, words), strings.Join(words, ", "))
	}
}

// Switch parses true or false, in the words of YAML and of shells.
func Switch(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	}
	return false, fmt.Errorf("%s is neither true nor false", collector.Quote(text))
}

// Number makes a parser of a number from least to most, both included, with an
// optional unit behind it.
func Number(unit string, least, most float64, example string) func(string) (float64, error) {
	return func(text string) (float64, error) {
		f, err := strconv.ParseFloat(strings.TrimSuffix(text, unit), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, fmt.Errorf("%s is no number: write it like %s", collector.Quote(text), example)
		}
		if f < least || f > most {
			return 0, fmt.Errorf("%s is out of range: %s%s to %s%s", collector.Quote(text), Plain(least), unit, Plain(most), unit)
		}
		return f, nil
	}
}

// Duration makes a parser of durations from least to most, both included.
func Duration(least, most time.Duration) func(string) (time.Duration, error) {
	return func(text string) (time.Duration, error) {
		d, err := collector.ParseDuration(text)
		if err == nil && (d < least || d > most) {
			err = fmt.Errorf("%s is out of range: %s to %s", collector.Quote(text), Days(least), Days(most))
		}
		return d, err
	}
}

// Days is a duration as a person would write it: in days when it is whole days.
func Days(d time.Duration) string {
	const day = 24 * time.Hour
	if d >= day && d%day == 0 {
		return strconv.FormatInt(int64(d/day), 10) + "d"
	}
	return collector.FormatInterval(d)
}

// Plain is a finite number without an exponent; from five digits on its
// thousands are parted by commas: 1000, 1,000,000.
func Plain(f float64) string {
	digits := strconv.FormatFloat(f, 'f', -1, 64)
	whole, fraction, ok := strings.Cut(digits, ".")
	sign := ""
	if rest, negative := strings.CutPrefix(whole, "-"); negative {
		sign, whole = "-", rest
	}
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && len(whole) > 4 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if ok {
		b.WriteString("." + fraction)
	}
	return sign + b.String()
}
