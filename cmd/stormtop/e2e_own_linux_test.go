package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"stormtop/collector/promtest"
)

// liveRules are people's own, which a server evaluates each second: one that
// fires as long as something is scraped, one that does not, one that waits, and one
// that fires for half of every ten seconds.
const liveRules = `groups:
- name: live
  interval: 1s
  rules:
  - alert: ScrapedAtAll
    expr: up >= 1
  - alert: ScrapedTwice
    expr: up > 1
  - alert: ScrapedForLong
    expr: sum by (job) (up) > 0
    for: 1d
  - alert: ScrapedByHalves
    expr: up >= 1 and on () (vector(time() % 10) < 5)
`

// onlyOurs is what the server does not have.
const onlyOurs = `groups:
- name: ours
  rules:
  - alert: OursAlone
    expr: up and on () vector(1)
`

// serveLive is a server with the live rules, of which enough is known for more than
// the time between two evaluations of ours.
func serveLive(t *testing.T, binary, address string) *server {
	t.Helper()
	s := serve(t, binary, address)
	s.Ready()
	if err := os.WriteFile(filepath.Join(s.Dir, "rules.yml"), []byte(liveRules), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Reload()
	s.until(`ALERTS{alertname="ScrapedAtAll",alertstate="firing"}`)
	s.until(`min(count_over_time(up[1m])) >= bool 6`)
	return s
}

// TestPeoplesOwnRulesStandBesideTheServersStates on the screen, those of a file
// and those of the server.
func TestPeoplesOwnRulesStandBesideTheServersStates(t *testing.T) {
	address := promtest.FreeAddress(t)
	followPlain(t, "--sim=demo", "--listen="+address)
	for _, binary := range promtest.Servers(t) {
		t.Run(strings.Trim(filepath.ToSlash(binary), "/"), func(t *testing.T) {
			s := serveLive(t, binary, address)
			s.until(`ALERTS{alertname="ScrapedForLong",alertstate="pending"}`)
			file := filepath.Join(t.TempDir(), "mine.yml")
			both := strings.Replace(liveRules, "  - alert: ScrapedTwice\n    expr: up > 1\n", "", 1) + strings.TrimPrefix(onlyOurs, "groups:\n")
			if err := os.WriteFile(file, []byte(both), 0o600); err != nil {
				t.Fatal(err)
			}
			c := onConsole(t, 200, 50, false, nil, "--prom="+s.URL, "--interval=1s", "--rules="+file)
			c.waitFor(" LIVE ")
			c.keys("4")
			text := c.wait("people's own rules", func(s string) bool {
				return strings.Contains(s, "YOUR OWN  judged at") && strings.Contains(s, "OursAlone")
			})
			for _, want := range []string{
				`● ScrapedAtAll +\S.* FIRING( ≥?\S+)? +firing \S+ +1 +>= 1 for 0s`,
				`◔ ScrapedForLong +\S.* pending ≥?\S+ +pending \S+ +1 +> 0 for 24h`,
				`ScrapedTwice +ok +inactive +1 +> 1 for 0s`,
				`● OursAlone +\S.* FIRING ≥?\S+ +not there +1 +for 0s`,
			} {
				if !regexp.MustCompile(want).MatchString(text) {
					t.Errorf("%q is not on the screen:\n%s", want, text)
				}
			}
			c.keys("q")
			if status := c.end(); status != 0 && status != 1 {
				t.Errorf("exit status %d", status)
			}
			c.requireSane()
		})
	}
}
