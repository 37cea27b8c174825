package collector

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestReadingsThatWaitAreKeptAsThoseThatDoNot compares a history that is looked
// at after every reading with one that is looked at now and then.
func TestReadingsThatWaitAreKeptAsThoseThatDoNot(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	rapid.Check(t, func(t *rapid.T) {
		span := time.Duration(rapid.SampledFrom([]int{40, 10000}).Draw(t, "span")) * time.Second
		places := len(names)
		if span > time.Hour { // what is out of date is forgotten at other times, which changes who finds a place
			places = rapid.IntRange(1, 4).Draw(t, "places")
		}
		eager, lazy := NewHistory(span, places), NewHistory(span, places)
		second, targets := 0, names[:2]
		for range rapid.IntRange(1, 300).Draw(t, "readings") {
			second += rapid.SampledFrom([]int{1, 1, 1, 1, 0, 5, 60}).Draw(t, "step")
			if rapid.IntRange(0, 20).Draw(t, "change") == 0 {
				targets = rapid.SliceOfN(rapid.SampledFrom(names), 0, 5).Draw(t, "targets")
			}
			var rows []Row
			for _, n := range targets {
				r := row(n, float64(rapid.IntRange(1, 9).Draw(t, "amplification")))
				if rapid.Bool().Draw(t, "idle") {
					r.Values[Amplification] = Value{State: Idle, Unit: Ratio}
				}
				if rapid.Bool().Draw(t, "more") {
					r.Values[QueueDepth] = Num(float64(second), Count, Exact)
				}
				rows = append(rows, r)
			}
			r := reading(second, rows...)
			if rapid.Bool().Draw(t, "simulated") {
				r.Overload = Overloaded
			}
			if got, want := lazy.Add(r), eager.Add(r); got != want {
				t.Fatalf("taken: %v, want %v", got, want)
			}
			eager.View()
			if rapid.IntRange(0, 40).Draw(t, "pin") == 0 {
				id := service(rapid.SampledFrom(names).Draw(t, "whom")).ID
				eager.Pin(id)
				lazy.Pin(id)
			}
		}
		want, got := eager.View(), lazy.View()
		if !slices.Equal(got.times, want.times) {
			t.Fatalf("times %v, want %v", got.times, want.times)
		}
		if !slices.Equal(got.overload, want.overload) {
			t.Fatalf("overload %v, want %v", got.overload, want.overload)
		}
		for _, n := range append(names, "") {
			id := service(n).ID
			if n == "" {
				id = TotalID
			}
			for s := range NumSignals {
				a, b := got.Series(id, s), want.Series(id, s)
				for i := range b.Len() {
					x, y := a.Value(i), b.Value(i)
					if x.State != y.State || x.State != Missing && x != y { // the unit of what is missing is forgotten sooner or later
						t.Fatalf("%s of %q at %d: %+v, want %+v", s, n, i, x, y)
					}
				}
			}
		}
	})
}
