package peer

import (
	"maps"
	"testing"
	"time"
)

func TestAWaitCountsAtItsEndAndStandsWhileItLasts(t *testing.T) {
	start := time.Unix(1000, 0)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	var q Queue
	q.Join(at(0))
	q.Join(at(1))
	q.Leave(at(4), at(0))
	want := map[string]float64{"waits": 1, "waited_seconds": 4, "longest_seconds": 4, "stood_seconds": 1 + 2*3 + 2}
	if got := q.Count(at(6)); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
