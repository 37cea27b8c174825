package export_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

// systemsOf is what is asked of profiles that are built in.
func systemsOf(t testing.TB, rate time.Duration, names ...string) []collector.Expressions {
	t.Helper()
	return systemsAnd(t, rate, false, names...)
}

// systemsAnd are those with the edge pair of the first that has one.
func systemsAnd(t testing.TB, rate time.Duration, edge bool, names ...string) []collector.Expressions {
	t.Helper()
	return systemsBy(t, prom.Config{Rate: rate}, edge, names...)
}

// systemsBy are those that a configuration is asked for.
func systemsBy(t testing.TB, cfg prom.Config, edge bool, names ...string) []collector.Expressions {
	t.Helper()
	for _, name := range names {
		p, err := profile.Named(name, os.ReadFile, prom.CheckQuery)
		if err != nil {
			t.Fatal(err)
		}
		if !edge {
			p.Edge = nil
		}
		cfg.Profiles = append(cfg.Profiles, p)
	}
	out, _, err := prom.Express(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func documented(change ...func(*collector.RuleSpec)) []collector.RuleSpec {
	rules := alerts.Documented()
	for _, f := range change {
		f(&rules[0])
		rules[3].Threshold, rules[3].Compare, rules[3].Scope = rules[0].Threshold, rules[0].Compare, rules[0].Scope
	}
	return rules
}

// nasty are values of labels that break what is written carelessly.
var nasty = []string{`a"b`, `back\slash`, `{{ .Values.x }}`, "two\nlines", "it's", "größe: #1", `}}{{`, "- x", "\x00\x1b[31m"}

func selecting(value string) func(*collector.RuleSpec) {
	return func(r *collector.RuleSpec) {
		r.Select = map[string]*regexp.Regexp{"service": regexp.MustCompile(regexp.QuoteMeta(value))}
	}
}

func writeFile(t testing.TB, dir, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func promtool(t testing.TB, tool, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tool, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8", "LC_NUMERIC=de_DE.UTF-8")
	out, err := cmd.CombinedOutput()
	return string(out[:min(len(out), 4000)]), err
}

// tunings are documented rules with the amplification tuned at random, n of them
// beside.
func tunings(rnd *rand.Rand, n int, thresholds []float64, holds, keeps []time.Duration) []collector.RuleSpec {
	rules := alerts.Documented()[:3]
	for i := range n {
		r := rules[rnd.IntN(3)]
		r.Name = "Tuning" + string(rune('A'+i))
		r.For, r.KeepFiring = holds[rnd.IntN(len(holds))], keeps[rnd.IntN(len(keeps))]
		r.MinTraffic = []float64{0, 1, 150}[rnd.IntN(3)]
		r.Compare = []collector.Comparison{collector.Above, collector.Above, collector.AtLeast, collector.Below}[rnd.IntN(4)]
		if r.Signal == collector.Amplification {
			r.Threshold = thresholds[rnd.IntN(len(thresholds))]
		}
		rules = append(rules, r)
	}
	return append(rules, alerts.Documented()[3])
}
