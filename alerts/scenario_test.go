package alerts_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/collector"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata; read the difference before you believe it")

// TestScenarios plays the files in testdata/scenarios. A file is a list of
// steps, each a command, the lines it takes, "----" and the transcript:
//
//	rules [NAME.for=1m NAME.keep=30s NAME.threshold=2 NAME.off ...]   the documented rules, changed
//	feed [step=15s] [range=1m] [past]    readings, in the notation of alertstest; the clock goes on
//	status | for TARGET | coverage | diagnose TARGET | episodes | clear
//
// A line that begins with # is a comment.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := (&scenario{t: t, at: alertstest.Start}).play(string(text))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(text) {
				t.Errorf("%s is now:\n%s", file, got)
			}
		})
	}
}

type scenario struct {
	t      *testing.T
	engine *alerts.Engine
	at     time.Time
}

// play runs every step and returns the file with the transcripts of this run.
func (s *scenario) play(text string) string {
	var out strings.Builder
	for i, block := range strings.Split(strings.TrimRight(text, "\n"), "\n\n") {
		if i > 0 {
			out.WriteString("\n")
		}
		input, _, _ := strings.Cut(block+"\n", "----\n")
		input = strings.TrimRight(input, "\n")
		out.WriteString(input + "\n----\n")
		var body []string
		command := ""
		for _, line := range strings.Split(input, "\n") {
			switch {
			case strings.HasPrefix(line, "#"):
			case command == "":
				command = line
			default:
				body = append(body, line)
			}
		}
		for _, line := range s.run(strings.Fields(command), strings.Join(body, "\n")) {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

func (s *scenario) run(words []string, body string) []string {
	arg := ""
	if len(words) > 1 {
		arg = words[1]
	}
	switch words[0] {
	case "rules":
		return s.rules(words[1:])
	case "feed":
		return s.feed(words[1:], body)
	case "status":
		return describe(s.engine.Statuses())
	case "for":
		return describe(s.engine.For(alertstest.Target(arg).ID))
	case "coverage":
		c := s.engine.Coverage()
		out := []string{fmt.Sprintf("%d of %d rules judged", c.Judged, c.Of)}
		for _, m := range c.Missing {
			out = append(out, describeMissing("", m))
		}
		for _, m := range c.Elsewhere {
			out = append(out, describeMissing("elsewhere ", m))
		}
		return out
	case "diagnose":
		d := s.engine.Diagnose(alertstest.Target(arg).ID)
		return []string{fmt.Sprintf("[%s] %s", d.Cause, d.Text)}
	case "episodes":
		var out []string
		for _, ep := range s.engine.Episodes() {
			out = append(out, fmt.Sprintf("%s %s %s %s %s peak %s: %s", ep.Rule, ep.Target.Name,
				hms(ep.Pending), hms(ep.Firing), hms(ep.Ended), ep.Peak, ep.Why))
		}
		return out
	case "clear":
		return []string{hms(s.engine.ClearSince())}
	}
	s.t.Fatalf("unknown command %q", words)
	return nil
}

func (s *scenario) rules(words []string) []string {
	rules := alerts.Documented()
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		name, field, _ := strings.Cut(key, ".")
		found := false
		for i := range rules {
			if rules[i].Name == name {
				found = true
				s.change(&rules[i], field, value)
			}
		}
		if !found {
			s.t.Fatalf("no rule %q", name)
		}
	}
	if err := alerts.Validate(rules); err != nil {
		s.t.Fatal(err)
	}
	if s.engine == nil {
		s.engine = alerts.New(rules)
	} else {
		s.engine.SetRules(rules)
	}
	return nil
}

func (s *scenario) change(r *collector.RuleSpec, field, value string) {
	var err error
	switch field {
	case "for":
		r.For, err = time.ParseDuration(value)
	case "keep":
		r.KeepFiring, err = time.ParseDuration(value)
	case "threshold":
		_, err = fmt.Sscan(value, &r.Threshold)
	case "off":
		r.Off = true
	default:
		s.t.Fatalf("no field %q", field)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *scenario) feed(words []string, body string) []string {
	in := alertstest.Input{Start: s.at, Step: 15 * time.Second}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		var err error
		switch key {
		case "step":
			in.Step, err = time.ParseDuration(value)
		case "range":
			in.RateRange, err = time.ParseDuration(value)
		case "past":
			in.Past = true
		default:
			s.t.Fatalf("feed: no option %q", word)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	var out []string
	for _, r := range readings(s.t, in, body) {
		for _, ev := range s.engine.Eval(r) {
			out = append(out, fmt.Sprintf("%s %-8s %s %s: %s", hms(ev.At), kinds[ev.Kind], ev.Rule, ev.Name, ev.Text))
		}
		s.at = r.At.Add(in.Step)
	}
	return out
}

var kinds = map[collector.EventKind]string{
	collector.EventPending: "pending", collector.EventFiring: "firing", collector.EventInactive: "inactive",
	collector.EventHeld: "held", collector.EventReleased: "released",
}

func describeMissing(where string, m alerts.Missing) string {
	text := fmt.Sprintf("%s%s: %s: %s", where, m.Rule, m.Signal, m.Why)
	if len(m.Systems) > 0 {
		text += " (" + strings.Join(m.Systems, ", ") + ")"
	}
	return text
}

// describe writes statuses, one a line.
func describe(list []alerts.Status) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		line := fmt.Sprintf("%s %s state=%s shown=%s value=%s why=%q", s.Rule.Name, s.Target.Name, s.State, s.Shown, s.Value, s.Why)
		if s.Held {
			line += fmt.Sprintf(" held since %s (%s)", hms(s.HeldSince), s.HeldWhy)
		}
		if s.Active() {
			line += fmt.Sprintf(" active=%s fired=%s peak=%s", hms(s.ActiveAt), hms(s.FiredAt), s.Peak)
		}
		if s.AtLeast {
			line += " atleast"
		}
		if !s.Since.IsZero() {
			line += " since=" + hms(s.Since)
		}
		out = append(out, line)
	}
	return out
}

func hms(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format("15:04:05")
}
