package prom

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	password = "hunter2/@secret"
	token    = "tok-1234567890"
)

// ways are the ways in which a person can give credentials.
func ways(t *testing.T) map[string]func(f *fakeProm, c *Config) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("password", password)
	file("token", token)
	http := func(name, text string) func(*fakeProm, *Config) {
		path := file(name, text)
		return func(_ *fakeProm, c *Config) { c.HTTPFile = path }
	}
	return map[string]func(f *fakeProm, c *Config){
		"the address": func(f *fakeProm, c *Config) {
			c.URL = strings.Replace(f.URL, "://", "://eve:"+url.QueryEscape(password)+"@", 1)
		},
		"a password":              http("a.yml", "basic_auth: {username: eve, password: '"+password+"'}"),
		"a password file":         http("b.yml", "basic_auth: {username: eve, password_file: password}"),
		"a bearer token":          http("c.yml", "authorization: {credentials: "+token+"}"),
		"a bearer token file":     http("d.yml", "authorization: {credentials_file: token}"),
		"an old bearer token":     http("e.yml", "bearer_token: "+token),
		"a header":                http("f.yml", "http_headers: {X-Token: {values: ["+token+"]}}"),
		"a secret header":         http("g.yml", "http_headers: {X-Token: {secrets: ["+token+"]}}"),
		"a header from a file":    http("h.yml", "http_headers: {X-Token: {files: [token]}}"),
		"--prom.header":           func(_ *fakeProm, c *Config) { c.Headers = map[string]string{"X-Token": token} },
		"--prom.header of a user": func(_ *fakeProm, c *Config) { c.Headers = map[string]string{"Authorization": "Basic " + basic()} },
		"--prom.param":            func(_ *fakeProm, c *Config) { c.Params = map[string]string{"api_key": token} },
	}
}

func basic() string { return base64.StdEncoding.EncodeToString([]byte("eve:" + password)) }

// echo is all that a server was sent, as it might repeat it.
func echo(q request) string {
	text := "you sent"
	for name, v := range q.header {
		if name != "User-Agent" && name != "Content-Type" {
			text += fmt.Sprintf(" %s=%s", name, v)
		}
	}
	for name, v := range q.form {
		if name != "query" {
			text += fmt.Sprintf(" %s=%s", name, v)
		}
	}
	if q.header.Get("Authorization") == "Basic "+basic() {
		r := http.Request{Header: q.header}
		user, pass, _ := r.BasicAuth()
		text += fmt.Sprintf(" as %s with %s from http://%s:%s@host/", user, pass, user, url.QueryEscape(pass))
	}
	return text
}

// answers are the ways in which a server can repeat it, or fail.
func answers() map[string]func(q request) *canned {
	out := map[string]func(q request) *canned{
		"a warning": func(q request) *canned {
			note, _ := json.Marshal(echo(q))
			return &canned{body: `{"warnings":[` + string(note) + `],"infos":[` + string(note) + `],"status":"success","data":{"resultType":"vector","result":[{"metric":{"service":"orders"},"value":[1,"1"]}]}}`}
		},
		"broken JSON": func(q request) *canned { return &canned{body: `{"status":"success","data":"` + echo(q)} },
		"text":        func(q request) *canned { return &canned{body: echo(q)} },
		"a page": func(q request) *canned {
			return &canned{body: "<html>" + echo(q), header: map[string]string{"Content-Type": "text/html"}}
		},
		"a redirect to another host": func(q request) *canned {
			return &canned{code: 307, header: map[string]string{"Location": "http://eve:" + url.QueryEscape(password) + "@elsewhere.example/?t=" + token}}
		},
		"a redirect to nowhere": func(q request) *canned {
			return &canned{code: 302, header: map[string]string{"Location": "http://" + token + ":x" + token + "/"}}
		},
		"a redirect in a circle": func(q request) *canned {
			return &canned{code: 308, header: map[string]string{"Location": q.path + "?t=" + token}}
		},
		"a header that is none":    func(q request) *canned { return &canned{header: map[string]string{"Content-Length": "99999"}} },
		"a token at the cut":       func(q request) *canned { return &canned{code: 502, body: strings.Repeat("x", 193) + echo(q)} },
		"a long error with it":     func(q request) *canned { return errorOf(400, "bad_data", strings.Repeat("x", 590)+echo(q)) },
		"success that is an error": func(q request) *canned { return errorOf(0, "bad_data", echo(q)) },
	}
	for _, code := range []int{400, 401, 403, 404, 405, 408, 413, 418, 422, 429, 500, 501, 502, 503, 504, 599} {
		out[fmt.Sprintf("%d with text", code)] = func(q request) *canned { return &canned{code: code, body: echo(q)} }
		out[fmt.Sprintf("%d with an error", code)] = func(q request) *canned { return errorOf(code, "execution", echo(q)) }
	}
	return out
}

func errorOf(code int, kind, text string) *canned {
	body, _ := json.Marshal(map[string]string{"status": "error", "errorType": kind, "error": text})
	return &canned{code: code, body: string(body)}
}

// TestCredentialsNeverShow: however they were given, whatever the server makes
// of them, and whether it does so from the start or later.
func TestCredentialsNeverShow(t *testing.T) {
	shows := func(t *testing.T, what, text string) {
		t.Helper()
		for _, secret := range []string{password, token, url.QueryEscape(password), url.PathEscape(password), basic(), "hunter2", "tok-123", "ZXZlOmh1"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: %q shows in %q", what, secret, text)
			}
		}
	}
	for way, give := range ways(t) {
		t.Run(way, func(t *testing.T) {
			f := newFake(t)
			for name, answer := range answers() {
				var told strings.Builder
				cfg := f.config()
				cfg.Span = time.Minute
				cfg.Progress = func(p Progress) { told.WriteString(p.String()) }
				give(f, &cfg)
				s, notes, err := Open(cfg)
				if err != nil {
					t.Fatal(err)
				}
				f.on(nil)
				for range len(name) % 2 * 13 { // for one half of them all is well at first
					next(t, s)
				}
				f.on(answer)
				for range 2 {
					r := next(t, s)
					fmt.Fprintf(&told, "%+v %+v %q", *r.Origin, r.Failures, r.Warnings)
					if s.blocked {
						s.Retry()
						s.clockless()
					}
				}
				shows(t, name, told.String()+strings.Join(notes, " "))
			}
			if list := f.asked(); len(list) == 0 {
				t.Error("nothing was asked")
			}
		})
	}
}

func TestCredentialsNeverShowWhenThereIsNoAnswer(t *testing.T) {
	for way, give := range ways(t) {
		f := newFake(t)
		cfg := f.config()
		give(f, &cfg)
		cfg.Timeout = 20 * time.Millisecond
		s, _, err := Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		release := make(chan struct{})
		f.on(func(request) *canned { <-release; return nil })
		late := next(t, s)
		close(release)
		f.Close()
		gone, err := s.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("%+v %+v %+v %+v", late.Failures, gone.Failures, *late.Origin, *gone.Origin)
		if strings.Contains(text, "hunter2") || strings.Contains(text, "tok-123") || strings.Contains(text, basic()) {
			t.Errorf("%s: %s", way, text)
		}
	}
}

// TestCredentialsInAConfigurationThatIsRefusedNeverShow: the YAML parser and
// net/url quote what they cannot read.
func TestCredentialsInAConfigurationThatIsRefusedNeverShow(t *testing.T) {
	for name, text := range map[string]string{
		"a proxy without a port":   "proxy_url: 'http://eve:hunter2secret@proxy:port'",
		"a password as a list":     "basic_auth: {password: [hunter2secret]}",
		"credentials as text":      "authorization: hunter2secret",
		"a password and its file":  "basic_auth: {username: x, password: hunter2secret, password_file: x}",
		"a header that is refused": "http_headers: {Authorization: {values: [hunter2secret]}}",
		"a bad token address":      "oauth2: {client_id: x, client_secret: hunter2secret, token_url: 'http://eve:hunter2secret@%zz'}",
		"two kinds":                "basic_auth: {username: x, password: hunter2secret}\nbearer_token: hunter2secret",
		"a bad TLS version":        "basic_auth: {username: x, password: hunter2secret}\ntls_config: {min_version: TLS9}",
		"no such CA":               "basic_auth: {username: x, password: hunter2secret}\ntls_config: {ca_file: nosuch}",
	} {
		path := filepath.Join(t.TempDir(), "http.yml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, _, err := Open(Config{URL: "http://h.invalid", HTTPFile: path, Clock: &fakeClock{now: epoch}, Timeout: 50 * time.Millisecond})
		said := fmt.Sprint(err)
		if err == nil {
			said = fmt.Sprint(next(t, s).Failures)
		}
		if strings.Contains(said, "hunter2") {
			t.Errorf("%s: %s", name, said)
		}
	}
}
