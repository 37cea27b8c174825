package profilecmd

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"stormtop/collector/profile"
)

const page = "../../../docs/profiles.md"

// updating reports whether golden files are to be rewritten.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

func TestTheTablesOfThePageAreTheProfiles(t *testing.T) {
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := string(have)
	want = between(t, want, "checked by a test -->\n", "<!-- end of ratios -->", rows(false))
	want = between(t, want, "checked by a test: pools -->\n", "<!-- end of pools -->", rows(true))
	if updating() {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(have) {
		t.Errorf("docs/profiles.md is out of date; run: go test ./collector/profile/profilecmd -update")
	}
}

func TestTheProfileOfThePageIsComplete(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "```yaml\n")
	example, _, ok := strings.Cut(example, "```")
	if _, err := profile.Parse("docs/profiles.md", []byte(example)); err != nil || !ok {
		t.Error(err)
	}
}

// between replaces what stands between two marks.
func between(t *testing.T, text, begin, end, by string) string {
	t.Helper()
	before, rest, ok := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("docs/profiles.md has no place between %q and %q", begin, end)
	}
	return before + begin + by + end + after
}

// rows is the table of the ratios or of the pools.
func rows(pools bool) string {
	var b strings.Builder
	b.WriteString("| profile | system | status | trust | what it cannot see |\n|---|---|---|---|---|\n")
	if pools {
		b.Reset()
		b.WriteString("| profile | system | status | signals |\n|---|---|---|---|\n")
	}
	list := profile.Builtin()
	for i := range list {
		switch p := &list[i]; {
		case p.Pool() != pools:
		case pools:
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, p.Title, status(p), strings.Join(measured(p), ", "))
		default:
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", p.Name, p.Title, status(p), p.Trust, p.CannotSee)
		}
	}
	return b.String()
}

// measured are the signals of a profile with their units.
func measured(p *profile.Profile) (out []string) {
	for s := range p.Signals {
		out = append(out, fmt.Sprintf("%s (%s)", s, strings.ReplaceAll(p.Unit(s).String(), "_", " ")))
	}
	slices.Sort(out)
	return out
}
