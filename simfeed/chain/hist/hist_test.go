package hist

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestQuantilesAreNear compares with a sorted list.
func TestQuantilesAreNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, int64(70*time.Hour)), 1, 200).Draw(t, "values")
		scale := rapid.Int64Range(1, 1_000_000).Draw(t, "scale")
		var h, left, right Hist
		sum := int64(0)
		for i := range values {
			values[i] /= scale
			sum += values[i]
			h.Add(time.Duration(values[i]))
			if i%2 == 0 {
				left.Add(time.Duration(values[i]))
			} else {
				right.Add(time.Duration(values[i]))
			}
		}
		left.Merge(&right)
		slices.Sort(values)
		for _, q := range []float64{0, 0.01, 0.5, 0.95, 0.99, 1} {
			want := float64(values[max(int(math.Ceil(q*float64(len(values)))), 1)-1])
			got := float64(h.Quantile(q))
			if math.Abs(got-want) > 0.008*want+1024 {
				t.Fatalf("quantile %v is %v, want %v", q, got, want)
			}
			if merged := float64(left.Quantile(q)); merged != got {
				t.Fatalf("quantile %v is %v when merged, want %v", q, merged, got)
			}
		}
		if h.Count() != int64(len(values)) || int64(h.Sum()) != sum || int64(h.Mean()) != sum/int64(len(values)) {
			t.Fatalf("count, sum and mean are %d, %d, %d of %d values with sum %d", h.Count(), h.Sum(), h.Mean(), len(values), sum)
		}
		h.Reset()
		if h != (Hist{}) {
			t.Fatal("something is left after Reset")
		}
	})
}

func TestAnEmptyHistogramHasNothing(t *testing.T) {
	var h Hist
	if h.Quantile(0.99) != 0 || h.Mean() != 0 || h.Count() != 0 {
		t.Error("an empty histogram shows something")
	}
	h.Add(math.MaxInt64)
	if h.Quantile(1) < 70*time.Hour {
		t.Errorf("a time beyond all buckets reads %v", h.Quantile(1))
	}
}

func BenchmarkAdd(b *testing.B) {
	var h Hist
	d := time.Millisecond
	for b.Loop() {
		h.Add(d)
		d += 7919
		if d > time.Second {
			d = time.Millisecond
		}
	}
}
