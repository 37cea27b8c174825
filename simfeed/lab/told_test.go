package lab

import (
	"testing"
	"time"
)

func TestTheMomentThatASingleReadingIsOf(t *testing.T) {
	for name, want := range map[string]time.Duration{"S3": 26 * time.Second, "S1..S6": 26 * time.Second} {
		c, err := Play(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Told(); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		for i := range c.Targets {
			c.Targets[i].Config.OutageTo = c.Targets[i].Config.OutageFrom
		}
		if got := c.Told(); got != time.Minute {
			t.Errorf("%s without an outage: %v", name, got)
		}
	}
	if got := Demo(1).Told(); got != 0 {
		t.Errorf("the demo, which loops: %v", got)
	}
}
