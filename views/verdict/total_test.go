package verdict

import (
	"testing"

	"stormtop/collector"
)

func TestATotalIsToldWhereItSaysMoreThanTheTargets(t *testing.T) {
	hop, edge := collector.Row{Target: collector.Target{Kind: collector.Hop}}, collector.Row{Target: collector.Target{Kind: collector.Edge}}
	one := &collector.Origin{Systems: []collector.System{{Profile: "haproxy"}, {Profile: "haproxy", Kind: collector.Edge}}}
	two := &collector.Origin{Systems: []collector.System{{Profile: "haproxy"}, {Profile: "go_sql"}}}
	for name, test := range map[string]struct {
		reading *collector.Reading
		want    bool
	}{
		"nothing was read":                        {nil, false},
		"a single target":                         {&collector.Reading{Targets: []collector.Row{hop}, Total: hop, Origin: one}, false},
		"targets of one system have a sum":        {&collector.Reading{Targets: []collector.Row{hop, hop}, Total: hop, Origin: one}, true},
		"targets of several systems have none":    {&collector.Reading{Targets: []collector.Row{hop, hop}, Total: hop, Origin: two}, false},
		"an edge pair that is a target already":   {&collector.Reading{Targets: []collector.Row{edge, hop}, Total: edge, Origin: one}, false},
		"an edge pair that cannot be judged":      {&collector.Reading{Targets: []collector.Row{hop, hop}, Total: edge, Origin: one}, true},
		"an edge pair beside several systems":     {&collector.Reading{Targets: []collector.Row{hop, hop}, Total: edge, Origin: two}, true},
		"targets of a source that says no origin": {&collector.Reading{Targets: []collector.Row{hop, hop}, Total: hop}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := HasTotal(test.reading); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
