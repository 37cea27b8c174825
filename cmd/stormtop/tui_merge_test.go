package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stormtop/collector"
	"stormtop/collector/rulefile"
	"stormtop/views"
)

// shopRules are people's own, as they wrote them.
const shopRules = `# Of the shop.
groups:
- name: shop
  rules:
  # 1.5 s is in the contract
  - alert: ShopSlow
    expr: shop:p99 > 1.5 # seconds
    for: 5m
    labels: {severity: critical}
  - record: shop:p99
    expr: histogram_quantile(0.99, sum by (le) (rate(http_seconds_bucket[5m])))
- name: odd
  rules: [{alert: Odd, expr: a and b}]
`

// scribeOf writes the rules of a file.
func scribeOf(t *testing.T, name, text string, set settings) *scribe {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	in, err := parseRules([]byte(text), name)
	if err != nil {
		t.Fatal(err)
	}
	set.rulesFile = name
	book := newOwnBook()
	for _, r := range in.own {
		book.enter(r)
	}
	return &scribe{source: readings(0, 1), settings: set, in: in, book: book}
}

// tunedTo wants an own rule of a scribe with other numbers, ours as they are.
func tunedTo(t *testing.T, s *scribe, serial int, name string, threshold float64, wait time.Duration) views.Wanted {
	t.Helper()
	w := wantedOf(t, serial)
	for _, r := range s.in.own {
		if r.Name == name {
			w.Own = append(w.Own, views.OwnDraft{ID: ownID(&r), Name: "\x00" + name, To: collector.RuleSpec{Threshold: threshold, For: wait}})
		}
	}
	return w
}

// wrote writes what is wanted, and returns the file.
func wrote(t *testing.T, s *scribe, w views.Wanted, name string) string {
	t.Helper()
	p, err := s.propose(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Same {
		if _, err := s.write(w.Serial); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestOwnRulesAreWrittenIntoTheirFileAndTheRestOfItStays(t *testing.T) {
	t.Chdir(t.TempDir())
	s := scribeOf(t, "shop.yml", shopRules, settings{})
	p, err := s.propose(t.Context(), tunedTo(t, s, 1, "ShopSlow", 2, 90*time.Second))
	if err != nil || p.Name != "shop.yml and shop_test.yml" || !p.Exists || !strings.Contains(p.Difference, "-    expr: shop:p99 > 1.5 # seconds\n-    for: 5m\n+    expr: shop:p99 > 2 # seconds\n+    for: 90s\n") {
		t.Fatalf("%v %s %s", err, p.Name, p.Difference)
	}
	if text, _ := os.ReadFile("shop.yml"); string(text) != shopRules {
		t.Error("it was written before it was asked for")
	}
	got := wrote(t, s, tunedTo(t, s, 1, "ShopSlow", 2, 90*time.Second), "shop.yml")
	own := strings.NewReplacer("> 1.5 #", "> 2 #", "for: 5m", "for: 90s").Replace(strings.TrimPrefix(shopRules, "# Of the shop.\n"))
	if !strings.HasPrefix(got, "# Of the shop.\n# Rules on retry amplification") || !strings.Contains(got, own) || !strings.Contains(got, "- name: stormtop_") {
		t.Errorf("it is now:\n%s", got)
	}
	if info, err := os.Stat("shop.yml"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if again := wrote(t, s, tunedTo(t, s, 2, "ShopSlow", 2, 90*time.Second), "shop.yml"); again != got {
		t.Errorf("the same again: %s", cmp.Diff(got, again))
	}
	back := wrote(t, s, tunedTo(t, s, 3, "ShopSlow", 1.5, 5*time.Minute), "shop.yml")
	if !strings.Contains(back, strings.TrimPrefix(shopRules, "# Of the shop.\n")) {
		t.Errorf("back again:\n%s", back)
	}
}

// TestImportAndExportOnTheScreenAreStable: what was written and is read again is
// written as it is.
func TestImportAndExportOnTheScreenAreStable(t *testing.T) {
	t.Chdir(t.TempDir())
	s := scribeOf(t, "shop.yml", shopRules, settings{})
	got := wrote(t, s, tunedTo(t, s, 1, "ShopSlow", 2, 90*time.Second), "shop.yml")
	again := scribeOf(t, "shop.yml", got, settings{})
	if len(again.in.rules) != 4 || again.in.rules[0].Threshold != 1.35 || len(again.in.own) != 2 || again.in.own[0].Threshold != 2 || len(again.in.notes) > 0 {
		t.Fatalf("read back: %+v", again.in)
	}
	w := wantedOf(t, 1)
	w.Rules = again.in.rules
	if text := wrote(t, again, w, "shop.yml"); text != got {
		t.Errorf("(-was +is):\n%s", cmp.Diff(got, text))
	}
}

func TestWhatSomebodyAddedMeanwhileStays(t *testing.T) {
	t.Chdir(t.TempDir())
	s := scribeOf(t, "shop.yml", shopRules, settings{})
	added := strings.Replace(shopRules, "- name: odd\n", "  - alert: Later # by hand\n    expr: c > 1\n- name: odd\n", 1)
	if err := os.WriteFile("shop.yml", []byte(added), 0o640); err != nil {
		t.Fatal(err)
	}
	if got := wrote(t, s, tunedTo(t, s, 1, "ShopSlow", 2, 5*time.Minute), "shop.yml"); !strings.Contains(got, strings.TrimPrefix(strings.Replace(added, "> 1.5 #", "> 2 #", 1), "# Of the shop.\n")) {
		t.Errorf("it is now:\n%s", got)
	}
	if err := os.WriteFile("shop.yml", []byte("groups:\n- name: shop\n  rules:\n  - {record: a, expr: b}\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	p, err := s.propose(t.Context(), tunedTo(t, s, 2, "ShopSlow", 2, 5*time.Minute))
	if err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "ShopSlow is not in the file as it was read") {
		t.Errorf("a rule that is gone: %v %q", err, p.Notes)
	}
}

func TestWhereRulesAreWrittenCanBeTold(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		set        settings
	}{
		{"nothing", rulesName, settings{}},
		{"the file that they are from", "a.yml", settings{rulesFile: "a.yml"}},
		{"another one", "b.yml", settings{rulesFile: "a.yml", writeRules: "b.yml"}},
	} {
		if got := rulesTarget(tt.set); got != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
	t.Chdir(t.TempDir())
	s := scribeOf(t, "shop.yml", shopRules, settings{writeRules: filepath.Join("out", "all.yml")})
	if err := os.Mkdir("out", 0o755); err != nil {
		t.Fatal(err)
	}
	got := wrote(t, s, tunedTo(t, s, 1, "ShopSlow", 2, 5*time.Minute), filepath.Join("out", "all.yml"))
	if !strings.Contains(got, "# 1.5 s is in the contract") || !strings.Contains(got, "> 2 # seconds") || !strings.Contains(got, "- name: stormtop_") {
		t.Errorf("%s", got)
	}
	if text, _ := os.ReadFile("shop.yml"); string(text) != shopRules {
		t.Error("the file that they are from was changed")
	}
	if _, err := os.Stat(filepath.Join("out", "all_test.yml")); err != nil {
		t.Error(err)
	}
}

func TestAFileThatIsNoRuleFileIsNotReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("notes.yml", []byte("milk: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &scribe{source: readings(0, 1), settings: settings{writeRules: "notes.yml"}, book: newOwnBook()}
	if p, err := s.propose(t.Context(), wantedOf(t, 1)); err == nil || !strings.Contains(err.Error(), "--write-rules") {
		t.Errorf("%v %+v", err, p)
	}
}

func TestAFileInStormtopsOwnFormKeepsIt(t *testing.T) {
	t.Chdir(t.TempDir())
	w := wantedOf(t, 1)
	native := rulefile.RenderNative(w.Snapshot.Rules)
	s := scribeOf(t, "mine.yaml", string(native), settings{})
	got := wrote(t, s, w, "mine.yaml")
	back, err := rulefile.ParseNative([]byte(got))
	if err != nil || back[0].Threshold != 1.35 || len(back) != len(w.Rules) {
		t.Errorf("%v:\n%s", err, got)
	}
}

// TestOnlyWhatWasTurnedIsWritten: people's own file gets ours where they were
// turned, too, or are in it already; else nothing but its own numbers and what
// speaks for them.
func TestOnlyWhatWasTurnedIsWritten(t *testing.T) {
	const ours = "- name: stormtop_"
	for _, tt := range []struct {
		name         string
		text         string
		turnOurs     bool
		turnOwn      bool
		theirs       bool // turn one that the server alone has
		want, change bool // ours are in it afterwards; it changes at all
	}{
		{name: "own alone", text: shopRules, turnOwn: true, change: true},
		{name: "the server's alone", text: shopRules, theirs: true},
		{name: "both", text: shopRules, turnOwn: true, turnOurs: true, want: true, change: true},
		{name: "ours alone", text: shopRules, turnOurs: true, want: true, change: true},
		{name: "nothing, and ours are asked for", text: shopRules, want: true, change: true},
		{name: "own, and ours are there", turnOwn: true, want: true, change: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			text := tt.text
			if text == "" {
				first := scribeOf(t, "shop.yml", shopRules, settings{})
				text = wrote(t, first, wantedOf(t, 1), "shop.yml")
			}
			s := scribeOf(t, "shop.yml", text, settings{})
			w := wantedOf(t, 1)
			s.began = w.Rules
			if !tt.turnOurs {
				w.Evidence[0].Now.Rule = w.Rules[0] // it was looked at
			} else {
				s.began = w.Snapshot.Rules
			}
			if tt.turnOwn {
				own := tunedTo(t, s, 1, "ShopSlow", 2, 90*time.Second).Own
				seen := w.Evidence[0]
				seen.Rule = own[0].Name
				seen.Now.Rule = own[0].To
				seen.Now.Rule.Name = own[0].Name
				w.Own, w.Evidence = own, append(w.Evidence, seen)
			}
			if tt.theirs {
				id, _, _ := s.book.enter(rulefile.OwnRule("Theirs", "g", "up < 1", "server"))
				w.Own = append(w.Own, views.OwnDraft{ID: id, Name: "\x00theirs", To: collector.RuleSpec{Threshold: 0.5}})
			}
			got := wrote(t, s, w, "shop.yml")
			if strings.Contains(got, ours) != tt.want || (got != text) != tt.change {
				t.Fatalf("it is now:\n%s", got)
			}
			if alone := tt.change && !tt.want; alone {
				head, rest, _ := strings.Cut(got, "groups:")
				if !strings.HasPrefix(head, "# Of the shop.\n# Numbers tuned with stormtop.\n# Evidence:\n") || strings.Count(head, "\n") != 5 || !strings.Contains(head, "ShopSlow > 2 for 90s: ") {
					t.Errorf("its head:\n%s", head)
				}
				_, was, _ := strings.Cut(shopRules, "groups:")
				if want := strings.NewReplacer("> 1.5 #", "> 2 #", "for: 5m", "for: 90s").Replace(was); rest != want {
					t.Errorf("(-want +got):\n%s", cmp.Diff(want, rest))
				}
				if _, err := os.Stat("shop_test.yml"); err == nil {
					t.Error("a test of rules that are not there was written")
				}
				w.Serial = 2
				if again := wrote(t, s, w, "shop.yml"); again != got {
					t.Errorf("the same again: %s", cmp.Diff(got, again))
				}
			}
		})
	}
}

func TestARuleOfTheServerIsToldAndNotWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	s := scribeOf(t, "shop.yml", shopRules, settings{})
	theirs := rulefile.OwnRule("Theirs", "g", "up < 1", "server")
	id, _, _ := s.book.enter(theirs)
	w := wantedOf(t, 1)
	w.Own = []views.OwnDraft{{ID: id, Name: "\x00x", To: collector.RuleSpec{Threshold: 0.5, For: time.Minute}}}
	p, err := s.propose(t.Context(), w)
	if err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "Theirs is the server's") || !strings.Contains(p.Notes[0], "expr: up < 0.5, for: 1m") {
		t.Errorf("%v %q", err, p.Notes)
	}
}
