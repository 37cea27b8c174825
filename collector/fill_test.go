package collector

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// course is the past of one target, as a Prober has it.
func course(rs []*Reading, id string) []*Reading {
	var out []*Reading
	for _, r := range rs {
		if row, ok := r.Row(id); ok {
			out = append(out, &Reading{At: r.At, Past: true, Targets: []Row{row}})
		}
	}
	return out
}

// TestAFilledTargetEqualsOneThatWasThereAllAlong: whenever it is opened, and
// whatever was kept of it before, a target that is filled in has the course that
// a history with room for it has, also as it goes on.
func TestAFilledTargetEqualsOneThatWasThereAllAlong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := time.Duration(rapid.IntRange(20, 400).Draw(t, "span")) * time.Second
		small, large := NewHistory(span, 1), NewHistory(span, 100)
		open := rapid.IntRange(0, 300).Draw(t, "opened")
		id := service("a").ID
		at := 0
		var all []*Reading
		for i := range rapid.IntRange(open+1, open+200).Draw(t, "readings") {
			at += rapid.SampledFrom([]int{1, 1, 1, 2, 5}).Draw(t, "step")
			rows := []Row{row("z", 9)}
			for _, n := range []string{"a", "b"} {
				if rapid.IntRange(0, 3).Draw(t, n) > 0 {
					rows = append(rows, row(n, float64(at)))
				}
			}
			r := reading(at, rows...)
			all = append(all, r)
			small.Add(r)
			large.Add(r)
			if i == open {
				before := small.View()
				had := numbers(before.Series(id, Amplification))
				small.Fill(id, course(all, id))
				if got := numbers(before.Series(id, Amplification)); !slices.Equal(got, had) {
					t.Fatalf("a view that was taken before changed from %v to %v", had, got)
				}
			}
			if i < open {
				continue
			}
			a, b := small.View(), large.View()
			for s := range NumSignals {
				x, y := a.Series(id, s), b.Series(id, s)
				for k := range y.Len() {
					if x.Value(k) != y.Value(k) && y.State(k) != Missing || x.State(k) != y.State(k) {
						t.Fatalf("%v at point %d of %d is %+v, want %+v", s, k, y.Len(), x.Value(k), y.Value(k))
					}
				}
			}
		}
	})
}

func TestFillTakesTheNearestWithinHalfAStep(t *testing.T) {
	h := NewHistory(time.Minute, 1)
	for _, s := range []int{0, 10, 20, 30} {
		h.Add(reading(s, row("z", 9)))
	}
	at := func(ms int, a float64) *Reading {
		return &Reading{At: noon.Add(time.Duration(ms) * time.Millisecond), Targets: []Row{row("a", a)}}
	}
	if !h.Fill(service("a").ID, []*Reading{at(-9000, 1), at(2000, 2), at(4000, 3), at(14900, 4), at(25000, 5), at(36000, 6)}) {
		t.Error("nothing was filled in")
	}
	if got := numbers(h.View().Series(service("a").ID, Amplification)); !slices.Equal(got, []float64{2, 4, -1, -1}) {
		t.Errorf("filled %v", got)
	}
}

func TestFillKeepsWhatWasSeen(t *testing.T) {
	h := NewHistory(time.Minute, 8)
	h.Add(reading(0))
	h.Add(reading(5, row("a", 2)))
	h.Fill(service("a").ID, []*Reading{reading(0, row("a", 1)), reading(5, row("a", 9))})
	if got := numbers(h.View().Series(service("a").ID, Amplification)); !slices.Equal(got, []float64{1, 2}) {
		t.Errorf("filled %v", got)
	}
}

func TestFillOfNothingLeavesNothing(t *testing.T) {
	h := NewHistory(time.Minute, 1)
	h.Add(reading(0, row("z", 9)))
	if h.Fill(service("a").ID, nil) || h.Fill(service("a").ID, []*Reading{reading(40, row("a", 1))}) || h.Fill(TotalID, []*Reading{reading(0)}) {
		t.Error("something was filled in")
	}
	if h.View().Has(service("a").ID) {
		t.Error("a target without a course is kept")
	}
}

func TestAPinnedTargetIsNeverForgotten(t *testing.T) {
	h := NewHistory(100*time.Second, 2)
	h.Add(reading(0, row("a", 1), row("b", 5), row("c", 5)))
	h.Fill(service("a").ID, []*Reading{reading(0, row("a", 1))})
	h.Add(reading(1, row("a", 1), row("b", 5), row("c", 5), row("d", 9)))
	if got := kept(h, "a", "b", "c", "d"); !slices.Equal(got, []string{"a", "c", "d"}) {
		t.Errorf("kept %v beside the pinned one", got)
	}
	for s := 2; s < 400; s++ {
		h.Add(reading(s, row("c", 5), row(fmt.Sprint("x", s), float64(s))))
	}
	if !h.View().Has(service("a").ID) {
		t.Error("the pinned target is gone")
	}
	h.Pin(service("q").ID)
	if got := kept(h, "a"); got != nil || h.ordinary() != 2 {
		t.Errorf("after another was pinned: kept %v, %d in all", got, h.ordinary())
	}
	h.Add(reading(401, row("q", 0.5), row("c", 5)))
	if !h.View().Has(service("q").ID) {
		t.Error("a pinned target that came later has no place")
	}
}
