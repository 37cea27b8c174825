package chain

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Hash is a hash of everything that decides a run, but the seed: two scenarios
// of the same hash take the same course. Titles, actions that are not played
// and the judge are left out.
func (s *Scenario) Hash() string {
	h := sha256.New()
	for _, slot := range s.slots() {
		name := slot.info.Name
		if strings.HasSuffix(name, ".policy") || strings.HasPrefix(name, "judge.") || strings.HasPrefix(name, "watch.") {
			continue
		}
		fmt.Fprintf(h, "%s=%s\n", name, slot.get())
	}
	for _, c := range s.Timeline {
		fmt.Fprintf(h, "%d %s=%s %d %d\n", c.At, c.Field, c.Value, c.For, c.Over)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
