package scenario

import (
	"fmt"
	"strings"
	"testing"
)

// hostile are files that were made to do harm, by what each must be told: where,
// and what to do.
func hostile(t *testing.T) map[string]struct{ text, want string } {
	t.Helper()
	in := func(old, new string) string {
		if !strings.Contains(small, old) {
			t.Fatalf("small does not contain %q", old)
		}
		return strings.Replace(small, old, new, 1)
	}
	many := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	const change = "  - {at: 1s, set: {services.data.time: %dms}}\n"
	return map[string]struct{ text, want string }{
		"clients without end":   {in("rate: 100/s", "clients: 1000000000000, think: 1s"), `line 5, column 42: classes.users.clients: "1000000000000": give a whole number from 0 to 100000`},
		"three hundred years":   {in("timeout: 200ms", "timeout: 2630000h"), `line 10, column 40: edges.gateway>data.timeout: "2630000h" is too long`},
		"years of a change":     {in("for: 5s", "for: 2630000h"), `line 12, column 20: timeline[0].for: "2630000h" is too long`},
		"years of work":         {in("exponential 5ms", "exponential 2630000h"), `line 8, column 16: services.data.time: "2630000h" is too long`},
		"an infinite rate":      {in("100/s", "+Inf/s"), `line 5, column 39: classes.users.rate: +Inf/s is out of range`},
		"a share that is none":  {in("workers: 10", "error_rate: NaN"), `services.data.error_rate: "NaN": give a number from 0 to 1`},
		"an endless factor":     {in("services.data.down: on", "services.data.time_factor: xInf"), `line 12, column 30: timeline[0]: services.data.time_factor: "xInf": a factor is from x0 to x1e6`},
		"points without end":    {in("100/s", "\""+many("%ds 5/s, ", 9000)+"9999s 6/s\""), `line 5, column 39: classes.users.rate: more than 1000 points of a rate: use fewer`},
		"a long path":           {in("gateway > data", strings.Repeat("gateway > ", 5000)+"data"), `classes.users.path: has 5001 services: at most 8`},
		"a long timeline":       {in("timeline:\n", "timeline:\n"+many(change, 5000)), `line 11, column 1: timeline: there are 5001 changes in all`},
		"changes of variants":   {in("timeline:\n", "timeline:\n"+many(change, 900)) + "variants:\n" + many("  v%d: {set: {services.data.queue: 1}}\n", 20), `line 913, column 1: variants: there are 18921 changes in all, of timeline and actions in every variant: at most 4000; leave some out`},
		"changes of actions":    {small + "actions:\n" + many("  a%d: {steps: ["+strings.Repeat("{set: {services.data.queue: 1}}, ", 60)+"]}\n", 90), `line 13, column 1: actions: there are 5401 changes in all`},
		"a wide change":         {in("  - {at: 10s", "  - {at: 1s, set: {"+many("services.data.x%d: 1, ", 8000)+"}}\n  - {at: 10s"), `timeline: there are 8001 changes in all`},
		"many services":         {in("services:\n", "services:\n"+many("  s%d: {time: 1ms}\n", 9000)), `line 7, column 3: services: are 9002: at most 32`},
		"brackets":              {"a: " + strings.Repeat("[", 100_000), `line 1, column 1004: malformed YAML: nested more than a thousand deep`},
		"braces":                {small + "a: " + strings.Repeat("{a: ", 60_000), `line 13, column 4004: malformed YAML: nested more than a thousand deep`},
		"lists in lists":        {strings.Repeat("- ", 100_000), `line 1, column 1: malformed YAML: nested more than a thousand deep`},
		"another YAML":          {"%YAML 9.9\n---\n" + small, `line 1, column 1: malformed YAML: found incompatible YAML document: correct it there, or in the line before`},
		"an end alone":          {"...\n", `line 1, column 1: malformed YAML: `},
		"a tab at the end":      {small + "\t\n", `line 13, column 1: malformed YAML: a tab is no indentation: use spaces`},
		"a name as a list":      {small + "? [a, b]\n: c\n", `line 13, column 3: the file: a name is needed in front of the colon`},
		"an escape in a name":   {in("name: small", `name: "a\e[31m"`), `line 1, column 7: name: "a`},
		"an escape in a field":  {small + `"x\e[2J": 1` + "\n", `line 13, column 1: x`},
		"an escape in a value":  {in("queue: 100", `queue: "1\e[2J"`), `line 8, column 53: services.data.queue: "1`},
		"an escape in a class":  {in("users:", `"u\e[2J":`), `line 5, column 3: classes: "u`},
		"an escape in a action": {small + `actions: {"a\e[2J": {set: {services.data.queue: 1}}}` + "\n", `is no name: use letters, digits, - and _`},
		"a name of a megabyte":  {in("name: small", "name: "+strings.Repeat("x", 200_000)), `xxx" is no name: use letters, digits, - and _, up to 60 of them`},
		"UTF-16":                {"\xff\xfen\x00a\x00m\x00e\x00:\x00", `line 1, column 6: name: has no value`},
	}
}

// TestAHostileFileIsOneSentenceWithAPlace and does no harm to the terminal.
func TestAHostileFileIsOneSentenceWithAPlace(t *testing.T) {
	for name, test := range hostile(t) {
		if len(test.text) > MaxSize {
			t.Errorf("%s: %d bytes are refused for their number alone", name, len(test.text))
		}
		_, err := Parse("my.yaml", []byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s:\n got %.900v\nwant %s", name, err, test.want)
			continue
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			if !strings.HasPrefix(line, "scenario my.yaml, line ") || len(line) > 2*longest || strings.ContainsAny(line, "\x1b\r\x00\t") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
}

// TestTextsForPeopleAreClean before anything shows them.
func TestTextsForPeopleAreClean(t *testing.T) {
	evil := `"\e[31mred\u202e \a"`
	s, err := Parse("my.yaml", []byte(strings.NewReplacer("a title", evil, "note: outage", "note: "+evil).Replace(small)+"look: "+evil+"\nsource: "+evil+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{s.Title, s.Look, s.From, s.Timeline[0].Note} {
		if !strings.Contains(text, "red") || strings.ContainsAny(text, "\x1b\a\u202e") {
			t.Errorf("%q", text)
		}
	}
}
