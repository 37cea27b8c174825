package chain

import (
	"strings"
	"testing"
	"time"
)

// disturbed is a run of a window a second, which a trigger disturbs in seconds 5 to
// 10: '.' is as before it, 'x' fails half of its requests, ' ' has none. The five
// before the trigger are calm and not written.
func disturbed(windows string) (Scenario, []Window) {
	s := one(time.Millisecond, 1)
	s.Length = time.Duration(5+len(windows)) * time.Second
	s.Timeline = []Change{{At: 5 * time.Second, For: 5 * time.Second, Field: "services.server.error_rate", Value: "0.5"}}
	var out []Window
	for i, kind := range "....." + windows {
		w := Window{Start: time.Duration(i) * time.Second, End: time.Duration(i+1) * time.Second}
		c := ClassWindow{Class: "users", Requests: 100, Attempts: 100, Delivered: 100}
		switch kind {
		case 'x':
			c.Delivered, c.Failed = 50, 50
		case ' ':
			c = ClassWindow{Class: "users"}
		}
		w.Classes = []ClassWindow{c}
		out = append(out, w)
	}
	return s, out
}

// TestThreeWindowsInsideAreARecoveryAndTenOutsideAreStuck counts the windows
// that decide. Ten outside count from when the run was given time to settle.
func TestThreeWindowsInsideAreARecoveryAndTenOutsideAreStuck(t *testing.T) {
	settle := int(NewScenario("").Judge.Settle / time.Second)
	late := func(n int) string { return strings.Repeat("x", n) }
	const trigger = "xxxxx"
	for _, test := range []struct {
		name, windows string
		control       string
		want          Verdict
		recovered     time.Duration
	}{
		{"at once", trigger + "...", ".........", Recovered, 10 * time.Second},
		{"only two", trigger + "..", "........", NotJudged, 0},
		{"two, and again", trigger + "..x..x...", ".................", Recovered, 16 * time.Second},
		{"not within the trigger", "x...x" + "..", "............", NotJudged, 0},
		{"idle seconds end no row", trigger + ". . .", "", Recovered, 10 * time.Second},
		{"idle seconds make no row", trigger + ".    ", "", NotJudged, 0},
		{"nine after it settled", trigger + late(settle+9), "", NotJudged, 0},
		{"ten after it settled", trigger + late(settle+10), "", Metastable, 0},
		{"a row that is interrupted", trigger + late(settle+9) + "." + late(9), "", NotJudged, 0},
		{"stuck, and later well", trigger + late(settle+10) + "...", "", Recovered, time.Duration(20+settle) * time.Second},
		{"nine of a control run", trigger + "...", "....." + late(9), Recovered, 10 * time.Second},
		{"ten of a control run", trigger + "...", "....." + late(10), UnstableWithout, 0},
	} {
		s, windows := disturbed(test.windows)
		var control []Window
		if test.control != "" {
			_, control = disturbed(test.control)
		}
		verdict, judged := s.judge(windows, control)
		if verdict != test.want || judged.RecoveredAt != test.recovered {
			t.Errorf("%s: %v at %v, want %v at %v", test.name, verdict, judged.RecoveredAt, test.want, test.recovered)
		}
	}
}
