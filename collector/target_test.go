package collector

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNewTargetNamesItsLabels(t *testing.T) {
	tests := []struct {
		labels []Label
		name   string
	}{
		{[]Label{{"service", "orders"}}, "orders"},
		{[]Label{{"cluster", "eu1"}, {"service", "orders"}}, "eu1/orders"},
		{[]Label{{"service", "orders"}, {"cluster", "eu1"}}, "eu1/orders"},
		{[]Label{{"cluster", ""}, {"service", "orders"}}, "orders"},
		{[]Label{{"service", "a\x1b[31m\nb"}}, "a\uFFFD[31m\uFFFDb"},
		{[]Label{{"service", ""}}, "all"},
		{nil, "all"},
	}
	for _, tt := range tests {
		got := NewTarget(Hop, tt.labels...)
		if got.Name != tt.name || got.Kind != Hop || got.ID == TotalID {
			t.Errorf("NewTarget(%q) = %+v, want the name %q", tt.labels, got, tt.name)
		}
	}
}

func TestNewTargetKeepsTrueLabelValues(t *testing.T) {
	in := []Label{{"service", "a\x1b\xff"}, {"cluster", "eu1"}}
	got := NewTarget(Edge, in...)
	if got.Label("service") != "a\x1b\xff" || got.Label("cluster") != "eu1" || got.Label("none") != "" {
		t.Errorf("labels %q", got.Labels)
	}
	if in[0].Name != "service" {
		t.Error("the caller's labels were sorted in place")
	}
	if !slices.IsSortedFunc(got.Labels, func(a, b Label) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("not sorted: %q", got.Labels)
	}
}

func TestTargetsOfOtherLabelsHaveOtherIDs(t *testing.T) {
	labels := rapid.Custom(func(t *rapid.T) []Label {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("a\x00\x01\x02b")), 0, 3, -1)
		return rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) Label {
			return Label{text.Draw(t, "name"), text.Draw(t, "value")}
		}), 0, 3, func(l Label) string { return l.Name }).Draw(t, "labels")
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := NewTarget(Hop, labels.Draw(t, "a")...), NewTarget(Hop, labels.Draw(t, "b")...)
		same := slices.Equal(a.Labels, b.Labels)
		if (a.ID == b.ID) != same {
			t.Errorf("%q and %q: IDs %q and %q", a.Labels, b.Labels, a.ID, b.ID)
		}
		if a.Name == "" || Clean(a.Name) != a.Name {
			t.Errorf("name %q", a.Name)
		}
	})
}

func TestReadingFindsItsRows(t *testing.T) {
	a, b := NewTarget(Hop, Label{"service", "a"}), NewTarget(Hop, Label{"service", "b"})
	r := &Reading{Total: Row{Target: Target{Name: "total"}}, Targets: []Row{{Target: a}, {Target: b}}}
	if row, ok := r.Row(b.ID); !ok || row.Target.Name != "b" {
		t.Errorf("b: %+v, %v", row, ok)
	}
	if row, ok := r.Row(TotalID); !ok || row.Target.Name != "total" {
		t.Errorf("total: %+v, %v", row, ok)
	}
	if row, ok := r.Row("c"); ok || cmp.Diff(row, Row{}) != "" {
		t.Errorf("c: %+v, %v", row, ok)
	}
}

func TestAReadingIsBlindOnlyWhenAllOfItFailed(t *testing.T) {
	tests := []struct {
		failures []Failure
		want     bool
	}{
		{nil, false},
		{[]Failure{{Signal: PoolWait, Kind: TimedOut}}, false},
		{[]Failure{{Signal: PoolWait, Kind: TimedOut}, {Kind: ServerError}}, true},
	}
	for _, tt := range tests {
		if got := (&Reading{Failures: tt.failures}).Blind(); got != tt.want {
			t.Errorf("%+v: blind %v", tt.failures, got)
		}
	}
}
