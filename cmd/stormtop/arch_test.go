package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "stormtop"

// arrows is the drawing of docs/architecture.md: which packages of ours each
// may import. A pattern ending in "/..." means the package and all below it.
var arrows = []struct {
	from string
	to   []string
}{
	{"cmd/stormtop", []string{"collector/...", "alerts/...", "simfeed/...", "views/..."}},
	{"views/...", []string{"views/...", "alerts/...", "collector"}},
	{"alerts/export", []string{"alerts/...", "collector", "collector/promql", "collector/rulefile"}},
	{"alerts/...", []string{"alerts/...", "collector"}},
	{"simfeed/...", []string{"simfeed/...", "collector", "collector/usage"}},
	{"collector", nil},
	{"collector/...", []string{"collector/..."}},
}

// foreign says where foreign types may be seen: they stop at their adapter.
var foreign = []struct {
	prefix string
	in     []string
}{
	{"charm.land/", []string{"views/...", "cmd/stormtop"}},
	{"github.com/charmbracelet/", []string{"views/...", "cmd/stormtop"}},
	{"github.com/prometheus/client_golang/", []string{"collector/prom", "collector/expose"}},
	{"github.com/prometheus/common/", []string{"collector/prom", "collector/expose", "collector/scrape", "collector/web"}},
	{"github.com/prometheus/prometheus/", []string{"collector/prom", "collector/scrape", "collector/scrape/eval", "collector/doctor", "collector/rulefile", "collector/promql"}},
	{"github.com/spf13/pflag", []string{"cmd/stormtop", "simfeed/lab/labcmd", "simfeed/scenario/scenariocmd", "simfeed/simulate", "collector/profile/profilecmd", "collector/usage"}},
	{"go.yaml.in/yaml/", []string{"cmd/stormtop", "collector/profile", "collector/rulefile", "simfeed/scenario"}},
	{"net/http", []string{"collector/prom", "collector/scrape", "collector/web", "collector/expose", "collector/promtest"}},
	{"os", []string{"cmd/stormtop", "collector/promtest"}},
}

// TestImportsFollowTheDrawing reads the imports of every package of the module.
// Tests may go further than the program: only their arrows between our own
// packages are looked at, and those of external test packages not at all.
func TestImportsFollowTheDrawing(t *testing.T) {
	imports, err := importsOf(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{"cmd/stormtop", "collector", "alerts"} {
		if len(imports[pkg]) == 0 {
			t.Fatalf("no imports of %s were found: the test looks in the wrong place", pkg)
		}
	}
	for _, complaint := range judge(imports) {
		t.Error(complaint)
	}
}

// TestANewArrowIsFound makes sure that the test above would notice.
func TestANewArrowIsFound(t *testing.T) {
	for _, test := range []struct {
		from, to string
		ok       bool
	}{
		{"views", "stormtop/collector", true},
		{"views/chart", "stormtop/alerts/watch", true},
		{"alerts/watch", "stormtop/alerts", true},
		{"simfeed/lab/labcmd", "stormtop/simfeed/lab", true},
		{"collector/prom", "stormtop/collector/profile", true},
		{"cmd/stormtop", "stormtop/views", true},
		{"views", "charm.land/bubbletea/v2", true},
		{"collector/prom", "github.com/prometheus/prometheus/promql/parser", true},
		{"alerts", "time", true},
		{"collector", "stormtop/collector/prom", false},
		{"simfeed/lab/labcmd", "stormtop/collector/usage", true},
		{"collector/usage", "stormtop/simfeed/lab", false},
		{"collector", "stormtop/alerts", false},
		{"collector/prom", "stormtop/alerts", false},
		{"alerts", "stormtop/views", false},
		{"alerts", "stormtop/simfeed/lab", false},
		{"alerts", "stormtop/collector/prom", false},
		{"simfeed/lab", "stormtop/alerts", false},
		{"simfeed/lab", "stormtop/collector/expose", false},
		{"views", "stormtop/simfeed/lab", false},
		{"views", "stormtop/collector/prom", false},
		{"views/report", "stormtop/cmd/stormtop", false},
		{"newcomer", "stormtop/collector", false},
		{"collector", "charm.land/lipgloss/v2", false},
		{"alerts", "charm.land/bubbletea/v2", false},
		{"cmd/stormtop", "github.com/prometheus/client_golang/api", false},
		{"alerts", "github.com/prometheus/prometheus/promql/parser", false},
		{"views", "net/http", false},
		{"alerts", "os", false},
	} {
		got := judge(map[string][]string{test.from: {test.to}})
		if (len(got) == 0) != test.ok {
			t.Errorf("%s -> %s: complaints %q, want none: %v", test.from, test.to, got, test.ok)
		}
	}
}

// TestEveryGoFileIsRead makes sure that files with a build tag and tests are
// not overlooked.
func TestEveryGoFileIsRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"alerts/a.go":          "package alerts\nimport _ \"stormtop/views\"\n",
		"alerts/b_windows.go":  "//go:build windows\npackage alerts\nimport _ \"stormtop/simfeed\"\n",
		"alerts/c_test.go":     "package alerts\nimport (_ \"stormtop/collector/prom\"; _ \"os\")\n",
		"alerts/d_test.go":     "package alerts_test\nimport _ \"stormtop/cmd/stormtop\"\n",
		"alerts/testdata/x.go": "package x\nimport _ \"stormtop/cmd/stormtop\"\n",
		".hidden/y.go":         "package y\nimport _ \"stormtop/cmd/stormtop\"\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	imports, err := importsOf(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"stormtop/collector/prom", "stormtop/simfeed", "stormtop/views"}
	if got := imports["alerts"]; !slices.Equal(got, want) || len(imports) != 1 {
		t.Errorf("imports are %v, want %v for alerts alone", imports, want)
	}
}

// judge complains about every import that is not drawn.
func judge(imports map[string][]string) []string {
	var out []string
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		for _, to := range imports[pkg] {
			if own, ok := strings.CutPrefix(to, module+"/"); ok {
				if !drawn(pkg, own) {
					out = append(out, fmt.Sprintf("%s imports %s, against the directions that are drawn", pkg, to))
				}
				continue
			}
			for _, f := range foreign {
				if (to == f.prefix || strings.HasPrefix(to, f.prefix) && strings.Contains(f.prefix, ".")) && !within(pkg, f.in) {
					out = append(out, fmt.Sprintf("%s imports %s, which is for %s", pkg, to, strings.Join(f.in, " and ")))
				}
			}
		}
	}
	return out
}

func drawn(from, to string) bool {
	for _, a := range arrows {
		if matches(from, a.from) {
			return within(to, a.to)
		}
	}
	return false
}

func within(pkg string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(pkg, p) })
}

func matches(pkg, pattern string) bool {
	root, below := strings.CutSuffix(pattern, "/...")
	return pkg == root || below && strings.HasPrefix(pkg, root+"/")
}

// importsOf is the sorted imports of every package below a directory. Of test
// files only our own packages count.
func importsOf(root fs.FS) (map[string][]string, error) {
	seen := map[string]map[string]bool{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		test := strings.HasSuffix(name, "_test.go")
		if test && strings.HasSuffix(file.Name.Name, "_test") {
			return nil
		}
		pkg := path.Dir(name)
		if seen[pkg] == nil {
			seen[pkg] = map[string]bool{}
		}
		for _, i := range file.Imports {
			to, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return fmt.Errorf("%s: import %s: %w", name, i.Path.Value, err)
			}
			if !test || strings.HasPrefix(to, module+"/") {
				seen[pkg][to] = true
			}
		}
		return nil
	})
	out := map[string][]string{}
	for pkg, set := range seen {
		out[pkg] = slices.Sorted(maps.Keys(set))
	}
	return out, err
}
