package views

import (
	"regexp"
	"strings"
	"testing"

	"stormtop/collector"
)

func TestTheEdgePairOfASystemIsNoOtherSystem(t *testing.T) {
	o := &collector.Origin{Systems: []collector.System{
		{Profile: "grpc_otel", Kind: collector.Hop}, {Profile: "haproxy", Kind: collector.Hop}, {Profile: "haproxy", Kind: collector.Edge},
	}}
	if n := systems(o); n != 2 {
		t.Errorf("%d systems", n)
	}
}

func TestADrillDownClaimsNoBeginningThatWasNotSeen(t *testing.T) {
	for moment, word := range map[string]string{"firing": "above since ", "firing-at-start": "above since before "} {
		m := shown(t, moment, 120, 40, Options{})
		press(m, "2", "enter")
		got := text(m)
		row := regexp.MustCompile(`(?m)^.*RetryAmplificationHigh .*$`).FindString(got)
		if !strings.Contains(row, word) || strings.Contains(row, "≥") != (moment == "firing-at-start") {
			t.Errorf("%s: %q", moment, row)
		}
	}
}

func TestNumbersWithAWordBehindThemStandApart(t *testing.T) {
	glued := regexp.MustCompile(`[^ │] ?(part|old)[^ ]|p…|o…`)
	for _, moment := range []string{"partial", "stale"} {
		for _, size := range sizes {
			for _, keys := range [][]string{nil, {"2"}} {
				m := shown(t, moment, size.w, size.h, Options{})
				press(m, keys...)
				for _, row := range strings.Split(text(m), "\n") {
					if strings.Contains(row, "payments-channel") && strings.ContainsAny(row, "◑▸") && glued.MatchString(row) {
						t.Errorf("%s, %dx%d, after %v: %q", moment, size.w, size.h, keys, row)
					}
				}
			}
		}
	}
}

func TestAVerdictThatIsKeptStillBeginsWithItsState(t *testing.T) {
	row := strings.Split(text(shown(t, "partial", 80, 24, Options{})), "\n")[1]
	if !strings.HasPrefix(row, " ● FIRING 3m50s (held)   payments-channel ") {
		t.Errorf("%q", row)
	}
}

func TestCountsAreGroupedWhereverTheyStand(t *testing.T) {
	r := collector.Reporters{Side: collector.Ingress, Now: 9000, Usual: 10000}
	if got := reporters(r); got != "ingress side: 9,000 of 10,000 reporters" {
		t.Errorf("%q", got)
	}
}
