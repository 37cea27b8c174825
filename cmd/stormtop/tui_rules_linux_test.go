package main

import (
	"os/exec"
	"strings"
	"testing"
)

func TestARuleIsTunedPutInForceAndWrittenByKeys(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("stormtop", "--sim=lab:S3", "--speed=1000x")
	cmd.Dir = dir
	c := runOnConsole(t, 120, 40, false, nil, cmd)
	c.waitFor("ENDED")
	c.keys("4")
	c.waitFor("QueueDepthHigh")
	c.keys("t")
	c.waitFor("LANDSCAPE")
	c.waitFor("1 incident: weak evidence  truth: the simulation's overload")
	c.keys("\x1b[D")
	c.waitFor("‹ 1.4x ›")
	c.keys("\r")
	c.waitFor("RetryAmplificationHigh: > 1.4x for 1m")
	c.keys("w")
	c.waitFor("Nothing is written yet")
	if list := namesIn(t, dir); len(list) > 0 {
		t.Errorf("without being asked it wrote %q", list)
	}
	c.keys("\r")
	c.waitFor("   wrote stormtop-rules.yml")
	c.keys("6")
	c.waitFor("RetryAmplificationHigh: > 1.4x for 1m, floor 1/s (before: > 1.5x for 1m, floor 1/s)")
	c.keys("q")
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	c.requireSane()
	if list := strings.Join(namesIn(t, dir), " "); !strings.HasPrefix(list, "stormtop-rules.yml") {
		t.Errorf("the files are %q", list)
	}
}
