package agenda

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestEventsComeByTimeThenByOrderOfMaking compares with a sorted list, for any
// mixture of single events, lanes, shrinking delays and takings.
func TestEventsComeByTimeThenByOrderOfMaking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Agenda
		lanes := []Lane{a.NewLane(1), a.NewLane(2), a.NewLane(3)}
		type made struct {
			at    int64
			index uint32
			kind  Kind
		}
		var waiting []made
		now, index := int64(0), uint32(0)
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			switch act := rapid.IntRange(0, 5).Draw(t, "act"); {
			case act < 4:
				at := now + rapid.Int64Range(0, 20).Draw(t, "delay")
				index++
				if act == 3 {
					a.Add(at, 9, index, 7)
					waiting = append(waiting, made{at, index, 9})
				} else {
					a.AddTo(lanes[act], at, index, 7)
					waiting = append(waiting, made{at, index, Kind(act + 1)})
				}
			case len(waiting) > 0:
				first := slices.MinFunc(waiting, func(x, y made) int {
					return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.index, y.index))
				})
				if at, ok := a.Next(); !ok || at != first.at {
					t.Fatalf("next is at %d, %v, want %d", at, ok, first.at)
				}
				e := a.Pop()
				if e.At != first.at || e.Index != first.index || e.Kind() != first.kind || e.Gen != 7 {
					t.Fatalf("got %+v of kind %d, want %+v", e, e.Kind(), first)
				}
				waiting = slices.DeleteFunc(waiting, func(m made) bool { return m.index == first.index })
				now = first.at
			}
			if a.Len() != len(waiting) {
				t.Fatalf("%d events, want %d", a.Len(), len(waiting))
			}
		}
	})
}

// TestDeadEventsMayBeLeftOut and nothing else: whatever lives comes in its order,
// and what is dead comes in its order or not at all.
func TestDeadEventsMayBeLeftOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Agenda
		tokens := make([]uint32, 8)
		plain, tokened := a.NewLane(1), a.NewTokenLane(2, &tokens)
		type made struct {
			at         int64
			index, gen uint32
			kind       Kind
		}
		var waiting []made
		dead := func(m made) bool { return m.kind == 2 && tokens[m.index] != m.gen }
		now := int64(0)
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			at := now + rapid.Int64Range(0, 20).Draw(t, "delay")
			index := uint32(rapid.IntRange(0, len(tokens)-1).Draw(t, "index"))
			m := made{at, index, tokens[index], 3}
			switch act := rapid.IntRange(0, 5).Draw(t, "act"); act {
			case 0:
				a.Add(at, 3, index, m.gen)
				waiting = append(waiting, m)
			case 1, 2:
				m.kind = Kind(act)
				a.AddTo([]Lane{plain, tokened}[act-1], at, index, m.gen)
				waiting = append(waiting, m)
			case 3:
				tokens[index]++
			default:
				slices.SortStableFunc(waiting, func(x, y made) int { return cmp.Compare(x.at, y.at) })
				if _, ok := a.Next(); !ok {
					break
				}
				e := a.Pop()
				got := made{e.At, e.Index, e.Gen, e.Kind()}
				for len(waiting) > 0 && waiting[0] != got && dead(waiting[0]) {
					waiting = waiting[1:]
				}
				if len(waiting) == 0 || waiting[0] != got {
					t.Fatalf("got %+v, want the first of %+v", got, waiting)
				}
				waiting, now = waiting[1:], e.At
			}
			alive := 0
			for _, m := range waiting {
				if !dead(m) {
					alive++
				}
			}
			if n := a.Len(); n < alive || n > len(waiting) {
				t.Fatalf("%d events, of which %d live; want %d to %d", n, alive, alive, len(waiting))
			}
		}
	})
}

func TestAnEmptyAgendaHasNoNext(t *testing.T) {
	var a Agenda
	if at, ok := a.Next(); ok || at != 0 {
		t.Errorf("next of nothing is %d, %v", at, ok)
	}
}

// TestNothingIsAllocatedOnceGrown is the promise of the package.
func TestNothingIsAllocatedOnceGrown(t *testing.T) {
	var a Agenda
	lane := a.NewLane(1)
	now := int64(0)
	turn := func() {
		a.Add(now+int64(now*7919%1000), 2, 1, 1)
		a.AddTo(lane, now+500, 1, 1)
		now = a.Pop().At
		now = a.Pop().At
	}
	for range 1000 {
		a.Add(now+int64(a.seq*7919%1000), 2, 1, 1)
		a.AddTo(lane, now+500, 1, 1)
	}
	if n := testing.AllocsPerRun(1000, turn); n != 0 {
		t.Errorf("%v allocations for two events", n)
	}
}

func BenchmarkTenThousandPending(b *testing.B) {
	for _, kind := range []string{"heap", "lane"} {
		b.Run(kind, func(b *testing.B) {
			var a Agenda
			lane := a.NewLane(1)
			state := uint64(1)
			add := func(now int64) {
				if kind == "lane" {
					a.AddTo(lane, now+1_000_000, 1, 1)
					return
				}
				state = state*6364136223846793005 + 1442695040888963407
				a.Add(now+int64(state>>44), 2, 1, 1)
			}
			for range 10_000 {
				add(0)
			}
			b.ReportAllocs()
			for b.Loop() {
				add(a.Pop().At)
			}
		})
	}
}
