package collector

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

func service(name string) Target { return NewTarget(Hop, Label{"service", name}) }

// row makes a target whose amplification is a.
func row(name string, a float64) Row {
	r := Row{Target: service(name)}
	r.Values[Amplification] = ratio(a)
	return r
}

// reading makes a reading at second s after noon.
func reading(s int, rows ...Row) *Reading {
	r := &Reading{At: noon.Add(time.Duration(s) * time.Second), Targets: rows}
	r.Total.Values[Ingress] = rate(float64(s))
	return r
}

// numbers lists a series, -1 where it is missing.
func numbers(s Series) []float64 {
	out := []float64{}
	for i := range s.Len() {
		if s.State(i) == Missing {
			out = append(out, -1)
		} else {
			out = append(out, s.Raw(i))
		}
	}
	return out
}

func TestHistoryFillsWhatWasNotThereAsMissing(t *testing.T) {
	h := NewHistory(time.Minute, 8)
	h.Add(reading(0, row("a", 1)))
	h.Add(reading(5))
	h.Add(reading(10, row("a", 3), row("b", 2)))
	h.Add(reading(15, row("b", 4)))
	v := h.View()
	tests := []struct {
		id     string
		signal Signal
		want   []float64
	}{
		{service("a").ID, Amplification, []float64{1, -1, 3, -1}},
		{service("b").ID, Amplification, []float64{-1, -1, 2, 4}},
		{service("a").ID, Ingress, []float64{-1, -1, -1, -1}},
		{TotalID, Ingress, []float64{0, 5, 10, 15}},
		{"unheard of", Ingress, []float64{-1, -1, -1, -1}},
	}
	for _, tt := range tests {
		if got := numbers(v.Series(tt.id, tt.signal)); !slices.Equal(got, tt.want) {
			t.Errorf("%q %v = %v, want %v", tt.id, tt.signal, got, tt.want)
		}
	}
	if got := v.Values(service("b").ID, 2)[Amplification]; got != ratio(2) {
		t.Errorf("value of b at 2: %+v", got)
	}
	if got := v.Values(service("b").ID, 0)[Amplification].State; got != Missing {
		t.Errorf("value of b at 0: %v", got)
	}
	if got := v.Values("unheard of", 0); got != (Values{}) {
		t.Errorf("values of a stranger: %+v", got)
	}
	if !v.Has(service("a").ID) || !v.Has(TotalID) || v.Has("unheard of") {
		t.Error("Has is wrong")
	}
	if !v.Time(2).Equal(noon.Add(10 * time.Second)) {
		t.Errorf("time of reading 2: %v", v.Time(2))
	}
}

func TestHistoryRefusesWhatIsNotLater(t *testing.T) {
	h := NewHistory(time.Minute, 8)
	if !h.Add(reading(10, row("a", 1))) {
		t.Error("the first reading was refused")
	}
	for _, s := range []int{10, 9, -100} {
		if h.Add(reading(s, row("a", 9))) {
			t.Errorf("a reading at %ds after one at 10s was taken", s)
		}
	}
	if got := numbers(h.View().Series(service("a").ID, Amplification)); !slices.Equal(got, []float64{1}) {
		t.Errorf("a refused reading left %v", got)
	}
}

func TestHistoryIgnoresTheSecondRowOfATarget(t *testing.T) {
	h := NewHistory(time.Minute, 8)
	odd := row("", 5)
	odd.Target.ID = TotalID
	for s := range 3 {
		h.Add(reading(s, row("a", 1), row("a", 9), odd))
	}
	v := h.View()
	if got := numbers(v.Series(service("a").ID, Amplification)); !slices.Equal(got, []float64{1, 1, 1}) {
		t.Errorf("a = %v", got)
	}
	if got := numbers(v.Series(TotalID, Ingress)); !slices.Equal(got, []float64{0, 1, 2}) {
		t.Errorf("total = %v", got)
	}
}

func TestHistoryIsBoundedInTime(t *testing.T) {
	const span = 100 * time.Second
	h := NewHistory(span, 8)
	for s := range 5000 {
		h.Add(reading(s, row("a", float64(s))))
		if want := min(s, 100) + 1; h.View().Len() != want {
			t.Fatalf("after %d readings the view has %d, want %d", s+1, h.View().Len(), want)
		}
		if len(h.times) > 2*101+minTrim {
			t.Fatalf("%d points are held for a span of 101", len(h.times))
		}
	}
	if got := h.View().Series(service("a").ID, Amplification); got.Raw(0) != 4899 || got.Raw(100) != 4999 {
		t.Errorf("view of %v to %v", got.Raw(0), got.Raw(100))
	}
	if h.Span() != span {
		t.Errorf("span %v", h.Span())
	}
}

// TestRoomIsMadeInFewStepsAndNotForMoreThanTheSpan counts how often all columns
// move to larger slices.
func TestRoomIsMadeInFewStepsAndNotForMoreThanTheSpan(t *testing.T) {
	const points = 17280
	h, rooms := NewHistory((points-1)*time.Second, 8), map[int]bool{}
	for s := range points {
		h.Add(reading(s, row("a", 1)))
		h.settle()
		rooms[h.room] = true
	}
	if len(rooms) > 9 || h.room > points+minTrim {
		t.Errorf("%d steps, at last to %d, for %d points", len(rooms), h.room, points)
	}
	for s := range 3 * points {
		h.Add(reading(points+s, row("a", 1)))
		h.settle()
		rooms[h.room] = true
	}
	if len(rooms) > 10 || h.room > 2*points+2*minTrim {
		t.Errorf("%d steps, at last to %d, for %d points that came and went", len(rooms), h.room, points)
	}
	if c := h.tracks[service("a").ID].columns[Amplification]; cap(c.values) > 2*h.room {
		t.Errorf("a column has room for %d, the history for %d", cap(c.values), h.room)
	}
}

func TestHistoryForgetsATargetThatIsLongGone(t *testing.T) {
	h := NewHistory(100*time.Second, 8)
	h.Add(reading(0, row("gone", 1)))
	for s := 1; s < 400; s++ {
		h.Add(reading(s, row("a", 1)))
	}
	if h.View().Has(service("gone").ID) {
		t.Error("still there")
	}
}

func kept(h *History, names ...string) []string {
	var out []string
	v := h.View()
	for _, n := range names {
		if v.Has(service(n).ID) {
			out = append(out, n)
		}
	}
	return out
}

func TestTheCalmestGivesWayToTheClearlyWorse(t *testing.T) {
	infinite := row("d", 0)
	infinite.Values[Amplification] = Value{State: Infinite, Unit: Ratio}
	unknown := row("d", 0)
	unknown.Values[Amplification] = Value{}
	tests := []struct {
		name string
		then []Row
		want []string
	}{
		{"clearly worse", []Row{row("a", 1), row("b", 1.2), row("d", 1.5)}, []string{"b", "d"}},
		{"noise", []Row{row("a", 1), row("b", 1.02), row("d", 1.09)}, []string{"a", "b"}},
		{"calmer", []Row{row("a", 2), row("b", 2), row("d", 1)}, []string{"a", "b"}},
		{"the worst two of many", []Row{row("a", 1), row("b", 1), row("c", 3), row("d", 2), row("e", 4)}, []string{"c", "e"}},
		{"infinite", []Row{row("a", 100), row("b", 1000), infinite}, []string{"b", "d"}},
		{"unknown", []Row{row("a", 0), row("b", 0), unknown}, []string{"a", "b"}},
		{"unknown for one that just left", []Row{row("a", 1), unknown}, []string{"a", "b"}},
	}
	for _, tt := range tests {
		h := NewHistory(time.Hour, 2)
		h.Add(reading(0, row("a", 1), row("b", 1)))
		h.Add(reading(5, tt.then...))
		if got := kept(h, "a", "b", "c", "d", "e"); !slices.Equal(got, tt.want) {
			t.Errorf("%s: kept %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestATargetThatLeftGivesItsPlaceToAnyone(t *testing.T) {
	h := NewHistory(time.Hour, 2)
	h.Add(reading(0, row("a", 5), row("b", 5)))
	h.Add(reading(5, row("a", 5), row("c", 1)))
	if got := kept(h, "a", "b", "c"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("after one reading without b: %v", got)
	}
	h.Add(reading(10, row("a", 5), row("c", 1)))
	if got := kept(h, "a", "b", "c"); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("after two readings without b: %v", got)
	}
}

func TestTheFirstReadingKeepsTheWorst(t *testing.T) {
	var rows []Row
	for i := range 100 {
		rows = append(rows, row(fmt.Sprintf("%02d", i), float64(i)))
	}
	h := NewHistory(time.Hour, 3)
	h.Add(reading(0, rows...))
	if got := kept(h, "00", "50", "96", "97", "98", "99"); !slices.Equal(got, []string{"97", "98", "99"}) {
		t.Errorf("kept %v", got)
	}
	if got := NewHistory(time.Hour, -1).maxTargets; got != 1 {
		t.Errorf("room for %d targets", got)
	}
}

// TestAViewNeverChanges also runs under the race detector: readers of old views
// go on while the history grows and trims.
func TestAViewNeverChanges(t *testing.T) {
	h := NewHistory(50*time.Second, 4)
	var readers sync.WaitGroup
	for s := range 1000 {
		h.Add(reading(s, row("a", float64(s)), row(fmt.Sprint("b", s%7), float64(s))))
		if s%10 != 0 {
			continue
		}
		v := h.View()
		before := numbers(v.Series(service("a").ID, Amplification))
		readers.Go(func() {
			for range 20 {
				if got := numbers(v.Series(service("a").ID, Amplification)); !slices.Equal(got, before) {
					t.Errorf("the view of second %d changed from %v to %v", s, before, got)
					return
				}
			}
			if v.Len() != min(s, 50)+1 {
				t.Errorf("the view of second %d has %d readings", s, v.Len())
			}
		})
	}
	readers.Wait()
}

// model is the obvious History: all readings, every question answered by
// looking through them.
type model struct {
	span     time.Duration
	readings []*Reading
}

func (m *model) add(r *Reading) bool {
	if n := len(m.readings); n > 0 && !r.At.After(m.readings[n-1].At) {
		return false
	}
	m.readings = append(m.readings, r)
	return true
}

func (m *model) inView() []*Reading {
	last := m.readings[len(m.readings)-1].At
	i := slices.IndexFunc(m.readings, func(r *Reading) bool { return !r.At.Before(last.Add(-m.span)) })
	return m.readings[i:]
}

func TestHistoryEqualsAModelThatKeepsEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c"}
		span := time.Duration(rapid.IntRange(1, 90).Draw(t, "span")) * time.Second
		h, m := NewHistory(span, len(names)), &model{span: span}
		at := 0
		for range rapid.IntRange(1, 300).Draw(t, "readings") {
			at += rapid.SampledFrom([]int{1, 1, 1, 1, 1, 2, 7, 0, -1}).Draw(t, "step")
			var rows []Row
			for _, n := range names {
				if rapid.IntRange(0, 3).Draw(t, n) > 0 {
					r := row(n, float64(at))
					r.Values[PoolWait] = Value{V: 1, Unit: Seconds}.With(State(rapid.IntRange(0, 6).Draw(t, "state")))
					rows = append(rows, r)
				}
			}
			r := reading(at, rows...)
			if known := rapid.IntRange(0, 2).Draw(t, "known"); known > 0 {
				r.Overload = OverloadOf(known > 1)
			}
			if got, want := h.Add(r), m.add(r); got != want {
				t.Fatalf("Add at %d = %v, want %v", at, got, want)
			}
		}
		v, want := h.View(), m.inView()
		if v.Len() != len(want) {
			t.Fatalf("%d readings in view, want %d", v.Len(), len(want))
		}
		for i, r := range want {
			if !v.Time(i).Equal(r.At) {
				t.Fatalf("reading %d is of %v, want %v", i, v.Time(i), r.At)
			}
			if v.Overload(i) != r.Overload {
				t.Fatalf("overload of reading %d is %v, want %v", i, v.Overload(i), r.Overload)
			}
			for _, n := range append(names, "stranger") {
				row, _ := r.Row(service(n).ID)
				for _, s := range []Signal{Amplification, PoolWait, Ingress} {
					got := v.Series(service(n).ID, s).Value(i)
					if got.State != row.Values[s].State || got.V != row.Values[s].V {
						t.Fatalf("%s %v at reading %d is %+v, want %+v", n, s, i, got, row.Values[s])
					}
				}
			}
		}
	})
}
