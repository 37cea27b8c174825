package prom

import (
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
)

func TestWhatIsNamedAndHasNoEffectIsTold(t *testing.T) {
	plain, edged := hop("proxy", collector.Approx, nil), withEdge(collector.Approx)
	none := edgeScript()
	none["sum(rate(nosuch["] = vector{}
	for name, c := range map[string]struct {
		known  profile.Profile
		change func(*Config)
		want   string
	}{
		"one side of an edge":            {plain, func(c *Config) { c.Edge.Ingress = "sum(rate(front[$window]))" }, "--ingress is not used"},
		"the other side":                 {plain, func(c *Config) { c.Edge.Downstream = "sum(rate(back[$window]))" }, "--downstream is not used"},
		"one side, the profile has both": {edged, func(c *Config) { c.Edge.Ingress = "sum(rate(front[$window]))" }, ""},
		"a side without series":          {edged, func(c *Config) { c.Edge.Ingress = "sum(rate(nosuch[$window]))" }, "one of its sides has no series"},
		"a baseline of nobody":           {plain, func(c *Config) { c.Baselines.Of = map[string]float64{"nosuch": 2} }, "--baseline-of=nosuch is not used"},
		"a baseline of somebody":         {plain, func(c *Config) { c.Baselines.Of = map[string]float64{"a": 2} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openKnown(t, none, []profile.Profile{c.known}, []string{"proxy"}, c.change)
			r := next(t, s)
			if c.want != "" && !warned(r, c.want) || c.want == "" && warned(r, "not used") {
				t.Errorf("%v", r.Warnings)
			}
		})
	}
}

func TestALabelThatNobodyHasIsTold(t *testing.T) {
	facts := map[string]float64{"series": 4, "single": 4, "jobs": 4, "without nosuch": 4}
	s, _ := openKnown(t, seen(libScript(), "out", facts), []profile.Profile{hop("lib", collector.Exact, nil)}, []string{"lib"},
		func(c *Config) { c.By = []string{"nosuch"} })
	if r := next(t, s); !warned(r, "no series of one side has the label nosuch") {
		t.Errorf("%v", r.Warnings)
	}
}

// TestASelectionIsPartOfTheSearch: a system of which nothing is selected is not there.
func TestASelectionIsPartOfTheSearch(t *testing.T) {
	f := newFake(t)
	f.on(script{}.found())
	s := f.openForDetection(t, func(c *Config) {
		c.Select, c.Known = `namespace="shop"`, []profile.Profile{hop("lib", collector.Exact, nil)}
	})
	fail := blindFailure(t, next(t, s))
	if !strings.Contains(fail.Text, `among namespace="shop"`) {
		t.Errorf("%s", fail.Text)
	}
	for _, q := range f.asked() {
		if strings.Contains(q.query, detectLabel) && !strings.Contains(q.query, `count(lib_in{namespace="shop"})`) {
			t.Errorf("%s", q.query)
		}
	}
}
