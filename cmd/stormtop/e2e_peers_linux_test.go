package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stormtop/collector/promtest"
)

// peer is a program of .ci/peers: a real system under a load of its own, that
// also tells what it counted by itself.
type peer struct {
	at     map[string]string // the address of each listener, by name
	ledger *ledger
}

// startPeer starts a peer of the directory that STORMTOP_TEST_PEERS names. It
// ends with the test.
func startPeer(t *testing.T, name string, args ...string) *peer {
	t.Helper()
	dir := os.Getenv("STORMTOP_TEST_PEERS")
	if dir == "" {
		promtest.Leave(t, "STORMTOP_TEST_PEERS names no directory with the programs of .ci/peers: the comparison with real systems was left out")
	}
	cmd := exec.Command(filepath.Join(dir, name), args...)
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	said := keepErrors(t, cmd, name)
	if err := cmd.Start(); err != nil {
		t.Fatalf("STORMTOP_TEST_PEERS: %v", err)
	}
	t.Cleanup(func() { endPeer(t, cmd, input) })

	line, err := bufio.NewReader(output).ReadBytes('\n')
	p := &peer{}
	if err != nil || json.Unmarshal(line, &p.at) != nil {
		t.Fatalf("%s says %q instead of where it listens, %v: %s", name, line, err, said())
	}
	p.ledger = keepLedger(t, "http://"+p.at["client"]+"/truth")
	return p
}

// endPeer closes a peer's standard input, upon which it ends.
func endPeer(t *testing.T, cmd *exec.Cmd, input io.Closer) {
	input.Close()
	late := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
	defer late.Stop()
	if err := cmd.Wait(); err != nil {
		t.Errorf("%s does not end with its input: %v", cmd.Path, err)
	}
}

// keepErrors keeps what a program says on standard error, for the log of a test
// that fails.
func keepErrors(t *testing.T, cmd *exec.Cmd, name string) (said func() string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stderr")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = file
	said = func() string {
		text, _ := os.ReadFile(path)
		return tail(string(text), 3000)
	}
	t.Cleanup(func() {
		file.Close()
		if text := said(); t.Failed() && text != "" {
			t.Logf("what %s said:\n%s", name, text)
		}
	})
	return said
}

// behindEach runs a test for every Prometheus that is named, all at the same
// time, each of which scrapes the same addresses.
func behindEach(t *testing.T, binaries []string, targets []string, test func(*testing.T, *server)) {
	var all []subtest
	for _, binary := range binaries {
		all = append(all, subtest{strings.Trim(filepath.ToSlash(binary), "/"), func(t *testing.T) {
			prom := serve(t, binary, targets...)
			prom.Ready()
			test(t, prom)
		}})
	}
	concurrently(t, all...)
}
