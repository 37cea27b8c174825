package scenario

import (
	"os"
	"strings"
	"testing"
	"time"

	"stormtop/simfeed/chain"
)

// small is a scenario that is right.
const small = `name: small
title: a title
length: 30s
classes:
  users: {path: gateway > data, rate: 100/s}
services:
  gateway:
  data: {time: exponential 5ms, workers: 10, queue: 100}
edges:
  gateway>data: {attempts: 3, timeout: 200ms}
timeline:
  - {at: 10s, for: 5s, set: {services.data.down: on}, note: outage}
`

func TestASmallScenarioIsReadWhole(t *testing.T) {
	s, err := Parse("small.yaml", []byte(small+`
loop: on
baseline: 2.5
blind:
  - {from: 1s, to: 2s}
fitted: [services.data.time]
watch: {class: users, service: data}
judge: {tolerance: 10%, settle: 5s}
actions:
  cut:
    title: retries off
    at: 12s
    set: {edges.gateway>data.attempts: 1, edges.gateway>data.timeout: 1s}
  slow:
    wrong: on
    steps:
      - set: {services.data.time_factor: x2}
        for: 3s
      - {at: 5s, set: {services.data.restart: now}}
variants:
  big: {title: ten times, set: {classes.users.factor: 10}}
  long:
    timeline:
      - {at: 10s, for: 15s, over: 5s, set: {services.data.time_factor: 4}, standing: on}
`))
	if err != nil {
		t.Fatal(err)
	}
	if !s.Loop || s.Baseline != 2.5 || len(s.Fitted) != 1 || s.Length != 30*time.Second || s.Judge.Tolerance != 0.1 || s.Judge.Settle != 5*time.Second {
		t.Errorf("%+v", s)
	}
	if !s.IsBlind(1500*time.Millisecond) || s.IsBlind(time.Second) || s.IsBlind(2001*time.Millisecond) {
		t.Error("it is blind at other times")
	}
	want := chain.Change{At: 10 * time.Second, For: 5 * time.Second, Field: "services.data.down", Value: "on", Note: "outage"}
	if len(s.Timeline) != 1 || s.Timeline[0] != want {
		t.Errorf("timeline %+v", s.Timeline)
	}
	if len(s.Actions) != 2 || len(s.Actions[0].Changes) != 2 || s.Actions[0].Changes[1].Value != "1s" || !s.Actions[1].Wrong ||
		s.Actions[1].Changes[1].At != 5*time.Second || s.Actions[1].Changes[0].For != 3*time.Second {
		t.Errorf("actions %+v", s.Actions)
	}
	long, err := s.In("long")
	if err != nil {
		t.Fatal(err)
	}
	if c := long.Timeline[0]; c.For != 15*time.Second || c.Over != 5*time.Second || !c.Standing || long.FullName() != "small:long" {
		t.Errorf("%s %+v", long.FullName(), c)
	}
	big, err := s.In("big")
	if err != nil || big.Classes[0].Factor != 10 || s.Classes[0].Factor != 1 {
		t.Errorf("big has factor %v, the scenario %v; %v", big.Classes[0].Factor, s.Classes[0].Factor, err)
	}
	if _, err := s.In("bg"); err == nil || !strings.Contains(err.Error(), "did you mean big") {
		t.Errorf("%v", err)
	}
}

// TestAPresetComesFirst wherever it stands, since it replaces all else.
func TestAPresetComesFirst(t *testing.T) {
	s, err := Parse("f", []byte(strings.Replace(small, "{attempts: 3, timeout: 200ms}", "{attempts: 7, policy: envoy-default, classes: {users: {timeout: 9s}}}", 1)))
	if err != nil {
		t.Fatal(err)
	}
	p := s.Edges[0].Policy
	own := s.Edges[0].PolicyOf("users")
	if p.Preset != "envoy-default" || p.Attempts != 7 || own.Timeout != 9*time.Second || own.Attempts != 7 || own.Preset != "envoy-default" {
		t.Errorf("%+v\n%+v", p, own)
	}
}

func TestAMistakeHasAPlaceAndARemedy(t *testing.T) {
	replace := func(old, new string) string {
		if !strings.Contains(small, old) {
			t.Fatalf("small does not contain %q", old)
		}
		return strings.Replace(small, old, new, 1)
	}
	for name, test := range map[string]struct{ text, want string }{
		"an unknown field":         {replace("title:", "titel:"), `line 2, column 1: titel: unknown field, did you mean title`},
		"an unknown field below":   {replace("workers: 10", "wokers: 10"), `line 8, column 33: services.data.wokers`},
		"an unknown policy field":  {replace("attempts: 3", "retries: 3"), `line 10, column 18: edges.gateway>data.retries`},
		"a cycle":                  {replace("gateway > data,", "gateway > data > gateway,"), `line 5, column 17: classes.users.path: is a cycle`},
		"an unknown service":       {replace("gateway > data,", "gateway > data > db,"), `line 5, column 17: classes.users.path: there is no service "db"`},
		"a missing edge":           {replace("  gateway>data:", "  data>gateway:"), `there is no edge gateway>data: add it under edges`},
		"no workers":               {replace("workers: 10", "workers: 0"), `line 8, column 42: services.data.workers: "0": give a whole number from 1`},
		"a negative time":          {replace("exponential 5ms", "exponential -5ms"), `line 8, column 16: services.data.time: "-5ms" is negative`},
		"a negative time-out":      {replace("200ms", "-200ms"), `edges.gateway>data.timeout: "-200ms" is negative`},
		"an overflow":              {replace("queue: 100", "queue: 99999999999999999999"), `services.data.queue: "99999999999999999999"`},
		"a time that overflows":    {replace("200ms", "99999999999h"), `edges.gateway>data.timeout: "99999999999h" is too long`},
		"a rate of 1e12":           {replace("100/s", "1e12/s"), `line 5, column 39: classes.users.rate: 1e+12/s is out of range: a rate is from 0/s to 1e+06/s`},
		"a rate without a unit":    {replace("100/s", "100"), `classes.users.rate: "100" is no rate: write it like 2010/s`},
		"a rate that is no number": {replace("100/s", "NaN/s"), `is no rate`},
		"a length of a year":       {replace("length: 30s", "length: 365d"), `line 3, column 9: length: "365d" is too long`},
		"a change of nothing":      {replace("services.data.down", "services.dta.down"), `line 12, column 30: timeline[0]: services.dta.down: there is no service "dta": there are gateway, data`},
		"a change after the end":   {replace("at: 10s", "at: 40s"), `line 12, column 30: timeline[0]`},
		"a change without a time":  {replace("at: 10s, ", ""), `line 12, column 5: timeline[0]: has no time: write at: and when`},
		"a change that sets none":  {replace("set: {services.data.down: on}, ", ""), `sets nothing: write set: {PATH: VALUE}`},
		"a field twice":            {replace("length: 30s", "length: 30s\nlength: 40s"), `line 4, column 1: length: is there twice, first in line 3`},
		"an alias":                 {replace("title: a title", "title: &a a title\nsource: *a"), `line 2, column 8: title: anchors (&a) are not read`},
		"a merge":                  {replace("  gateway:\n", "  gateway: {<<: {time: 1ms}}\n"), `services.gateway.<<`},
		"no value":                 {replace("length: 30s", "length:"), `length: has no value: write one, or leave the line out`},
		"a list for a mapping":     {replace("  data: {time: exponential 5ms, workers: 10, queue: 100}", "  data: [1, 2]"), `line 8, column 9: services.data: a list of NAME: VALUE is needed here`},
		"a mapping for a value":    {replace("length: 30s", "length: {a: b}"), `length: one value is needed here`},
		"an edge without an arrow": {replace("  gateway>data:", "  gateway-data:"), `line 10, column 3: edges: "gateway-data" is no edge: write CALLER>CALLEE`},
		"a name with a dot":        {replace("  gateway:", "  gate.way:"), `line 7, column 3: services: "gate.way" is no name`},
		"no name":                  {replace("name: small\n", ""), `name: is missing`},
		"a bad name":               {replace("name: small", "name: a b"), `line 1, column 7: name: "a b" is no name`},
		"an unknown class":         {small + "watch: {class: usrs}\n", `line 13, column 16: watch.class: there is no class "usrs"`},
		"an unknown preset":        {replace("attempts: 3", "policy: envoi"), `line 10, column 26: edges.gateway>data.policy: there is no policy "envoi"`},
		"a wrong action":           {small + "actions:\n  cut: {set: {edges.gateway>data.attempts: 0}}\n", `line 14, column 15: actions.cut[0]: edges.gateway>data.attempts: "0"`},
		"an empty action":          {small + "actions:\n  cut: {title: x}\n", `line 14, column 3: actions.cut: does nothing`},
		"a wrong variant":          {small + "variants:\n  v: {set: {services.data.queue: -1}}\n", `line 14, column 13: variants.v: services.data.queue`},
		"a name of a variant":      {small + "variants:\n  a:b: {set: {services.data.queue: 1}}\n", `"a:b" is no name`},
		"blind backwards":          {small + "blind: [{from: 5s, to: 2s}]\n", `line 13, column 9: blind[0]: from 5s to 2s: it must begin before it ends`},
		"a baseline of nothing":    {small + "baseline: 0\n", `line 13, column 11: baseline: "0": give the attempts`},
		"fitted nonsense":          {small + "fitted: [services.x.time]\n", `line 13, column 10: fitted: services.x.time: there is no service "x"`},
		"no YAML":                  {"name: [", "malformed YAML"},
		"an unknown anchor":        {replace("title: a title", "title: *a"), `line 2, column 8: aliases (*a) are not read: write the value itself`},
		"a tab":                    {replace("  gateway>data:", "\tgateway>data:"), `line 10, column 1: malformed YAML: a tab is no indentation: use spaces`},
		"a tab behind spaces":      {replace("  gateway>data:", "  \tgateway>data:"), `line 10, column 3: malformed YAML: a tab is no indentation: use spaces`},
		"a control character":      {replace("title: a title", "title: a \x01 title"), `line 2, column 10: malformed YAML: control characters are not allowed`},
		"no UTF-8":                 {replace("title: a title", "title: a \xff title"), `line 2, column 10: malformed YAML: `},
		"an empty path":            {replace("gateway > data,", "\"\","), `line 5, column 17: classes.users.path: is empty`},
		"nothing":                  {"", `the file is empty: stormtop scenarios --show payment-1945`},
		"a comment":                {"# x\n", `the file is empty`},
		"a list":                   {"- a\n", `line 1, column 1: a scenario is a list of NAME: VALUE`},
		"two documents":            {small + "---\nname: b\n", `a second document begins here`},
		"too much":                 {small + "# " + strings.Repeat("x", MaxSize), `bytes long: at most 262144 are read`},
	} {
		_, err := Parse("my.yaml", []byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "scenario my.yaml") {
			t.Errorf("%s:\n got %v\nwant %s", name, err, test.want)
		}
	}
}

// TestAllMistakesComeAtOnce, in the order of the file.
func TestAllMistakesComeAtOnce(t *testing.T) {
	_, err := Parse("f", []byte(strings.NewReplacer("30s", "1x", "100/s", "1e12/s", "3,", "0,").Replace(small)))
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Fatalf("%v", err)
	}
	last := -1
	for _, part := range []string{"line 3,", "line 5,", "line 10,"} {
		if i := strings.Index(err.Error(), part); i <= last {
			t.Errorf("%s is not in its place:\n%v", part, err)
		} else {
			last = i
		}
	}
}

func TestAliasesAreNoBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 30; i++ {
		n := string(rune('a' + i%26))
		b.WriteString(n + "x: &" + n + "x [*a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0, *a0]\n")
	}
	if _, err := Parse("bomb", []byte(b.String())); err == nil || !strings.Contains(err.Error(), "are not read") && !strings.Contains(err.Error(), "malformed") {
		t.Errorf("%v", err)
	}
}

func TestTheCatalogueIsComplete(t *testing.T) {
	entries, err := files.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(Names()) {
		t.Errorf("%d files and %d names", len(entries), len(Names()))
	}
	for _, name := range Names() {
		s, err := Named(name, nil)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if s.Name != name || s.Title == "" || len(s.Look) < 40 || s.From == "" || len([]rune(s.Title)) > 85 {
			t.Errorf("%s: name %q, title %q, look %q, source %q", name, s.Name, s.Title, s.Look, s.From)
		}
		if _, err := s.Play(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, v := range s.Variants {
			if in, err := Named(name+":"+v.Name, nil); err != nil || in.FullName() != name+":"+v.Name || v.Title == "" {
				t.Errorf("%s:%s: %v, title %q", name, v.Name, err, v.Title)
			}
		}
	}
}

func TestNamesAreToldFromFiles(t *testing.T) {
	read := func(name string) ([]byte, error) {
		if name != "./my.yaml" && name != `C:\my.yaml` {
			return nil, os.ErrNotExist
		}
		return []byte(small + "variants:\n  v: {set: {services.data.queue: 1}}\n"), nil
	}
	for text, want := range map[string]string{
		"./my.yaml": "small", "./my.yaml:v": "small:v", `C:\my.yaml`: "small", "six-seconds:S4": "six-seconds:S4",
	} {
		if s, err := Named(text, read); err != nil || s.FullName() != want {
			t.Errorf("%s is %s, %v; want %s", text, s.FullName(), err, want)
		}
	}
	for text, want := range map[string]string{
		"payment":        `unknown scenario "payment", did you mean payment-1945: stormtop scenarios lists`,
		"nosuch.yaml":    "file does not exist",
		"./my.yaml:w":    `has no variant "w": there are v`,
		"slow-burn:S4":   `scenario slow-burn has no variants: leave ":S4" out`,
		"six-seconds:":   `has no variant ""`,
		"../etc/passwd":  "file does not exist",
		"sixty-seconds/": "file does not exist",
	} {
		if _, err := Named(text, read); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestTheScenarioOfThePageIsComplete(t *testing.T) {
	text, err := os.ReadFile("../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(text), "```yaml\n")
	example, _, ok := strings.Cut(example, "```")
	s, err := Parse("docs/scenarios.md", []byte(example))
	if err != nil || !ok || len(s.Variants) != 1 || len(s.Actions) != 2 {
		t.Fatal(err)
	}
	for _, field := range []string{"name", "title", "look", "source", "fitted", "length", "every", "loop", "baseline", "watch", "blind", "classes", "services", "edges", "timeline", "actions", "variants", "judge"} {
		if !strings.Contains(string(text), "`"+field+"`") {
			t.Errorf("docs/scenarios.md does not explain %s", field)
		}
	}
}

// FuzzParse: whatever the bytes, there is an error with the file's name or a
// scenario that can be run.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	for _, name := range Names() {
		text, err := Text(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, s := range []string{"a: &a [*a]", "? {}: x", "classes: {a: {path: b}}\nservices: {b: }\nname: x", "timeline: [{}]", "edges: {a>b: {classes: {*: {attempts: 1}}}}", "blind: [{from: 1s, to: 2s}, 3]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("fuzz.yaml", data)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "scenario fuzz.yaml") || strings.ContainsAny(line, "\x1b\r\x00") {
					t.Errorf("%q", line)
				}
			}
			return
		}
		if _, err := chain.New(s.Scenario, 1); err != nil {
			t.Errorf("it was read without an error, but cannot run: %v", err)
		}
		for _, v := range s.Variants {
			if _, err := s.In(v.Name); err != nil {
				t.Errorf("variant %s: %v", v.Name, err)
			}
		}
	})
}

// TestAnEmptyPathIsOneMistake: that nothing on it can be watched goes without
// saying.
func TestAnEmptyPathIsOneMistake(t *testing.T) {
	_, err := Parse("my.yaml", []byte(strings.Replace(small, "gateway > data,", `"",`, 1)))
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "line 5, column 17: ") {
		t.Errorf("%v", err)
	}
}
