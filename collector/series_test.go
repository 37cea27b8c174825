package collector

import (
	"slices"
	"testing"
	"time"
)

func TestSeriesOfValues(t *testing.T) {
	at := []time.Time{noon, noon.Add(5 * time.Second), noon.Add(10 * time.Second)}
	s := NewSeries(at, []Value{ratio(1), {}, ratio(2)})
	if got := numbers(s); !slices.Equal(got, []float64{1, -1, 2}) {
		t.Errorf("points %v", got)
	}
	if got := s.Value(2); got != ratio(2) {
		t.Errorf("value 2 = %+v", got)
	}
	if !s.Time(1).Equal(at[1]) || s.Nanos(1) != at[1].UnixNano() {
		t.Errorf("time 1 = %v", s.Time(1))
	}
	short := NewSeries(at, []Value{ratio(1), {}})
	if got := numbers(short); !slices.Equal(got, []float64{1, -1, -1}) || short.Value(1).Unit != Ratio {
		t.Errorf("a short series: %v, unit %v", got, short.Value(1).Unit)
	}
	if got := NewSeries(nil, []Value{ratio(1)}).Len(); got != 0 {
		t.Errorf("a series without times has %d points", got)
	}
}

func TestSeriesSince(t *testing.T) {
	h := NewHistory(time.Minute, 8)
	h.Add(reading(0, row("a", 1)))
	h.Add(reading(5, row("a", 2)))
	h.Add(reading(10))
	s := h.View().Series(service("a").ID, Amplification)
	tests := []struct {
		from time.Time
		want []float64
	}{
		{time.Time{}, []float64{1, 2, -1}},
		{noon, []float64{1, 2, -1}},
		{noon.Add(1), []float64{2, -1}},
		{noon.Add(6 * time.Second), []float64{-1}},
		{noon.Add(time.Hour), []float64{}},
	}
	for _, tt := range tests {
		if got := numbers(s.Since(tt.from)); !slices.Equal(got, tt.want) {
			t.Errorf("since %v: %v, want %v", tt.from, got, tt.want)
		}
	}
}
