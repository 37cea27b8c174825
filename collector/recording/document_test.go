package recording

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stormtop/collector"
)

// fieldsOf gathers the names of the fields of all types below t that are
// written by encoding/json.
func fieldsOf(t reflect.Type, into map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		fieldsOf(t.Elem(), into)
	case reflect.Struct:
		for i := range t.NumField() {
			if tag := t.Field(i).Tag.Get("json"); tag != "" {
				name, _, _ := strings.Cut(tag, ",")
				into[name] = true
				fieldsOf(t.Field(i).Type, into)
			}
		}
	}
}

// fullest is a reading that has everything.
func fullest() *collector.Reading {
	r := reading(1, row("a", 1, 2))
	r.Targets[0].Values[collector.Ingress].State = collector.Idle
	r.Overload = collector.Overloaded
	r.Begins, r.Past, r.Missed, r.Cost = true, true, 3, collector.Cost{Queries: 1, Bytes: 2, Took: 3}
	r.Failures = []collector.Failure{{Signal: collector.Ingress, System: "s", Kind: collector.TimedOut, Text: "t", Retry: noon}}
	r.Warnings = []string{"w"}
	r.Reporters = []collector.Reporters{{System: "s", Target: "t", Side: collector.Ingress, Now: 1, Usual: 2}}
	r.Asked = []collector.Asked{{System: "s", Signal: collector.Ingress, Series: 1, Cost: r.Cost}}
	return r
}

func TestEveryFieldIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/recording.md")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, v := range []any{headerLine{}, originLine{}, targetsLine{}, shapesLine{}, eventLine{}, markLine{}, rulesLine{}} {
		fieldsOf(reflect.TypeOf(v), names)
	}
	var out bytes.Buffer
	if err := NewWriter(&out, nil).Reading(fullest()); err != nil {
		t.Fatal(err)
	}
	written := out.Bytes()[bytes.LastIndex(out.Bytes(), []byte(`{"type":"reading"`)):]
	for _, m := range regexp.MustCompile(`"([a-z_]+)":`).FindAllSubmatch(written, -1) {
		names[string(m[1])] = true
	}
	if len(names) < 60 {
		t.Fatalf("only %d fields: the test looks in the wrong place", len(names))
	}
	for name := range names {
		if !regexp.MustCompile("`[^`\n]*\\b" + name + "\\b[^`\n]*`").Match(page) {
			t.Errorf("docs/recording.md does not name the field %s", name)
		}
	}
	for s, letter := range letters {
		if row := "| `" + string(letter) + "` | " + collector.State(s).String(); !strings.Contains(string(page), row) {
			t.Errorf("docs/recording.md has no %q", row)
		}
	}
}

// TestEveryFieldOfTheVocabularyIsKnown notices when the vocabulary grows and the
// format does not.
func TestEveryFieldOfTheVocabularyIsKnown(t *testing.T) {
	for _, test := range []struct {
		of   any
		want int
	}{
		{collector.Reading{}, 15}, {collector.Row{}, 3}, {collector.Target{}, 5}, {collector.Value{}, 4}, {collector.Failure{}, 5},
		{collector.Reporters{}, 5}, {collector.Asked{}, 4}, {collector.Cost{}, 3}, {collector.Origin{}, 15}, {collector.System{}, 10},
		{collector.Baselines{}, 4}, {collector.RuleSpec{}, 12}, {collector.Event{}, 7}, {collector.Mark{}, 2},
	} {
		if got := reflect.TypeOf(test.of).NumField(); got != test.want {
			t.Errorf("%T has %d fields, a recording holds %d of them: add what is new to the format, its page and this list", test.of, got, test.want)
		}
	}
}

func TestTheExampleOfThePageOpens(t *testing.T) {
	page, err := os.ReadFile("../../docs/recording.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	text, _, found := strings.Cut(rest, "```")
	rec, err := Load(NewReader(strings.NewReader(text)))
	if err != nil || !found || rec.Len() != 1 || len(rec.Marks()) != 1 || len(rec.Report.Notes()) != 0 {
		t.Fatalf("%v: %+v", err, rec)
	}
	got := rec.Reading(0)
	if a := got.Targets[0].Values[collector.Amplification]; a.String() == "" || a.V != 1998/805.5 || got.Targets[0].Target.ID == "" || got.Total.Target.ID != "" {
		t.Errorf("%+v", got)
	}
	var last map[string]any
	lines := slices.Collect(strings.Lines(text))
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last["type"] != "mark" {
		t.Errorf("%v, %v", last, err)
	}
}
