package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"stormtop/collector/promtest"
)

// tunedRules are three groups of people's own: one that can be tuned, one that
// waits, one without a number.
const tunedRules = `# Of this house.
groups:
- name: first
  rules:
  # never three at once
  - alert: UpTooOften
    expr: sum by (job) (up) > 2 # instances
    labels: {severity: critical}
- name: second
  rules:
  - alert: UpForLong
    expr: up >= 1
    for: 1d
- name: third
  rules:
  - alert: UpAtAll
    expr: up and on () vector(1)
`

// TestPeoplesOwnRulesAreTunedAndWrittenByKeys against a real server, live and over
// its past: what is tuned is judged by what the server has, put in force, and
// written into the file, of which the rest stays.
func TestPeoplesOwnRulesAreTunedAndWrittenByKeys(t *testing.T) {
	address := promtest.FreeAddress(t)
	followPlain(t, "--sim=demo", "--listen="+address)
	for _, binary := range promtest.Servers(t) {
		t.Run(strings.Trim(filepath.ToSlash(binary), "/"), func(t *testing.T) {
			s := serveLive(t, binary, address)
			for _, when := range []struct {
				name, shown string
				flags       []string
			}{
				{"live", " LIVE ", []string{"--interval=1s"}},
				{"past", "REPLAY ENDED", []string{"--interval=1s", "--from=-20s"}},
			} {
				file := filepath.Join(t.TempDir(), "mine.yml")
				if err := os.WriteFile(file, []byte(tunedRules), 0o600); err != nil {
					t.Fatal(err)
				}
				c := onConsole(t, 160, 50, false, nil, append([]string{"--prom=" + s.URL, "--rules=" + file, "--incident-alert=ScrapedByHalves"}, when.flags...)...)
				c.waitFor(when.shown)
				c.keys("4")
				c.wait(when.name+": own rules", func(s string) bool {
					return regexp.MustCompile(`UpTooOften +ok .* 1 +> 2 for 0s`).MatchString(s) && strings.Contains(s, "UpAtAll")
				})
				c.keys("\x1b[F" + strings.Repeat("\x1b[A", 6)) // behind it two of the file and four of the server
				c.waitFor("▸ · UpTooOften")
				c.keys("t")
				c.waitFor("TUNE UpTooOften")
				c.waitFor("truth: ALERTS ScrapedByHalves")
				c.wait(when.name+": an incident that began in what is seen", regexp.MustCompile(`now +0 of [1-9]`).MatchString)
				c.keys(strings.Repeat("\x1b[D", 9)) // 1.8 to 1, and below
				c.waitFor("‹ 0.95 ›")
				c.wait(when.name+": found with the number that was turned", func(s string) bool {
					found := regexp.MustCompile(`now +([1-9]\d*) of (\d+)`).FindStringSubmatch(s)
					return found != nil && found[1] == found[2] && regexp.MustCompile(`before +0 of [1-9]`).MatchString(s)
				})
				c.keys("\r")
				c.waitFor("UpTooOften: > 0.95 for 0s (before: > 2 for 0s)")
				c.keys("w")
				c.waitFor("Nothing is written yet")
				c.keys("\r")
				c.waitFor("   wrote /")
				c.keys("4")
				c.wait(when.name+": in force at once", func(s string) bool {
					return regexp.MustCompile(`● UpTooOften +\S.* FIRING .* > 0.95 for 0s`).MatchString(s)
				})
				c.keys("q")
				if status := c.end(); status != 0 && status != 1 {
					t.Errorf("%s: exit status %d", when.name, status)
				}
				c.requireSane()
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				want := strings.Replace(strings.TrimPrefix(tunedRules, "# Of this house.\n"), "> 2 #", "> 0.95 #", 1)
				if !strings.HasPrefix(string(text), "# Of this house.\n") || !strings.Contains(string(text), want) || strings.Contains(string(text), "- name: stormtop_") { // ours were not turned
					t.Errorf("%s: the file is now\n%s", when.name, text)
				}
			}
		})
	}
}

// TestPeoplesOwnRulesAreJudgedWhereNoSystemIsKnown: they need none, only the server
// that has their series; ours are said not to be judged.
func TestPeoplesOwnRulesAreJudgedWhereNoSystemIsKnown(t *testing.T) {
	for _, binary := range promtest.Servers(t) {
		t.Run(strings.Trim(filepath.ToSlash(binary), "/"), func(t *testing.T) {
			s := serve(t, binary, promtest.FreeAddress(t)) // where nobody answers: there is up alone
			s.Ready()
			s.until(`min(count_over_time(up[1m])) >= bool 3`)
			dir := t.TempDir()
			file, written := filepath.Join(dir, "mine.yml"), filepath.Join(dir, "tuned.yml")
			if err := os.WriteFile(file, []byte("groups:\n- name: mine\n  rules:\n  - alert: Down\n    expr: up < 1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			got := tunes(t, "--prom="+s.URL, "--from=-1m", "--rules="+file, "--evaluate=1s", "--incident=-1m/now", "--output="+written, "--rule=Down,RetryRateHigh")
			if down := got.rule(t, "Down"); !down.Judged || down.Firings == 0 || len(down.Episodes) == 0 {
				t.Errorf("%+v", down)
			}
			if ours := got.rule(t, "RetryRateHigh"); ours.Judged {
				t.Errorf("%+v", ours)
			}
			text, err := os.ReadFile(written)
			if err != nil || !strings.HasPrefix(string(text), "# Numbers tuned with stormtop.\n# Evidence:\n") || !strings.Contains(string(text), "expr: 'up < ") {
				t.Errorf("%s, %v", text, err)
			}
			o := execute(t, "tune", "--prom="+s.URL, "--from=-1m")
			if o.status != exitNoData || !strings.Contains(o.stderr, "none of 5") {
				t.Errorf("without a rule of one's own: %d, %s", o.status, o.stderr)
			}
		})
	}
}
