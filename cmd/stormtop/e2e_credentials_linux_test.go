package main

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// credentials asks a server that wants to know who asks, in every way in which
// one can say so, and looks for the password in everything that is written.
func credentials(t *testing.T, prom *server) {
	const user, password, wrong = "watcher", "pa55-w0rd-of-the-watcher", "wr0ng-w0rd-of-the-watcher"
	gate := front(t, prom, func(r *http.Request) bool {
		u, p, ok := r.BasicAuth()
		return ok && u == user && p == password
	})
	encoded := func(secret string) string { return base64.StdEncoding.EncodeToString([]byte(user + ":" + secret)) }
	silent := func(what, text string) {
		t.Helper()
		for _, secret := range []string{password, wrong, encoded(password), encoded(wrong)} {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds a secret:\n%s", what, text)
			}
		}
	}
	ways := func(secret string) map[string][]string {
		file := filepath.Join(t.TempDir(), "http.yml")
		text := "basic_auth:\n  username: " + user + "\n  password: " + secret + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return map[string][]string{
			"file":    {"--prom=" + gate.url, "--prom.http-config=" + file},
			"header":  {"--prom=" + gate.url, "--prom.header=Authorization=Basic " + encoded(secret)},
			"address": {"--prom=" + strings.Replace(gate.url, "://", "://"+user+":"+secret+"@", 1)},
		}
	}
	refused := func(name string, args []string) {
		t.Helper()
		o := execute(t, append([]string{"--once"}, args...)...)
		if o.status != 3 || !strings.Contains(o.stdout, "wants credentials") || !strings.Contains(o.stdout, "--prom.http-config=FILE") {
			t.Errorf("%s: status %d\n%s%s", name, o.status, o.stdout, o.stderr)
		}
		silent(name, o.stdout+o.stderr)
	}
	refused("no credentials", []string{"--prom=" + gate.url})
	for name, args := range ways(wrong) {
		refused("wrong credentials, by "+name, args)
		screen := onConsole(t, 120, 40, false, nil, args...)
		screen.waitFor("wants credentials")
		silent("the screen", screen.written())
	}
	for name, args := range ways(password) {
		for _, mode := range []string{"--once", "--print-config"} {
			o := execute(t, append([]string{mode}, args...)...)
			if o.status > 1 || mode == "--once" && !strings.Contains(o.stdout, "demo/payments") {
				t.Errorf("%s %s: status %d\n%s%s", mode, name, o.status, o.stdout, o.stderr)
			}
			silent(mode+" "+name, o.stdout+o.stderr)
		}
		screen := onConsole(t, 120, 40, false, nil, args...)
		screen.waitFor("demo/payments")
		screen.keys("i")
		screen.waitFor("esc")
		silent("the screen", screen.written())
	}
}
