package profile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"stormtop/collector"
)

const good = `name: x
title: X
looks_for: m
detect: count(m{a!=""})
by: [a]
kind: edge
trust: approx
status: proven
signals:
  downstream: sum by ($by) (rate(m[$window]))
cannot_see: nothing
`

func TestAProfileIsReadAsItIsWritten(t *testing.T) {
	p, err := Parse("file.yaml", []byte(strings.Replace(good, "cannot_see:", `  ingress: i
  retries: r
  pool_wait: w
callers: [b]
supersedes: [y]
units: {pool_wait: count}
zero_fill: [retries]
absent: {at_limit: no counter}
edge: {ingress: ei, downstream: ed, trust: heuristic, cannot_see: fan-out}
notes: >-
  two
  lines
cannot_see:`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if p.Unproven || p.Sum || p.Kind != collector.Edge || p.Trust != collector.Approx || p.Callers[0] != "b" || p.Supersedes[0] != "y" ||
		p.Unit(collector.PoolWait) != collector.Count || p.Unit(collector.Ingress) != collector.PerSecond || p.ZeroFill[0] != collector.Retries ||
		p.Absent[collector.AtLimit] != "no counter" || *p.Edge != (Edge{"ei", "ed", collector.Heuristic, "fan-out"}) || p.Notes != "two lines" || p.Pool() {
		t.Errorf("%+v", p)
	}
}

func TestDownstreamCanBeTheSumOfTwoOthers(t *testing.T) {
	text := strings.Replace(good, "  downstream: sum by ($by) (rate(m[$window]))", "  downstream: ingress  + retries\n  ingress: i\n  retries: r", 1)
	p, err := Parse("file.yaml", []byte(text))
	if err != nil || !p.Sum || p.Signals[collector.Downstream] != "" || p.Pool() {
		t.Errorf("%+v %v", p, err)
	}
}

func TestAProfileWithoutARatioIsAPool(t *testing.T) {
	p, err := Parse("file.yaml", []byte(strings.Replace(good, "downstream:", "queue_depth:", 1)))
	if err != nil || !p.Pool() {
		t.Errorf("%+v %v", p, err)
	}
}

func TestAProfileOfOnesOwnIsUnprovenUnlessItSaysOtherwise(t *testing.T) {
	p, err := Parse("file.yaml", []byte(strings.Replace(good, "status: proven\n", "", 1)))
	if err != nil || !p.Unproven {
		t.Errorf("%+v %v", p, err)
	}
}

func TestAMistakeIsReportedWithItsLine(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	for name, test := range map[string]struct{ in, want string }{
		"unknown field":              {good + "nosuch: 1\n", `line 12: unknown field "nosuch": the fields are name, title,`},
		"misspelt field":             {good + "zerofill: [a]\n", `line 12: unknown field "zerofill", did you mean zero_fill`},
		"unknown field of the edge":  {good + "edge:\n  ingres: a\n", `line 13: edge: unknown field "ingres", did you mean ingress`},
		"field twice":                {good + "name: y\n", `line 12: "name" is there twice, first in line 1`},
		"signal twice":               {good + "absent:\n  retries: a\n  retries: b\n", `line 14: absent: "retries" is there twice, first in line 13`},
		"unknown signal":             {change("  downstream:", "  upstream:"), `line 10: signals: unknown signal "upstream"`},
		"unknown unit":               {good + "units:\n  pool_wait: furlong\n", `line 13: units: pool_wait: unknown unit "furlong"`},
		"unknown zero-fill":          {good + "zero_fill: [nosuch]\n", `line 12: zero_fill: unknown signal "nosuch"`},
		"unknown absent":             {good + "absent:\n\n  nosuch: x\n", `line 14: absent: unknown signal "nosuch"`},
		"unknown trust":              {change("approx", "blind"), `line 7: trust: unknown trust "blind"`},
		"unknown kind":               {change("edge", "node"), `line 6: kind: "node" is not known: it is hop or edge`},
		"unknown status":             {change("status: proven", "status: fine"), `line 8: status: "fine" is not known`},
		"bad name":                   {change("name: x", "name: My Envoy"), `line 1: name: "My Envoy" is no name of a profile`},
		"bad label":                  {change("[a]", `["a b"]`), `line 5: by: "a b" is no name of a label`},
		"label twice":                {change("[a]", `[a, a]`), `line 5: by: "a" is there twice`},
		"caller in by":               {good + "callers: [a]\n", `line 12: callers: "a" is in by already`},
		"a text for a list":          {change("[a]", `a`), `line 5: by: a list is needed here: write [a, b]`},
		"a list for a text":          {change("title: X", `title: [X]`), `line 2: title: a text is needed here`},
		"a text for a mapping":       {good + "units: seconds\n", `line 12: units: a list of NAME: VALUE is needed here`},
		"empty template":             {change("sum by ($by) (rate(m[$window]))", `""`), `line 10: signals: downstream: the template is empty`},
		"placeholder in detect":      {change(`count(m{a!=""})`, `count(rate(m[$window]))`), `line 4: detect: $window is not filled in here`},
		"grouping in the edge":       {good + "edge:\n  ingress: sum by ($by) (a)\n", `line 13: edge: ingress: $by is not filled in here`},
		"half an edge":               {good + "edge:\n  ingress: a\n", `line 13: edge: ingress, downstream, trust and cannot_see are needed`},
		"sum of nothing":             {change("sum by ($by) (rate(m[$window]))", `ingress + retries`), `downstream is ingress + retries, but one of these has no template`},
		"unit without a template":    {good + "units: {pool_wait: count}\n", `line 12: units: pool_wait has no template`},
		"zero-fill without template": {good + "zero_fill: [retries]\n", `line 12: zero_fill: retries has no template`},
		"zero-fill of ingress":       {good + "zero_fill: [ingress]\n", `line 12: zero_fill: ingress is what the others are filled from`},
		"absent and there":           {good + "absent: {downstream: x}\n", `line 12: absent: downstream has a template`},
		"absent without a reason":    {good + "absent: {retries: }\n", `line 12: absent: retries needs a reason`},
		"itself":                     {good + "supersedes: [x]\n", `line 12: supersedes: a profile cannot take its own place`},
		"missing":                    {change("name: x\n", ""), "profile file.yaml: name is missing"},
		"empty field":                {change("title: X", "title:"), "line 2: title is missing"},
		"two documents":              {good + "---\n" + good, "one file holds one profile"},
		"empty":                      {"", "the file is empty"},
		"no mapping":                 {"- a\n", "line 1: a profile is a list of NAME: VALUE"},
		"no YAML":                    {"name: x\n\t\tx: [\n", "line 2: malformed YAML: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("file.yaml", []byte(test.in))
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "profile file.yaml") {
				t.Fatalf("%v does not hold %q", err, test.want)
			}
		})
	}
}

func TestAllMistakesComeAtOnceInTheOrderOfTheFile(t *testing.T) {
	text := strings.NewReplacer("approx", "blind", "edge", "node", "looks_for: m\n", "", "downstream:", "upstream:").Replace(good)
	_, err := Parse("f", []byte(text))
	if err == nil {
		t.Fatal("no error")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{"profile f: looks_for is missing", "profile f, line 5: kind:", "profile f, line 6: trust:", "profile f, line 9: signals:"} {
		if len(lines) != 4 || !strings.HasPrefix(lines[i], want) {
			t.Fatalf("%q, want %q in place %d", lines, want, i)
		}
	}
}

func TestAFileFullOfMistakesIsNotToldInFull(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "x%d: 1\n", i)
	}
	_, err := Parse("f", []byte(b.String()))
	if err == nil || strings.Count(err.Error(), "\n") != mostMistakes || !strings.HasSuffix(err.Error(), "more mistakes") {
		t.Fatal(err)
	}
}

func TestTextForPeopleIsOneHarmlessLine(t *testing.T) {
	p, err := Parse("f", []byte(strings.Replace(good, "title: X", `title: "a\e[31m\nb"`, 1)))
	if err != nil || strings.ContainsAny(p.Title, "\x1b\n") {
		t.Errorf("%q %v", p.Title, err)
	}
	if _, err := Parse("f\x1b", []byte("\x1b: 1")); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Error(err)
	}
}

func TestAWordThatStandsForAnotherPlaceIsRead(t *testing.T) {
	text := strings.NewReplacer("looks_for: m", "looks_for: &m m", "title: X", "title: X", "nothing", "*m").Replace(good)
	if p, err := Parse("f", []byte(text)); err != nil || p.CannotSee != "m" {
		t.Errorf("%+v %v", p, err)
	}
}

func TestLoadChecksTheTemplatesOfAFile(t *testing.T) {
	check := func(template string) error {
		if strings.Contains(template, "bad") {
			return errors.New("malformed")
		}
		return nil
	}
	files := map[string]string{
		"good.yaml": good,
		"bad.yaml":  strings.NewReplacer("count(m", "count(bad", "rate(m", "rate(bad").Replace(good) + "edge: {ingress: bad, downstream: ok, trust: exact, cannot_see: x}\n",
		"big.yaml":  strings.Repeat("#", largest+1),
	}
	read := func(name string) ([]byte, error) {
		text, ok := files[name]
		if !ok {
			return nil, errors.New("no such file")
		}
		return []byte(text), nil
	}
	for name, want := range map[string][]string{
		"good.yaml":    nil,
		"bad.yaml":     {"line 4: detect: malformed", "line 10: signals: downstream: malformed", "line 12: edge: ingress: malformed"},
		"big.yaml":     {"that is no profile"},
		"missing.yaml": {`reading profile "missing.yaml": no such file`},
		"haproxy":      nil,
		"haprox":       {"did you mean haproxy"},
	} {
		p, err := Named(name, read, check)
		if len(want) == 0 && (err != nil || p.Name == "") {
			t.Errorf("%s: %v", name, err)
		}
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v does not hold %q", name, err, w)
			}
		}
	}
}

func TestANameWithASlashOrTheEndingOfYAMLIsAFile(t *testing.T) {
	for name, want := range map[string]bool{
		"./my": true, "my.yaml": true, "my.YML": true, `dir\my`: true, "/etc/x": true, "envoy": false, "istio_envoy": false, "": false, "a.json": false,
	} {
		if IsFile(name) != want {
			t.Errorf("%q is a file: %v", name, !want)
		}
	}
}

func FuzzParseIsRefusedOrWhole(f *testing.F) {
	f.Add(good)
	for _, name := range []string{"envoy", "haproxy", "istio_telemetry"} {
		text, err := Text(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, text := range []string{"", "a: &a [*a]", "&a {b: *a}", "? [a]\n: b\n", "signals: {downstream: [a]}", "<<: {name: x}", "by: {a: b}", "edge: []", "--- !!binary x", "name: !!null x\n...\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("f", []byte(text))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\x1b\r\x00") {
				t.Errorf("%q", err)
			}
			return
		}
		if p.Name == "" || p.Title == "" || p.Detect == "" || len(p.By) == 0 || p.Kind == collector.NoRatioKind || p.Trust == collector.NoTrust ||
			len(p.Signals) == 0 || p.CannotSee == "" {
			t.Errorf("accepted, but not whole: %+v", p)
		}
	})
}
