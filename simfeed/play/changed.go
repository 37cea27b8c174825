package play

import (
	"slices"
	"strconv"

	"stormtop/simfeed/chain"
)

// Changed implements collector.Changing: what the timeline changed, and that a
// scenario that loops begins again.
func (f *Feed) Changed() []string { return f.changed }

// tell says what changed in a live second; a change of several fields
// that has a name is one.
func (f *Feed) tell(w *chain.Window, past bool) {
	f.changed = nil
	if past {
		return
	}
	if f.lapped {
		f.changed, f.lapped = append(f.changed, "the scenario begins again: lap "+strconv.FormatInt(f.lap+1, 10)), false
	}
	for _, a := range w.Changes {
		if a.Manual {
			continue
		}
		if text := changeOf(a).String(); !slices.Contains(f.changed, text) {
			f.changed = append(f.changed, text)
		}
	}
}
