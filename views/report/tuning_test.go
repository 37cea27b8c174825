package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/tune"
	"stormtop/collector"
)

// tuningOf studies the documented rules over a storm that begins at 60 s.
func tuningOf(t *testing.T, incidents ...tune.Incident) Tuning {
	t.Helper()
	rs, err := alertstest.Input{Step: 5 * time.Second, RateRange: 20 * time.Second}.Readings(
		"payments ingress 100x120\npayments downstream 100x12 130x3 160x3 248x30 100x72\npayments retries 0x12 30x3 60x3 148x30 0x72\npayments at_limit 0x18 7x28 0x74")
	if err != nil {
		t.Fatal(err)
	}
	rules := alerts.Documented()
	b := tune.NewBuilder(rules)
	for _, r := range rs {
		b.Add(r)
	}
	var list []*tune.History
	for i := range rules[:3] {
		h := b.History(i)
		h.Name, h.Incidents = "storm.rec", incidents
		list = append(list, h)
	}
	out := Tuning{
		Source: "storm.rec", From: rs[0].At, To: rs[len(rs)-1].At, RateRange: 20 * time.Second, Interval: 5 * time.Second,
		Histories: list[:1], Grid: true, Episodes: true, Notes: []string{"OrdersDown is left out"},
	}
	var results []tune.Result
	for i := range list {
		s := tune.Examine(rules[i], nil, list[i:i+1], nil)
		out.Studies = append(out.Studies, s)
		results = append(results, s.Now.Results[0])
	}
	out.Studies = append(out.Studies, tune.ExaminePair(rules[3], rules[0], rules[2], list[:1], list[2:]))
	out.First = tune.WarnedFirst(results)
	return out
}

func stormIncident() tune.Incident {
	return tune.Incident{From: alertstest.Start.Add(time.Minute), To: alertstest.Start.Add(4 * time.Minute), Text: "marked"}
}

func TestTuningText(t *testing.T) {
	var b bytes.Buffer
	if err := (Text{}).Tuning(&b, tuningOf(t, stormIncident())); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if strings.TrimRight(line, " \n") != strings.TrimRight(line, "\n") {
			t.Errorf("blanks at the end of %q", line)
		}
	}
	golden.RequireEqual(t, b.String())
}

func TestTuningTextInASCII(t *testing.T) {
	var b bytes.Buffer
	if err := (Text{ASCII: true}).Tuning(&b, tuningOf(t)); err != nil {
		t.Fatal(err)
	}
	for _, r := range b.String() {
		if r > 126 {
			t.Fatalf("%q is outside ASCII", r)
		}
	}
	if !strings.Contains(b.String(), "no incident is known: every firing counts as a false alarm") {
		t.Errorf("%s", b.String())
	}
}

// TestWithoutAnIncidentTheMapSaysHowOftenARuleFires: there is no lead to show.
func TestWithoutAnIncidentTheMapSaysHowOftenARuleFires(t *testing.T) {
	x := tuningOf(t)
	x.Episodes = false
	var b bytes.Buffer
	if err := (Text{}).Tuning(&b, x); err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, b.String())
	if strings.Contains(b.String(), "\n  lead ") || strings.Contains(b.String(), "!") {
		t.Error("a lead or a false alarm on a map of firings")
	}
}

func TestAHistoryOfOneReadingIsEvaluatedOnce(t *testing.T) {
	x := tuningOf(t)
	x.Interval = 0
	var b strings.Builder
	if err := (Text{}).Tuning(&b, x); err != nil || !strings.Contains(b.String(), "evaluated once; ") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestRulesThatWarnTogetherAreSaidToBe(t *testing.T) {
	for want, f := range map[string]tune.First{
		"A after 3s, with B":       {Rule: "A", Lead: 3 * time.Second, Next: "B"},
		"A after 3s, 2s before B":  {Rule: "A", Lead: 3 * time.Second, Next: "B", Ahead: 2 * time.Second},
		"A after 3s, the only one": {Rule: "A", Lead: 3 * time.Second},
		"none did":                 {},
	} {
		var b strings.Builder
		(&Tuning{First: []tune.First{f}}).writeFirst(&b)
		if !strings.HasSuffix(b.String(), "  "+want+"\n") {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}

// TestTuningJSONIsDocumented: every field is named in docs/formats.md, and what
// is not known is null.
func TestTuningJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(doc), "## Tuning: `stormtop/tuning/v1`")
	if !ok {
		t.Fatal("docs/formats.md does not describe it")
	}
	for _, v := range []any{
		tuningJSON{}, incidentJS{}, studyJSON{}, figuresJSON{}, numbersJSON{}, episodeJSON{}, adviceJSON{}, choiceJSON{}, trialJSON{}, firstJSON{}, mapJSON{},
	} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if name != "" && !regexp.MustCompile("[`{ ]"+name+"[`},]").MatchString(section) {
				t.Errorf("%s of %s is not described", name, typ.Name())
			}
		}
	}
	for _, incidents := range [][]tune.Incident{nil, {stormIncident()}} {
		var b bytes.Buffer
		if err := TuningJSON(&b, tuningOf(t, incidents...)); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Schema string
			Rules  []struct {
				Name        string
				Lead        *float64 `json:"lead_seconds"`
				Firing      float64  `json:"firing_seconds"`
				False       float64  `json:"false_alarm_seconds"`
				Recommended *struct{ Threshold float64 }
				Episodes    []struct{ Why string }
			}
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.Schema != "stormtop/tuning/v1" || len(got.Rules) != 4 || got.Rules[3].Recommended != nil || got.Rules[0].Recommended == nil {
			t.Errorf("%+v", got)
		}
		for _, r := range got.Rules {
			if (r.Lead != nil) != (len(incidents) > 0) || len(r.Episodes) != 1 || r.Episodes[0].Why != "condition false" {
				t.Errorf("%+v", r)
			}
			if len(incidents) == 0 && r.False != r.Firing {
				t.Errorf("%s: %v of %v is false alarm", r.Name, r.False, r.Firing)
			}
		}
	}
}

func TestTuningExit(t *testing.T) {
	study := func(firings int, judged bool) tune.Study {
		s := tune.Study{Judged: judged, Spec: collector.RuleSpec{Name: "A"}}
		s.Now.All.Firings = firings
		return s
	}
	for _, tt := range []struct {
		list []tune.Study
		want int
	}{
		{nil, ExitOk}, {[]tune.Study{study(0, true)}, ExitOk}, {[]tune.Study{study(0, false), study(2, true)}, ExitFiring},
		{[]tune.Study{study(0, true), study(0, false)}, ExitUnjudged},
	} {
		if got := TuningExit(Tuning{Studies: tt.list}); got != tt.want {
			t.Errorf("%+v: %d, want %d", tt.list, got, tt.want)
		}
	}
}
