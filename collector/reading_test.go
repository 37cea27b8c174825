package collector

import "testing"

func TestAReadingIsEmptyWhenNothingWasReadOfAnyTarget(t *testing.T) {
	one := []Row{{Target: NewTarget(Hop, Label{"service", "a"})}}
	for name, c := range map[string]struct {
		r            Reading
		blind, empty bool
	}{
		"a target":                   {Reading{Targets: one}, false, false},
		"a target, a signal failed":  {Reading{Targets: one, Failures: []Failure{{Signal: Ingress}}}, false, false},
		"blind, its targets known":   {Reading{Targets: one, Failures: []Failure{{Signal: Ingress}, {Kind: TimedOut}}}, true, true},
		"no target":                  {Reading{}, false, true},
		"no target, a signal failed": {Reading{Failures: []Failure{{Signal: Ingress}}}, false, true},
	} {
		if c.r.Blind() != c.blind || c.r.Empty() != c.empty {
			t.Errorf("%s: blind %v, empty %v", name, c.r.Blind(), c.r.Empty())
		}
	}
}
