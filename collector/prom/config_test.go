package prom

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/config"

	"stormtop/collector"
)

func TestOpenRefusesWhatCannotWork(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"no clock":              {func(c *Config) { c.Clock = nil }, "no clock"},
		"header":                {func(c *Config) { c.Headers = map[string]string{"A B": "x"} }, `--prom.header: "A B" is no header`},
		"header value":          {func(c *Config) { c.Headers = map[string]string{"A": "x\r\nB: y"} }, "is no header"},
		"parameter":             {func(c *Config) { c.Params = map[string]string{"query": "x"} }, `--prom.param: "query" is set by stormtop itself`},
		"label":                 {func(c *Config) { c.By = []string{" "} }, "--by"},
		"negative":              {func(c *Config) { c.Span = -1 }, "cannot be negative"},
		"too fast":              {func(c *Config) { c.Interval = time.Millisecond }, "the least is 100ms"},
		"baseline":              {func(c *Config) { c.Baselines.Number = -3 }, "a healthy fan-out is above 0"},
		"no signal":             {func(c *Config) { c.Signals = map[collector.Signal]string{collector.NoSignal: "x"} }, "there is no none to query"},
		"unknown field":         {func(c *Config) { c.HTTPFile = file("a.yml", "basic_auht: {}\n") }, `a.yml:1: unknown field "basic_auht": correct it`},
		"no such file":          {func(c *Config) { c.HTTPFile = filepath.Join(dir, "nosuch") }, "nosuch, which does not exist: correct the name"},
		"value of another kind": {func(c *Config) { c.HTTPFile = file("b.yml", "basic_auth: hunter2\n") }, "b.yml:1: a value of the wrong kind: correct it"},
		"reserved header":       {func(c *Config) { c.HTTPFile = file("c.yml", "http_headers: {Authorization: {values: [x]}}\n") }, "Authorization"},
		"file and value":        {func(c *Config) { c.HTTPFile, c.HTTP = file("d.yml", ""), &config.HTTPClientConfig{} }, "given twice"},
		"two credentials": {func(c *Config) {
			c.URL = "http://eve:hunter2@h"
			c.HTTPFile = file("e.yml", "authorization: {credentials: hunter2}\n")
		}, "credentials both in the address and in the HTTP configuration"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{URL: "http://h", Clock: &fakeClock{}}
			c.change(&cfg)
			_, _, err := Open(cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestEveryRequestCarriesHeadersParametersAndCredentials(t *testing.T) {
	f := newFake(t)
	path := filepath.Join(t.TempDir(), "http.yml")
	text := "basic_auth: {username: eve, password_file: pw}\nhttp_headers: {X-From-File: {values: [yes]}}\n"
	for name, text := range map[string]string{path: text, filepath.Join(filepath.Dir(path), "pw"): "hunter2"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := f.open(t, func(c *Config) {
		c.HTTPFile, c.Span = path, time.Minute
		c.Headers = map[string]string{"X-Scope-OrgID": "ops", "Host": "virtual.example"}
		c.Params = map[string]string{"dedup": "true"}
	})
	for range 20 {
		next(t, s)
	}
	list := f.asked()
	if len(list) < 10 {
		t.Fatalf("%d requests", len(list))
	}
	for _, q := range list {
		r := http.Request{Header: q.header}
		user, password, _ := r.BasicAuth()
		if user != "eve" || password != "hunter2" || q.header.Get("X-Scope-OrgID") != "ops" || q.header.Get("X-From-File") != "yes" ||
			len(q.form["dedup"]) != 1 || q.form["timeout"][0] != "5s" || q.header.Get("User-Agent") != "stormtop" {
			t.Errorf("%s %q: %v %v", q.path, q.query, q.header, q.form)
		}
	}
}

func TestAPathInTheAddressIsKept(t *testing.T) {
	f := newFake(t)
	f.on(func(q request) *canned {
		if !strings.HasPrefix(q.path, "/prometheus/api/v1/query") {
			return &canned{code: 404}
		}
		return nil
	})
	for _, end := range []string{"", "/", "/graph", "/api/v1"} {
		s := f.open(t, func(c *Config) { c.URL = f.URL + "/prometheus" + end })
		if r := next(t, s); r.Blind() || r.Origin.Source != strings.TrimPrefix(f.URL, "http://")+"/prometheus" {
			t.Errorf("%q: %q %+v", end, r.Origin.Source, r.Failures)
		}
	}
}

// BenchmarkPoll polls 8 signals of 10,000 targets over HTTP; the figure holds
// the work of the test server, which only writes a text it already has.
func BenchmarkPoll(b *testing.B) {
	text := body(10_000)
	texts := map[collector.Signal]string{}
	for _, s := range collector.Inputs() {
		texts[s] = "sum by ($by) (rate(x[$window]))"
	}
	server := newTextServer(text)
	defer server.Close()
	s, _, err := Open(Config{URL: server.URL, Clock: &fakeClock{now: epoch}, By: []string{"service"}, Signals: texts, Interval: time.Second})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r, err := s.Next(b.Context())
		if err != nil || len(r.Targets) != 10_000 {
			b.Fatal(err, len(r.Targets), r.Failures)
		}
	}
}
