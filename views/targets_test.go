package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"stormtop/collector"
)

// names are the targets of the list, in its order.
func names(m *Model) []string {
	var out []string
	for _, i := range m.listed() {
		out = append(out, m.shown.Good.Targets[i].Target.Name)
	}
	return out
}

// typing sends text key by key.
func typing(m *Model, text string) {
	for _, r := range text {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func TestTheWorstTargetLeadsTheList(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{})
	press(m, "2")
	if got := names(m); len(got) != 212 || got[0] != "payments-channel" || got[1] != "orders" {
		t.Errorf("%d targets, first %v", len(got), got[:2])
	}
	if got := text(m); !strings.Contains(got, "TARGETS  212  worst first") || !strings.Contains(got, "▸● payments-channel") {
		t.Errorf("not said:\n%s", got)
	}
}

// TestTargetsThatBeginAlikeAreToldApart on both screens that have the table.
func TestTargetsThatBeginAlikeAreToldApart(t *testing.T) {
	mo := moments()["firing"]
	s, good := mo.Snapshot, *mo.Snapshot.Good
	good.Targets = slices.Clone(good.Targets)
	name := func(i int) string { return fmt.Sprintf("production-cluster-of-services-number-%d", i) }
	for i := range good.Targets {
		good.Targets[i].Target.Name = name(i)
	}
	s.Good = &good
	for _, width := range []int{60, 80, 120} {
		for _, keys := range [][]string{nil, {"2"}} {
			m := shown(t, "firing", width, 40, Options{})
			m.Update(SnapshotMsg{Snapshot: s})
			press(m, keys...)
			got := text(m)
			for _, i := range s.Order[:3] {
				if end := fmt.Sprintf("-%d ", i); !strings.Contains(got, end) {
					t.Errorf("width %d, keys %v: %q is not seen:\n%s", width, keys, end, got)
				}
			}
		}
	}
}

func TestSortingGoesThroughTheColumnsOnTheScreen(t *testing.T) {
	m := shown(t, "firing", 80, 24, Options{})
	press(m, "2")
	var heads, firsts []string
	for range 8 {
		press(m, "s")
		head := strings.Split(text(m), "\n")[3]
		at := strings.IndexAny(head, "▾▴")
		if at < 0 {
			heads, firsts = append(heads, "worst"), append(firsts, names(m)[0])
			continue
		}
		f := strings.Fields(head[:at])
		heads, firsts = append(heads, f[len(f)-1]), append(firsts, names(m)[0])
	}
	if want := []string{"INGRESS", "ATTEMPTS", "AMPL", "LIMIT", "QUEUE", "TARGET", "worst", "INGRESS"}; !slices.Equal(heads, want) {
		t.Errorf("sorted by %v, want %v", heads, want)
	}
	if want := []string{"users", "payments-channel", "payments-channel", "payments-channel", "payments-channel", "ads", "payments-channel", "users"}; !slices.Equal(firsts, want) {
		t.Errorf("first %v, want %v", firsts, want)
	}
}

func TestTheSmallestShareDeliveredIsTheWorst(t *testing.T) {
	m := shown(t, "firing", 120, 40, Options{})
	press(m, "2")
	for m.list.sorting.signal != collector.Delivered {
		press(m, "s")
	}
	if got := names(m)[0]; got != "payments-channel" || !strings.Contains(text(m), "DELIVERED▴") {
		t.Errorf("first %s:\n%s", got, text(m))
	}
}

func TestWhatIsNotKnownIsSortedLast(t *testing.T) {
	row := func(v collector.Value) collector.Row {
		var r collector.Row
		r.Values[collector.Amplification] = v
		return r
	}
	num := func(f float64) collector.Value { return collector.Num(f, collector.Ratio, collector.Exact) }
	rows := []collector.Row{
		row(collector.Value{}), row(num(1)), row(collector.Value{State: collector.Idle}), row(collector.Value{State: collector.Infinite}),
		row(num(2)), row(collector.Value{State: collector.Failed}), row(num(1)),
	}
	if got, want := sorted(rows, []int{0, 1, 2, 3, 4, 5, 6}, collector.Amplification), []int{3, 4, 1, 6, 2, 0, 5}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAFilterLooksAtNameLabelsAndSystem(t *testing.T) {
	target := collector.NewTarget(collector.Hop, collector.Label{Name: "service", Value: "payments"}, collector.Label{Name: "zone", Value: "b"}).In("envoy")
	for expr, want := range map[string]bool{
		"": true, "pay": true, "PAY": true, "^pay": true, "^ments": false, "zone=b": true, "zone=a": false, "envoy": true, "^env.y$": true,
		"!pay": false, "!orders": true, "!": true, "pay|orders": true, "[op]a": true, "!^x": true, "P.Y": true, "^\\S+$": true, "^[^p]": true, "^[^a-z]": false,
	} {
		f, err := parseFilter(expr)
		if err != nil || f.holds(&target) != want {
			t.Errorf("%q: %v, %v; want %v", expr, f.holds(&target), err, want)
		}
	}
	for _, bad := range []string{"[", "pay(", "!a**", "a{2000}"} {
		if _, err := parseFilter(bad); err == nil || strings.Contains(err.Error(), "(?i)") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestTheFilterIsTypedAndKept(t *testing.T) {
	m := shown(t, "firing", 100, 24, Options{})
	press(m, "2", "/")
	typing(m, "pay")
	if got := names(m); !slices.Equal(got, []string{"payments-channel"}) {
		t.Errorf("while typing: %v", got)
	}
	typing(m, "[")
	if got := text(m); !strings.Contains(got, `missing closing ] in "["`) || len(names(m)) != 1 {
		t.Errorf("a bad expression is not told, or takes the last good one away:\n%s", got)
	}
	press(m, "enter")
	if m.path.mode() != filtering {
		t.Error("a bad expression is kept")
	}
	press(m, "backspace", "enter")
	if got := text(m); m.path.mode() != targets || !strings.Contains(got, "1 of 212  worst first  filter pay") {
		t.Errorf("not kept:\n%s", got)
	}
	press(m, "esc")
	if len(names(m)) != 212 || m.path.mode() != targets {
		t.Error("esc does not clear the filter first")
	}
	press(m, "esc")
	if m.path.mode() != overview {
		t.Error("esc does not lead back")
	}
	press(m, "2", "/")
	typing(m, "!pay")
	press(m, "esc")
	if len(names(m)) != 212 {
		t.Error("esc keeps what was typed")
	}
}

func TestLettersAreTextWhileTheFilterIsTyped(t *testing.T) {
	m := shown(t, "firing", 100, 24, Options{})
	press(m, "2", "/")
	typing(m, "q?1i")
	if m.editor.String() != "q?1i" || m.path.mode() != filtering {
		t.Errorf("%q in mode %d", m.editor.String(), m.path.mode())
	}
	press(m, "ctrl+w")
	m.Update(tea.PasteMsg{Content: "ord\x1b[2J\ners"})
	if got := m.editor.String(); strings.ContainsAny(got, "\x1b\n") {
		t.Errorf("pasted %q", got)
	}
	if cmd := press(m, "ctrl+c"); cmd == nil || cmd() != (tea.QuitMsg{}) {
		t.Error("ctrl+c does not quit")
	}
}

func TestTheEditorEditsInTheMiddle(t *testing.T) {
	e := newEditor("ordrs")
	key := func(name string) { e.press(keyMsg(name)) }
	key("left")
	key("left")
	key("e")
	key("home")
	key("^")
	key("end")
	key("$")
	if e.String() != "^orders$" {
		t.Errorf("%q", e.String())
	}
	key("left")
	key("backspace")
	key("ctrl+u")
	if e.String() != "$" || e.at != 0 {
		t.Errorf("%q at %d", e.String(), e.at)
	}
}

func TestPagesAndEndsOfTheList(t *testing.T) {
	m := shown(t, "firing", 80, 24, Options{})
	press(m, "2")
	m.Frame()
	at := func() int {
		row, _ := m.pointed()
		return slices.Index(names(m), row.Target.Name)
	}
	for _, step := range []struct {
		key  string
		want int
	}{{"pgdown", 17}, {"pgdown", 34}, {"pgup", 17}, {"end", 211}, {"down", 211}, {"home", 0}, {"up", 0}, {"down", 1}} {
		press(m, step.key)
		if got := at(); got != step.want {
			t.Errorf("%s: row %d, want %d", step.key, got, step.want)
		}
		if !strings.Contains(text(m), "▸") {
			t.Errorf("%s: the pointer is not on the screen:\n%s", step.key, text(m))
		}
	}
}

func TestTheSelectionFollowsItsTarget(t *testing.T) {
	m := shown(t, "firing", 80, 24, Options{})
	press(m, "2", "down", "s")
	if row, _ := m.pointed(); row.Target.Name != "orders" {
		t.Errorf("sorting moves the pointer to %s", row.Target.Name)
	}
	if !strings.Contains(text(m), "▸  orders") {
		t.Errorf("it is not on the screen:\n%s", text(m))
	}
}

func TestTheListIsMadeOnceForEachChange(t *testing.T) {
	m := shown(t, "firing", 80, 24, Options{})
	press(m, "2", "s", "/")
	typing(m, "e")
	rows := m.listed()
	for range 3 {
		press(m, "down")
		m.Frame()
		if &m.listed()[0] != &rows[0] {
			t.Fatal("made anew although nothing changed")
		}
	}
	m.Update(SnapshotMsg{Snapshot: moments()["calm"].Snapshot})
	if &m.listed()[0] == &rows[0] {
		t.Error("a new snapshot keeps the old order")
	}
}
