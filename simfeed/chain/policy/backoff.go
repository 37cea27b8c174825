package policy

import (
	"fmt"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/simfeed/chain/draw"
	"stormtop/simfeed/chain/field"
)

// Growth is how the wait before a retry grows with its number.
type Growth uint8

// The growths.
const (
	AtOnce      Growth = iota // no wait
	Fixed                     // base
	Linear                    // base x n
	Exponential               // base x factor^(n-1)
	Table                     // uniform within the n-th band; the last band repeats
	Smooth                    // Polly's jittered exponential, see smooth
)

var growths = []Growth{AtOnce, Fixed, Linear, Exponential, Table, Smooth}

// String is the name in scenario files.
func (g Growth) String() string {
	names := [...]string{"none", "fixed", "linear", "exponential", "table", "smooth"}
	if int(g) < len(names) {
		return names[g]
	}
	return fmt.Sprintf("Growth(%d)", uint8(g))
}

// Jitter is how a wait v is spread.
type Jitter uint8

// The jitters. They do not touch the waits of Table and Smooth, which are
// spread by themselves.
const (
	NoJitter     Jitter = iota // v
	Full                       // uniform in [0, v): mean v/2, variance v^2/12
	Equal                      // v/2 + uniform in [0, v/2): mean 3v/4, variance v^2/48
	Decorrelated               // uniform in [base, 3 x the wait before), at most the cap
	Spread                     // v x uniform in [1 - spread, 1 + spread)
)

var jitters = []Jitter{NoJitter, Full, Equal, Decorrelated, Spread}

// String is the name in scenario files.
func (j Jitter) String() string {
	names := [...]string{"none", "full", "equal", "decorrelated", "spread"}
	if int(j) < len(names) {
		return names[j]
	}
	return fmt.Sprintf("Jitter(%d)", uint8(j))
}

// Band is a range of waits, drawn uniformly.
type Band struct{ Low, High time.Duration }

// Backoff is how long a caller waits before a retry.
type Backoff struct {
	Growth Growth
	Base   time.Duration // of the first retry
	Factor float64       // of Exponential, 1 to 10
	Cap    time.Duration // the longest wait before jitter; 0 is none
	Jitter Jitter
	Spread float64 // of the jitter Spread: 0.2 is 20 % either way
	Millis bool    // waits are whole milliseconds, rounded down
	Bands  []Band  // of Table
}

// MaxWait is the longest wait before a retry.
const MaxWait = time.Hour

// Instant reports whether retries are made without a wait, whatever is drawn.
func (b *Backoff) Instant() bool {
	switch b.Growth {
	case AtOnce:
		return true
	case Table:
		return len(b.Bands) == 0
	}
	return b.Base == 0
}

// Wait is the wait before a retry, of which the first one is 1. The memory is
// what Remember made of the waits before, 0 for the first retry.
func (b *Backoff) Wait(retry int, memory time.Duration, from *draw.Stream) time.Duration {
	var v time.Duration
	switch b.Growth {
	case AtOnce:
		return 0
	case Table:
		if len(b.Bands) == 0 {
			return 0
		}
		band := b.Bands[min(retry, len(b.Bands))-1]
		return b.round(band.Low + from.Below(band.High-band.Low))
	case Smooth:
		return b.round(smooth(b.Base, retry, memory, from.Float64()))
	}
	if b.Jitter == Decorrelated {
		v = b.Base + from.Below(3*max(memory, b.Base)-b.Base)
		return b.round(b.limit(float64(v)))
	}
	v = b.plain(retry)
	switch b.Jitter {
	case Full:
		if b.Millis {
			v = v / time.Millisecond * time.Millisecond
		}
		v = from.Below(v)
	case Equal:
		v = v/2 + from.Below(v-v/2)
	case Spread:
		v = time.Duration(float64(v) * (1 - b.Spread + float64(2*b.Spread*from.Float64())))
	}
	return b.round(v)
}

// Remember is what the next wait needs to know of those before: the last one,
// or of Smooth their sum.
func (b *Backoff) Remember(memory, wait time.Duration) time.Duration {
	if b.Growth == Smooth {
		return memory + wait
	}
	return wait
}

// plain is the wait before jitter.
func (b *Backoff) plain(retry int) time.Duration {
	v := float64(b.Base)
	switch b.Growth {
	case Linear:
		v *= float64(retry)
	case Exponential:
		for n := 1; n < retry && v < float64(MaxWait); n++ {
			v *= b.Factor
		}
	}
	return b.limit(v)
}

func (b *Backoff) limit(v float64) time.Duration {
	longest := MaxWait
	if b.Cap > 0 {
		longest = b.Cap
	}
	if !(v < float64(longest)) {
		return longest
	}
	return time.Duration(v)
}

func (b *Backoff) round(v time.Duration) time.Duration {
	if b.Millis {
		v = v / time.Millisecond * time.Millisecond
	}
	return min(v, MaxWait)
}

// formatBands is the text of a table: "25ms..50ms, 50ms..100ms".
func formatBands(bands []Band) string {
	if len(bands) == 0 {
		return "none"
	}
	out := make([]string, len(bands))
	for i, b := range bands {
		out[i] = collector.FormatInterval(b.Low)
		if b.High != b.Low {
			out[i] += ".." + collector.FormatInterval(b.High)
		}
	}
	return strings.Join(out, ", ")
}

func parseBands(text string) ([]Band, error) {
	if text == "none" {
		return nil, nil
	}
	var out []Band
	for word := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(word), "..")
		if !isRange {
			high = low
		}
		a, err := collector.ParseDuration(low)
		if err != nil {
			return nil, err
		}
		b, err := collector.ParseDuration(high)
		if err != nil {
			return nil, err
		}
		if b < a || b > MaxWait {
			return nil, fmt.Errorf("%s: a band must not end before it begins, nor above %s", collector.Quote(word), collector.FormatInterval(MaxWait))
		}
		if out = append(out, Band{a, b}); len(out) > MaxAttempts {
			return nil, fmt.Errorf("more than %d bands: one for each retry at most", MaxAttempts)
		}
	}
	return out, nil
}

var backoffFields = field.Table[Backoff]{
	field.ChoiceOf("kind", "how the wait before a retry grows", growths, func(b *Backoff) *Growth { return &b.Growth }),
	field.DurationOf("base", "wait before the first retry, before jitter", MaxWait, func(b *Backoff) *time.Duration { return &b.Base }),
	field.NumberOf("factor", "growth from retry to retry when exponential, 1 to 10", 1, 10, func(b *Backoff) *float64 { return &b.Factor }),
	field.DurationOf("cap", "longest wait before jitter; 0s is no cap", MaxWait, func(b *Backoff) *time.Duration { return &b.Cap }),
	field.ChoiceOf("jitter", "how the wait is spread", jitters, func(b *Backoff) *Jitter { return &b.Jitter }),
	field.ShareOf("spread", "either way, of the jitter spread: 20%", func(b *Backoff) *float64 { return &b.Spread }),
	field.SwitchOf("whole_ms", "waits are whole milliseconds", func(b *Backoff) *bool { return &b.Millis }),
	field.TextOf("bands", "waits of the kind table, one band a retry: 25ms..50ms, 50ms..100ms; none",
		func(b *Backoff) string { return formatBands(b.Bands) },
		func(b *Backoff, text string) error {
			bands, err := parseBands(text)
			if err == nil {
				b.Bands = bands
			}
			return err
		}),
}
