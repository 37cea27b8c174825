package export_test

import (
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/export"
	"stormtop/collector/rulefile"
)

// FuzzRead: whatever somebody made of a file of ours, taking it back does not
// panic, loses no alert, and yields rules that can be written again.
func FuzzRead(f *testing.F) {
	b, err := export.Build(systemsOf(f, time.Minute, "stormtop"), documented(), export.Options{Prefix: "P_", Evidence: []string{"one"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(rulefile.Render(b.File, rulefile.Style{}))
	f.Add(rulefile.Render(b.File, rulefile.Style{Resource: &rulefile.Resource{Name: "x", Labels: []rulefile.Pair{{Name: "release", Value: "y"}}}}))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := rulefile.Parse(text)
		if err != nil {
			return
		}
		in := export.Read(file)
		own := 0
		for i := range in.Own {
			for _, r := range in.Own[i].Rules {
				if r.Alert != "" {
					own++
				}
			}
		}
		if own+len(in.Rules) == 0 && len(file.Alerts()) > len(file.Groups)*4 {
			t.Fatalf("%d alerts were lost", len(file.Alerts()))
		}
		if alerts.Validate(in.Rules) != nil || len(in.Rules) == 0 {
			return
		}
		if _, err := export.Build(systemsOf(t, time.Minute, "stormtop"), in.Rules, export.Options{Prefix: in.Prefix, Own: in.Own}); err != nil && in.Prefix == "P_" {
			t.Logf("%v", err) // a rule may look at what this system has not
		}
	})
}
