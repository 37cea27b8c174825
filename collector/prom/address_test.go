package prom

import (
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for in, want := range map[string]string{
		"prom.example:9090":                             "http://prom.example:9090",
		"http://h/prometheus":                           "http://h/prometheus",
		"http://h/prometheus/":                          "http://h/prometheus",
		"http://h/prometheus//":                         "http://h/prometheus",
		"http://h/prometheus/graph":                     "http://h/prometheus !",
		"http://h/prometheus/graph?g0.expr=up":          "http://h/prometheus !",
		"http://h/prometheus/api/v1":                    "http://h/prometheus !",
		"http://h/prometheus/api/v1/":                   "http://h/prometheus !",
		"http://h/prometheus/api/v1/query":              "http://h/prometheus !",
		"http://h/query":                                "http://h !",
		"https://H.Example/api/datasources/proxy/uid/x": "https://h.example/api/datasources/proxy/uid/x",
		"  http://h  ":                                  "http://h",
		"eve:pw@h:1":                                    "http://h:1",
		"https://eve:p%40w@h":                           "https://h",
		"[::1]:9090":                                    "http://[::1]:9090",
		"http://h:1/a%40b":                              "http://h:1/a@b",
		"http://h/a@b":                                  "http://h/a@b",
		"http://h:1/graph?g0.expr=up@1":                 "http://h:1 !",
	} {
		a, notes, err := parseAddress(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		got := a.url.String()
		if len(notes) > 0 {
			got += " !"
		}
		if got != want {
			t.Errorf("%s: %s, want %s (%q)", in, got, want, notes)
		}
		if strings.Contains(in, "eve:") && (a.user.Username() != "eve" || strings.Contains(a.label(), "eve")) {
			t.Errorf("%s: user %v, label %s", in, a.user, a.label())
		}
	}
}

func TestAddressesThatAreRefusedNeverRepeatThePassword(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "--prom=http://HOST:PORT",
		"ftp://eve:hunter2@h":       "speaks http and https, not ftp",
		"unix:///run/x":             "not unix",
		"http://":                   "names no host",
		"http://:9090":              "names no host",
		"http://eve:hunter2@":       "names no host",
		"http://eve:hunt%er2@h":     "is no address",
		"http://eve:hunter2@h:port": "invalid port",
		"eve:hunter2@h:port":        "invalid port",
		"http://h:99\x00/":          "invalid control character",
		"http://eve:hunt/er2@h:1":   "invalid port",
		"http://eve:hunt#er2@h:1":   "invalid port",
		"eve:hunt?er2@h":            "invalid port",
		"http://eve:1/hunter2@h":    "write / as %2F",
		"http://eve:1?hunter2@h":    "write / as %2F",
		"http://eve:1#hunter2@h":    "write / as %2F",
	} {
		_, _, err := parseAddress(in)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunt") || strings.Contains(err.Error(), "eve") {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestURLsAreMasked(t *testing.T) {
	for in, want := range map[string]string{
		"http://eve:pw@h/x":                         "http://h/x",
		`Get "https://eve:p@w@h:1/x": dial tcp`:     `Get "https://h:1/x": dial tcp`,
		"a http://token@h and http://x:y@z":         "a http://h and http://z",
		"mail me@example":                           "mail me@example",
		"http://h/@x":                               "http://h/@x",
		"no address":                                "no address",
		"https://h/path?user=a@b":                   "https://h/path?user=a@b",
		"http://user:pa%2Fss@prom.example:9090/a/b": "http://prom.example:9090/a/b",
	} {
		if got := maskURLs(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSecretsAreMaskedInTheirForms(t *testing.T) {
	var s secrets
	s.add("pw")
	s.add("p@ss word/1")
	for in, want := range map[string]string{
		"the word pw, not spwan":      "the word ***, not spwan",
		"p@ss word/1":                 "***",
		"x=p%40ss+word%2F1":           "x=***",
		"cEBzcyB3b3JkLzE= is no help": "*** is no help",
		"from http://a:b@h\x1b[31m\r": "from http://h\ufffd[31m\ufffd",
	} {
		if got := s.mask(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
