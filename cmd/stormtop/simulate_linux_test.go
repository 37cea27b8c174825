package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCtrlCOnATerminalLeavesWholeResults: the progress is on the terminal, the
// results are in the file, and ctrl+c is a key that the terminal turns into a
// signal for both of them.
func TestCtrlCOnATerminalLeavesWholeResults(t *testing.T) {
	for name, args := range map[string]string{
		"one":        "--set=length=24h --set=every=10s",
		"many":       "--runs=100 --set=length=24h --set=every=10s", // no run is over yet
		"comparison": "--compare=as-is,envoy-default,grpc-default --runs=20000",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "out.json")
			c := runOnConsole(t, 100, 10, false, nil, exec.Command("sh", "-c",
				`exec stormtop simulate six-seconds --control=false --format=json `+args+` >"$0"`, file))
			c.waitFor("simulating: ")
			c.keys("\x03")
			if status := c.end(); status != 1 {
				t.Errorf("status %d", status)
			}
			if text := c.text(); !strings.Contains(text, "interrupted: the results are those until then") || strings.Contains(text, "simulating: ") {
				t.Errorf("on the terminal:\n%s", text)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var doc struct {
				Schema   string
				Complete *bool
			}
			if err := json.Unmarshal(text, &doc); err != nil || doc.Schema == "" || doc.Complete == nil || *doc.Complete {
				t.Errorf("%v: %+v", err, doc)
			}
		})
	}
}
