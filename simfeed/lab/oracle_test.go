package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oracleRuns are the published results as plain data.
func oracleRuns(t testing.TB) []map[string]any {
	t.Helper()
	text, err := os.ReadFile("testdata/outage-lab.json")
	if err != nil {
		t.Fatal(err)
	}
	return decodeRuns(t, text)
}

// decodeRuns reads runs with every digit of their whole numbers, so that large
// seeds are compared, too; 90.000000 and 90 are the same number.
func decodeRuns(t testing.TB, text []byte) []map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var runs []map[string]any
	if err := dec.Decode(&runs); err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		for key, value := range run {
			if n, ok := value.(json.Number); ok && strings.Contains(n.String(), ".") {
				run[key] = json.Number(strings.TrimRight(strings.TrimRight(n.String(), "0"), "."))
			}
		}
	}
	return runs
}

func TestEveryPublishedRunIsReproducedExactly(t *testing.T) {
	var got []Result
	for _, s := range Published() {
		r, err := Run(context.Background(), s)
		if err != nil {
			t.Fatalf("%s: %v", s.ID, err)
		}
		got = append(got, r)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	want := oracleRuns(t)
	if len(want) != 60 {
		t.Fatalf("the oracle has %d runs, want 60", len(want))
	}
	if diff := cmp.Diff(want, decodeRuns(t, text)); diff != "" {
		t.Errorf("results differ from the published ones (-published +got):\n%s", diff)
	}
}
