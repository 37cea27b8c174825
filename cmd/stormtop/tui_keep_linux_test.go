package main

import (
	"encoding/base64"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestKeysWriteWhatTheyAreAskedForAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("stormtop", "--sim=lab:S3", "--speed=10x")
	cmd.Dir = dir
	c := runOnConsole(t, 100, 30, false, nil, cmd)
	c.waitFor("SIMULATED 10x")
	if list := namesIn(t, dir); len(list) > 0 {
		t.Errorf("without being asked it wrote %q", list)
	}
	c.keys("r")
	c.waitFor("◉ REC")
	c.waitFor("-live.rec; r ends it")
	c.keys("S")
	c.waitFor("   wrote stormtop-")
	c.keys("r")
	c.waitFor("   recorded stormtop-")
	c.keys("y")
	c.waitFor("COPIED")
	c.keys("q")
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	c.requireSane()
	_, rest, ok := strings.Cut(c.written(), "\x1b]52;c;")
	coded, _, _ := strings.Cut(strings.ReplaceAll(rest, "\x1b", "\x07"), "\x07")
	if copied, err := base64.StdEncoding.DecodeString(coded); !ok || err != nil || !strings.Contains(string(copied), "lab/S3 ") {
		t.Errorf("copied %q, %v", copied, err)
	}
	list := namesIn(t, dir)
	if len(list) != 3 || !slices.ContainsFunc(list, func(n string) bool { return strings.HasSuffix(n, "Z.txt") }) {
		t.Fatalf("the files are %q", list)
	}
	for _, name := range list {
		if strings.HasSuffix(name, ".rec") {
			intact(t, filepath.Join(dir, name))
		}
	}
}

func TestQuittingFinishesTheRecording(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("stormtop", "--sim=lab:S3", "--speed=10x", "--record=storm.rec")
	cmd.Dir = dir
	c := runOnConsole(t, 100, 30, false, nil, cmd)
	c.waitFor("◉ REC")
	c.keys("r")
	c.waitFor("   recorded storm.rec")
	c.keys("r")
	c.waitFor("recording to storm.rec")
	c.keys("q")
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if rec := intact(t, filepath.Join(dir, "storm.rec")); rec.Len() == 0 {
		t.Error("nothing was recorded")
	}
}
