package views

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// blindly is the simulation in its storm while no signal can be read.
func blindly(t *testing.T, w, h int, keys ...string) *Model {
	t.Helper()
	m := rehearsed(t, &rehearsal{rig: burning()}, w, h, Options{})
	m.Update(SnapshotMsg{Snapshot: unseen(420)})
	press(m, keys...)
	return m
}

// TestWhatIsNotMeasuredIsNeverShownAsIfItWere, on both screens of a simulation at
// every size.
func TestWhatIsNotMeasuredIsNeverShownAsIfItWere(t *testing.T) {
	for _, key := range []string{"3", "5"} {
		for h := 3; h <= 60; h++ {
			for _, w := range []int{40, 60, 80, 100, 120, 200} {
				got := text(blindly(t, w, h, key))
				switch {
				case !strings.Contains(strings.ToLower(got), "blind since 11:"):
					t.Fatalf("no verdict at %dx%d:\n%s", w, h, got)
				case !strings.Contains(got, "not measured") && !strings.Contains(got, "simulator's own count"):
					t.Fatalf("nothing says that it is not measured at %dx%d after %s:\n%s", w, h, key, got)
				}
			}
		}
	}
	if got := text(blindly(t, 60, 2, "3")); !strings.Contains(got, "not measured: EDGE") {
		t.Errorf("in two lines:\n%s", got)
	}
}

func TestWhatIsNotMeasuredIsDim(t *testing.T) {
	m := blindly(t, 120, 40, "3")
	for _, row := range strings.Split(m.Frame(), "\n") {
		if strings.Contains(row, "order") && strings.Contains(row, "/s") && strings.Contains(row, m.styles.strong.open+" ") {
			t.Errorf("%q", row)
		}
		if strings.Contains(row, "EDGE 2") && !strings.HasPrefix(row, m.styles.dim.open) {
			t.Errorf("%q", row)
		}
	}
	r := repaired()
	m = rehearsed(t, &rehearsal{rig: r}, 120, 40, Options{}, "5")
	m.Update(SnapshotMsg{Snapshot: unseen(420)})
	for _, row := range strings.Split(m.Frame(), "\n") {
		if strings.Contains(row, "26.1x") && !strings.Contains(row, m.styles.dim.open) {
			t.Errorf("%q", row)
		}
	}
}

func TestWhatIsCopiedSaysThatItIsNotMeasured(t *testing.T) {
	for _, blind := range []bool{true, false} {
		m := rehearsed(t, &rehearsal{rig: repaired()}, 120, 40, Options{}, "5")
		if blind {
			m.Update(SnapshotMsg{Snapshot: unseen(420)})
		}
		press(m, "y")
		if got := text(m); strings.Contains(got, notMeasured) != blind || !strings.Contains(got, "worst case now 9x = 3 x 1 x 3, on average at most 4.17x with budgets") {
			t.Errorf("blind %t:\n%s", blind, got)
		}
	}
}

func TestWhenTheSignalsComeBackNothingIsSaidAnyMore(t *testing.T) {
	m := blindly(t, 120, 40, "3")
	m.Update(SnapshotMsg{Snapshot: storming()})
	if got := text(m); strings.Contains(got, "own count") {
		t.Errorf("%s", got)
	}
}

func TestAFrozenLabSaysWhyItsKeysDoNothing(t *testing.T) {
	for _, key := range []string{"[", "]", "tab", "shift+tab", "n", "o", "d", "u", "N", "R"} {
		r := &rehearsal{rig: burning()}
		m := rehearsed(t, r, 80, 24, Options{}, "5", "space", key)
		if got := text(m); !strings.Contains(got, "nothing was changed: the picture is frozen") || len(r.asked) > 0 {
			t.Errorf("after %s (%v):\n%s", key, r.asked, got)
		}
		press(m, "space", "tab", "]")
		if got := text(m); strings.Contains(got, "nothing was changed") || len(r.asked) == 0 {
			t.Errorf("thawed after %s (%v):\n%s", key, r.asked, got)
		}
	}
	m := rehearsed(t, &rehearsal{rig: burning()}, 80, 24, Options{}, "5", "space", "x")
	if strings.Contains(text(m), "nothing was changed") {
		t.Error("a key that never does anything is answered")
	}
	m = rehearsed(t, &rehearsal{rig: burning()}, 80, 24, Options{}, "3", "space", "[")
	if strings.Contains(text(m), "nothing was changed") {
		t.Error("the Chain answers for the Lab")
	}
}

// TestLayersThatHaveNoRoomAreCounted at every width.
func TestLayersThatHaveNoRoomAreCounted(t *testing.T) {
	for w := 20; w <= 120; w++ {
		m := rehearsed(t, &rehearsal{rig: burning()}, w, 12, Options{}, "5")
		table := m.leverTable()
		got := text(m)
		if dropped := len(table.layers) - table.shown; (dropped > 0) != strings.Contains(got, " more") {
			t.Errorf("%d layers dropped at %d:\n%s", dropped, w, got)
		}
	}
}

func TestLeversThatHaveNoRoomAreCounted(t *testing.T) {
	for h := 5; h <= 30; h++ {
		got := text(rehearsed(t, &rehearsal{rig: burning()}, 80, h, Options{}, "5"))
		shown := 0
		for _, row := range []string{"attempts", "backoff", "jitter", "budget", "deadline", "breaker", "bulkhead"} {
			shown += strings.Count(got, "\n "+row+" ")
		}
		if want := fmt.Sprintf("\n %d of 7 ", shown); (shown < 7 && shown > 0) != strings.Contains(got, want) {
			t.Errorf("%d of the levers at a height of %d:\n%s", shown, h, got)
		}
	}
}

// TestWhatHasNoRoomInTheLabIsCounted: faults, repairs and policies, at every size at
// which some of them are there.
func TestWhatHasNoRoomInTheLabIsCounted(t *testing.T) {
	r := burning()
	var faults, repairs, peers []string
	for i := range r.Faults {
		faults = append(faults, fit(r.Faults[i].Title, 14, ""))
	}
	for i := range r.Repairs {
		repairs = append(repairs, fit(r.Repairs[i].Title, 14, ""))
	}
	for i := range r.Peers {
		peers = append(peers, r.Peers[i].Name+" ")
	}
	for _, w := range []int{40, 60, 80, 120} {
		for h := 10; h <= 50; h++ {
			got := text(rehearsed(t, &rehearsal{rig: r}, w, h, Options{}, "5"))
			for _, part := range []struct {
				head string
				all  []string
			}{{" FAULTS", faults}, {"REPAIRS", repairs}, {"OTHER POLICIES", peers}} {
				if !strings.Contains(got, part.head) {
					continue
				}
				_, below, _ := strings.Cut(got, part.head)
				there := 0
				for _, title := range part.all {
					if strings.Contains(below, title) {
						there++
					}
				}
				if want := fmt.Sprintf("%s  %d of %d", part.head, there, len(part.all)); (there < len(part.all)) != strings.Contains(got, want) {
					t.Fatalf("%dx%d: no %q:\n%s", w, h, want, got)
				}
			}
		}
	}
}

// TestTheWholeStoryCanBeRead at every size that has room for words: on the screen,
// or behind the key that is named.
func TestTheWholeStoryCanBeRead(t *testing.T) {
	r := burning()
	r.Look = strings.Repeat("the channel slows and browse dies of a storm that is not its own; ", 6) + "the storm ends by itself when the channel heals at 600 s."
	for _, key := range []string{"3", "5"} {
		for _, size := range []struct {
			w, h int
			here bool
		}{{80, 24, false}, {100, 30, false}, {120, 40, true}, {200, 60, true}} {
			m := rehearsed(t, &rehearsal{rig: r}, size.w, size.h, Options{}, key)
			flat := func() string { return strings.Join(strings.Fields(text(m)), " ") }
			const end = "when the channel heals at 600 s."
			if here := strings.Contains(flat(), end); here != size.here && key == "5" {
				t.Errorf("at %dx%d after %s it is there: %t\n%s", size.w, size.h, key, here, text(m))
			}
			if !strings.Contains(flat(), "i story") {
				t.Errorf("at %dx%d after %s no key is named:\n%s", size.w, size.h, key, text(m))
			}
			press(m, "i")
			if got := flat(); !strings.Contains(got, end) {
				t.Errorf("at %dx%d after %s i:\n%s", size.w, size.h, key, text(m))
			}
			m.Update(tea.WindowSizeMsg{Width: size.w, Height: size.h})
			press(m, "end")
			if got := flat(); !strings.Contains(got, "retry_rate") {
				t.Errorf("the numbers are not explained any more at %dx%d:\n%s", size.w, size.h, text(m))
			}
		}
	}
}
