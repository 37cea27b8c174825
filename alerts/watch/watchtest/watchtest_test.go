package watchtest_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

func TestThePlateauHasTheNumbersOfTheSketch(t *testing.T) {
	r := watchtest.Storm{Targets: watchtest.Many}.Reading(watchtest.Plateau)
	want := map[string][]string{
		watchtest.Payments: {"1,998/s", "4,955/s", "2.48x", "59.7%", "59.7%", "45.8%", "1,328/s", "240ms", "1,204"},
		watchtest.Orders:   {"1,998/s", "2,031/s", "1.02x", "1.6%", "1.3%", "99.9%", "0/s", "2.9ms", "0"},
		watchtest.Users:    {"3,120/s", "3,122/s", "1.00x", "0.1%", "0.1%", "99.9%", "0/s", "1.0ms", "0"},
	}
	signals := []collector.Signal{
		collector.Ingress, collector.Downstream, collector.Amplification, collector.RetryRate, collector.RescuedShare,
		collector.Delivered, collector.AtLimit, collector.PoolWait, collector.QueueDepth,
	}
	for name, texts := range want {
		row, ok := r.Row(watchtest.Service(name).ID)
		var got []string
		for _, s := range signals {
			got = append(got, row.Values[s].String())
		}
		if diff := cmp.Diff(texts, got); !ok || diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if len(r.Targets) != 212 {
		t.Errorf("%d targets", len(r.Targets))
	}
}

func TestReadingsAreSortedAndTheirTotalIsTheSum(t *testing.T) {
	storm := watchtest.Storm{Targets: 50}
	for _, r := range storm.Readings(watchtest.Rise, watchtest.Fires) {
		if !slices.IsSortedFunc(r.Targets, func(a, b collector.Row) int { return strings.Compare(a.Target.Name, b.Target.Name) }) {
			t.Fatal("not sorted")
		}
		sum, ids := 0.0, map[string]bool{}
		for _, row := range r.Targets {
			sum += row.Values[collector.Downstream].V
			ids[row.Target.ID] = true
			if row.Target.Name != watchtest.Payments && row.Values[collector.Amplification].V > 1.02 {
				t.Errorf("%s is at %v", row.Target.Name, row.Values[collector.Amplification])
			}
		}
		if got := r.Total.Values[collector.Downstream].V; math.Abs(got-sum) > 1e-6 || len(ids) != 50 {
			t.Errorf("total %v, sum %v, %d different targets", got, sum, len(ids))
		}
	}
	if diff := cmp.Diff(storm.Reading(watchtest.Plateau), storm.Reading(watchtest.Plateau)); diff != "" {
		t.Errorf("not the same twice: %s", diff)
	}
}

func TestMomentsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range watchtest.MomentsOf(3) {
		if seen[m.Name] || m.Now.IsZero() {
			t.Errorf("moment %q", m.Name)
		}
		seen[m.Name] = true
	}
	if _, ok := watchtest.At("no such moment"); ok {
		t.Error("a moment that does not exist was found")
	}
}
