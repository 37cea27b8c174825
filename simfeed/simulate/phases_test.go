package simulate

import (
	"bytes"
	"strings"
	"testing"
)

// TestAScenarioWithoutWordsIsToldInItsFields: a file of one's own needs neither a
// title nor notes, and its report says what happened all the same.
func TestAScenarioWithoutWordsIsToldInItsFields(t *testing.T) {
	const file = `name: mine
length: 40s
classes:
  users: {path: web > db, rate: 50/s}
services:
  web: {time: 1ms}
  db: {time: 5ms}
edges:
  web>db: {attempts: 3, timeout: 100ms}
timeline:
  - {at: 10s, for: 10s, set: {services.db.time_factor: 4}}
  - {at: 30s, set: {classes.users.rate: 80/s}, note: more users}
`
	var out, errs bytes.Buffer
	w := world(&out, &errs)
	w.ReadFile = func(string) ([]byte, error) { return []byte(file), nil }
	if status := Command(t.Context(), []string{"mine.yaml"}, w); status != 0 || errs.Len() > 0 {
		t.Fatalf("status %d, %s", status, &errs)
	}
	text := out.String()
	if !strings.HasPrefix(text, "MINE  40s, seed 1\n\nVERDICT") {
		t.Errorf("it begins with %q", text[:min(len(text), 60)])
	}
	for _, want := range []string{"services.db.time_factor: 1 → 4\n", "end of: services.db.time_factor\n", "more users\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q:\n%s", want, text)
		}
	}
}
