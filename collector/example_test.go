package collector_test

import (
	"fmt"
	"math"
	"time"

	"stormtop/collector"
)

func ExampleValue_String() {
	rate := func(f float64) collector.Value { return collector.Num(f, collector.PerSecond, collector.Exact) }
	fmt.Println(rate(1998))
	fmt.Println(collector.Num(2.48, collector.Ratio, collector.LowerBound))
	fmt.Println(collector.Num(0.597, collector.Fraction, collector.Approx))
	fmt.Println(collector.Num(0.24, collector.Seconds, collector.Exact))
	fmt.Println(collector.Num(math.NaN(), collector.Ratio, collector.Exact))
	fmt.Println(collector.Num(math.Inf(1), collector.Ratio, collector.Exact))
	fmt.Println(rate(0).With(collector.Missing), rate(0).With(collector.Failed))
	// Output:
	// 1,998/s
	// ≥2.48x
	// ~59.7%
	// 240ms
	// idle
	// ∞
	// – ×
}

// A value just above its threshold does not look as if it were equal to it.
func ExampleValue_Against() {
	for _, f := range []float64{1.5, 1.5004, 2.48} {
		fmt.Println(collector.Num(f, collector.Ratio, collector.Exact).Against(1.5))
	}
	// Output:
	// 1.50x
	// 1.5004x
	// 2.48x
}

// The same 50 attempts a second mean four different things.
func ExampleValues_Derive() {
	rate := func(f float64) collector.Value { return collector.Num(f, collector.PerSecond, collector.Exact) }
	for _, ingress := range []collector.Value{rate(20), rate(0), {}, rate(0).With(collector.Failed)} {
		var v collector.Values
		v[collector.Ingress], v[collector.Downstream] = ingress, rate(50)
		v.Derive(1)
		fmt.Println(v[collector.Amplification], v[collector.Amplification].State)
	}
	// Output:
	// 2.50x ok
	// ∞ infinite
	// – missing
	// × failed
}

func ExampleClean() {
	fmt.Printf("%+q\n", collector.Clean("pay\x1b[31mments\r\n"))
	// Output: "pay\ufffd[31mments\ufffd\ufffd"
}

func ExampleHistory() {
	h := collector.NewHistory(15*time.Minute, 64)
	orders := collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: "orders"})
	at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	for i, ratio := range []float64{1.02, 1.31, 2.48} {
		row := collector.Row{Target: orders}
		row.Values[collector.Amplification] = collector.Num(ratio, collector.Ratio, collector.Exact)
		h.Add(&collector.Reading{At: at.Add(time.Duration(i) * 5 * time.Second), Targets: []collector.Row{row}})
	}
	course := h.View().Series(orders.ID, collector.Amplification)
	for i := range course.Len() {
		fmt.Println(collector.FormatClock(course.Time(i)), course.Value(i))
	}
	// Output:
	// 12:00:00Z 1.02x
	// 12:00:05Z 1.31x
	// 12:00:10Z 2.48x
}
