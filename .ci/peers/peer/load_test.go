package peer

import (
	"testing"
	"time"
)

func TestAnyStretchHoldsTheShare(t *testing.T) {
	for _, share := range []Share{0, 0.05, 0.4, 0.5, 1} {
		for from := int64(1); from < 50; from++ {
			taken := 0
			for n := from; n < from+1000; n++ {
				if share.Takes(n) {
					taken++
				}
			}
			if want := int(share * 1000); taken < want-1 || taken > want+1 {
				t.Errorf("%v of 1000 from %d: %d", share, from, taken)
			}
		}
	}
}

func TestAPaceIsAFunctionOfTheTimeAlone(t *testing.T) {
	for elapsed, want := range map[time.Duration]int64{0: 0, 5 * time.Millisecond: 1, time.Second: 200, time.Minute: 12000} {
		if got := Pace(200).Due(elapsed); got != want {
			t.Errorf("after %s %d are due, want %d", elapsed, got, want)
		}
	}
}
