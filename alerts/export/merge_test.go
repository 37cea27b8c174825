package export_test

import (
	"slices"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/export"
	"stormtop/collector/rulefile"
)

// namesOf are the groups of a file, in its order.
func namesOf(f *rulefile.File) []string {
	var out []string
	for _, g := range f.Groups {
		out = append(out, g.Name)
	}
	return out
}

func ownGroup(name, expr string) rulefile.Group {
	return rulefile.Group{Name: name, Rules: []rulefile.Rule{{Alert: "A", Expr: expr}}}
}

func TestOursTakeTheirPlaceInAFileAndTheRestStays(t *testing.T) {
	build := func(threshold float64, evidence ...string) *rulefile.File {
		rules := alerts.Documented()
		rules[0].Threshold = threshold
		b, err := export.Build(systemsOf(t, time.Minute, "envoy"), rules, export.Options{Evidence: evidence})
		if err != nil {
			t.Fatal(err)
		}
		return b.File
	}
	is := &rulefile.File{Comment: []string{"Of the shop."}, Groups: []rulefile.Group{ownGroup("a", "x > 1"), ownGroup("b", "y > 1")}}
	one := export.Merge(is, build(1.5, "first"), []rulefile.Group{ownGroup("b", "y > 2"), ownGroup("c", "z > 1")})
	if got, want := namesOf(one), []string{"a", "b", "stormtop_envoy", "c"}; !slices.Equal(got, want) || one.Groups[1].Rules[0].Expr != "y > 2" {
		t.Errorf("%q", got)
	}
	if c := one.Comment; len(c) != 4 || c[0] != "Of the shop." || c[3] != "  first" {
		t.Errorf("%q", c)
	}
	one.Comment = append(one.Comment, "Of the shop, too.")
	two := export.Merge(one, build(1.3), nil)
	if got, want := namesOf(two), []string{"a", "b", "stormtop_envoy", "c"}; !slices.Equal(got, want) {
		t.Errorf("again: %q", got)
	}
	if c := two.Comment; len(c) != 3 || c[0] != "Of the shop." || c[2] != "Of the shop, too." {
		t.Errorf("again: %q", c)
	}
	in := export.Read(two)
	if len(in.Rules) != 4 || in.Rules[0].Threshold != 1.3 || len(in.Own) != 3 {
		t.Errorf("read back: %+v", in)
	}
}
