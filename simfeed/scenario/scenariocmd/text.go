package scenariocmd

import (
	"bytes"
	"fmt"
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/scenario"
	"stormtop/simfeed/table"
)

const columns = 98

// writeList writes a line for each scenario.
func writeList(out *bytes.Buffer, list []scenario.Scenario) {
	var b strings.Builder
	t := table.Table{Left: 2}
	t.Add("SCENARIO", "STORY")
	for i := range list {
		name := list[i].Name
		if name == scenario.Default {
			name += " *"
		}
		t.Add(name, list[i].Title)
	}
	t.Write(&b)
	b.WriteString("\n* plays when nothing else is named\n")
	out.WriteString(b.String())
}

// writeFile writes the file of a scenario, with what is in it in front. The
// whole is a file again.
func writeFile(out *bytes.Buffer, name string, s *scenario.Scenario, read scenario.ReadFile) error {
	var b strings.Builder
	comment := func(text string) {
		for _, line := range usage.Wrap(text, columns-2) {
			b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
	}
	class, service := s.Watched()
	call, whole := s.FullName(), s.Name // what it is called by: a file of one's own by its path
	if scenario.IsFile(name) {
		call = collector.Clean(name)
		whole = strings.TrimSuffix(call, ":"+s.Variant)
	}
	comment(fmt.Sprintf("The scenario %s of stormtop. Watch it: stormtop --sim=%s; run it: stormtop simulate %s", s.FullName(), call, call))
	if !scenario.IsFile(name) {
		comment("For one of your own, save this as my.yaml, change it, and run: stormtop simulate my.yaml")
	}
	b.WriteString("#\n")
	comment(fmt.Sprintf("watched: %s at %s", class, service))
	if len(s.Fitted) > 0 {
		comment("fitted by trial, not given by the source: " + strings.Join(s.Fitted, ", "))
	}
	if len(s.Actions) > 0 {
		b.WriteString("#\n# what an operator can do (--act, or keys):\n")
		for _, a := range s.Actions {
			wrong := ""
			if a.Wrong {
				wrong = " (makes it worse)"
			}
			comment(fmt.Sprintf("  %s at %s: %s%s", a.Name, collector.FormatInterval(a.At), a.Title, wrong))
		}
	}
	if len(s.Variants) > 0 {
		fmt.Fprintf(&b, "#\n# variants, as %s:%s:\n", whole, s.Variants[0].Name)
		for _, v := range s.Variants {
			comment("  " + v.Name + ": " + v.Title)
		}
	}
	b.WriteString("\n")
	out.WriteString(b.String())
	data, err := scenario.TextOf(name, read)
	if err != nil {
		return err
	}
	out.Write(data)
	return nil
}
