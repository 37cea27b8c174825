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
