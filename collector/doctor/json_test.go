package doctor

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/collector/prom"
)

func machine(t *testing.T, r Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestJSONOfATroubledServer(t *testing.T) {
	w, cfg := troubled()
	golden.RequireEqual(t, machine(t, run(t, w, cfg)))
}

func TestJSONHoldsNoNaNAndNoNullList(t *testing.T) {
	w := healthy()
	w.answers[poolQuery] = series("service=orders", math.NaN())
	w.answers[retriesQuery] = series("service=orders", math.Inf(1))
	w.change(func(ex *prom.Examined) { ex.Sides[0].Doubled = math.Inf(1) })
	for _, r := range []Report{{}, run(t, w, Config{})} {
		text := machine(t, r)
		if !json.Valid(text) || bytes.Contains(text, []byte("Inf")) || bytes.Contains(text, []byte("NaN")) {
			t.Errorf("%s", text)
		}
		for _, list := range []string{"findings", "systems", "sides", "signals", "grouping", "replica_labels"} {
			if bytes.Contains(text, []byte(`"`+list+`": null`)) {
				t.Errorf("%s is null in %s", list, text)
			}
		}
	}
}

func TestTheVerdictInJSONIsTheExitStatus(t *testing.T) {
	w, cfg := troubled()
	for want, r := range map[string]Report{"complete": run(t, healthy(), Config{}), "gaps": run(t, w, cfg), "no_data": {NoData: true}} {
		var got struct {
			Schema, Verdict string
			Exit, Gaps      int
		}
		if err := json.Unmarshal(machine(t, r), &got); err != nil {
			t.Fatal(err)
		}
		if got.Schema != "stormtop/doctor/v1" || got.Verdict != want || got.Exit != r.ExitStatus() || got.Gaps != r.Gaps() {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

// TestEveryFieldAndWordIsDocumented compares docs/doctor.md with the JSON.
func TestEveryFieldAndWordIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	w, cfg := troubled()
	var words []string
	for _, m := range regexp.MustCompile(`"([a-z_]+)":`).FindAllSubmatch(machine(t, run(t, w, cfg)), -1) {
		words = append(words, string(m[1]))
	}
	words = append(words, levelNames[:]...)
	words = append(words, stateNames[:]...)
	words = append(words, "judged", "companion", "offered", "superseded", "complete", "gaps", "no_data")
	words = append(words, topics()...)
	slices.Sort(words)
	for _, word := range slices.Compact(words) {
		if !strings.Contains(string(doc), "`"+word+"`") {
			t.Errorf("docs/doctor.md does not say what `%s` means", word)
		}
	}
}

func topics() []string {
	return []string{
		TopicServer, TopicClock, TopicDedup, TopicData, TopicPartial, TopicProfile, TopicExamine, TopicSpacing, TopicAge, TopicReporters,
		TopicReplicas, TopicJobs, TopicGrouping, TopicLabels, TopicTargets, TopicEdge, TopicRatio, TopicPoll,
	}
}
