package chain

import (
	"fmt"
	"testing"
	"time"
)

func TestMetastableOnlyWhenEverythingIsUndone(t *testing.T) {
	change := func(at int, field, value string, operator bool) Change {
		return Change{At: time.Duration(at) * time.Second, Field: field, Value: value, Operator: operator}
	}
	const work, attempts = "services.primary.time_factor", edgeOfOsdi + "attempts"
	long := osdi(620, 0.8, 12*time.Second).Timeline // sticks by itself
	short := osdi(620, 0.8, 2*time.Second).Timeline // does not
	for _, test := range []struct {
		name              string
		timeline          []Change
		want              Verdict
		trigger, operator string
	}{
		{"a trigger for good", []Change{change(20, work, "5", false)}, NotJudged, "[" + work + "]", "[]"},
		{"for good, all of the fields there are", []Change{change(20, "services.*.time_factor", "x5", false)}, NotJudged, "[services.clients.time_factor " + work + "]", "[]"},
		{"undone by another change", []Change{change(20, work, "5", false), change(40, work, "1", false)}, Metastable, "[]", "[]"},
		{"undone by an operator", []Change{change(20, work, "5", false), change(40, work, "1", true)}, Metastable, "[]", "[]"},
		{"too soon after it was undone", []Change{change(20, work, "5", false), change(75, work, "1", true)}, NotJudged, "[]", "[]"},
		{"an operator made it worse", append([]Change{change(35, work, "8", true)}, short...), NotJudged, "[]", "[" + work + "]"},
		{"made worse after it had recovered", append([]Change{change(60, work, "8", true)}, short...), NotJudged, "[]", "[" + work + "]"},
		{"a repair that is too late to matter", append([]Change{change(80, attempts, "4", true)}, long...), Metastable, "[]", "[]"},
	} {
		s := osdi(620, 0.8, time.Second)
		s.Timeline = test.timeline
		r := run(t, s, RunOptions{NoControl: true})
		j := r.Judged
		if got := fmt.Sprint(j.TriggerOn); r.Verdict != test.want || got != test.trigger || fmt.Sprint(j.OperatorOn) != test.operator {
			t.Errorf("%s: %v, want %v; on are %s and %v", test.name, r.Verdict, test.want, got, j.OperatorOn)
		}
	}
}

const edgeOfOsdi = "edges.clients>primary."
