package scrape

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/config"

	"stormtop/collector"
)

func TestAddressesAreReadAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string][4]string{ // url, label, instance, note
		"localhost:9100":              {"http://localhost:9100/metrics", "localhost:9100/metrics", "localhost:9100", "scraping localhost:9100/metrics, since the address has no path"},
		" http://H:1/ ":               {"http://h:1/metrics", "h:1/metrics", "h:1", "scraping H:1/metrics, since the address has no path"},
		"https://h/stats?format=prom": {"https://h/stats?format=prom", "h/stats", "h:443", ""},
		"http://u:p@h/m#x":            {"http://h/m", "h/m", "h:80", ""},
	} {
		list, notes, err := parseEndpoints([]string{text})
		if err != nil {
			t.Fatal(err)
		}
		e := list[0]
		if got := [4]string{e.url, e.label, e.instance, strings.Join(notes, "")}; got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestBadConfigurationsAreExplainedWithoutTheirSecrets(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"no address":        {func(c *Config) { c.URLs = nil }, "there is no endpoint to scrape"},
		"an empty one":      {func(c *Config) { c.URLs = []string{"a:1", " "} }, "is empty"},
		"no host":           {func(c *Config) { c.URLs = []string{"http://u:hush@/x"} }, "names no host"},
		"no such scheme":    {func(c *Config) { c.URLs = []string{"ftp://u:hush@h/"} }, "speaks http and https"},
		"no address at all": {func(c *Config) { c.URLs = []string{"http://u:hu%zzhush@h"} }, "is no address"},
		"a slash":           {func(c *Config) { c.URLs = []string{"http://u:1/hush@h:1/"} }, "write / as %2F"},
		"twice":             {func(c *Config) { c.URLs = []string{"a:1", "http://a:1/metrics"} }, "twice"},
		"no clock":          {func(c *Config) { c.Clock = nil }, "no clock"},
		"a short interval":  {func(c *Config) { c.Interval = time.Millisecond }, "the least is 100ms"},
		"an odd interval":   {func(c *Config) { c.Interval = time.Second + 1 }, "whole milliseconds"},
		"a short range":     {func(c *Config) { c.Rate = time.Second }, "--rate=1s holds fewer than two scrapes at --interval=1s: give --rate=2s or more"},
		"a long range":      {func(c *Config) { c.Rate = 3 * time.Hour }, "give --interval=4s or more"},
		"negative":          {func(c *Config) { c.Timeout = -1 }, "cannot be negative"},
		"a bad label":       {func(c *Config) { c.By = []string{"a b"} }, "no name of a label"},
		"a bad header":      {func(c *Config) { c.Headers = map[string]string{"X": "hush\r\nY: 1"} }, "is no header"},
		"two credentials": {func(c *Config) {
			c.URLs = []string{"http://u:hush@h/"}
			c.HTTP = &config.HTTPClientConfig{BasicAuth: &config.BasicAuth{Username: "u", Password: "hush"}}
		}, "keep one of them"},
		"a bad query": {func(c *Config) { c.Signals = map[collector.Signal]string{collector.Ingress: "sum("} }, "--signal ingress: malformed PromQL"},
		"no number":   {func(c *Config) { c.Signals = map[collector.Signal]string{collector.Ingress: "a[5m]"} }, "use rate(...)"},
		"no signal":   {func(c *Config) { c.Signals = map[collector.Signal]string{collector.NoSignal: "a"} }, "there is no none to query"},
	} {
		cfg := Config{URLs: []string{"h:1"}, Clock: newClock()}
		test.change(&cfg)
		_, _, err := Open(cfg)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func TestTheRangeOfTheRatesIsThatOfAPrometheusWithThisSpacing(t *testing.T) {
	for interval, want := range map[time.Duration]time.Duration{
		100 * time.Millisecond: 2 * time.Second, time.Second: 4 * time.Second, 5 * time.Second: 20 * time.Second,
		15 * time.Second: time.Minute, 5 * time.Minute: 20 * time.Minute,
	} {
		cfg := Config{Interval: interval}
		if err := cfg.check(); err != nil || cfg.Rate != want {
			t.Errorf("every %s: %s, %v, want %s", interval, cfg.Rate, err, want)
		}
	}
}

func TestCredentialsAndHeadersAreSentAndNeverShown(t *testing.T) {
	e := expose(t)
	e.text(storm(1, map[string]float64{"orders": 1})...)
	s := open(t, newClock(), func(c *Config) {
		c.URLs = []string{strings.Replace(e.URL, "http://", "http://reader:hush@", 1)}
		c.Headers = map[string]string{"X-Scope-OrgID": "shop", "Host": "other.example"}
	})
	r := next(t, s)
	user, password, _ := e.requests[0].BasicAuth()
	if user != "reader" || password != "hush" || e.requests[0].Header.Get("X-Scope-OrgID") != "shop" || e.requests[0].Host != "other.example" {
		t.Errorf("%v", e.requests[0].Header)
	}
	e.Close()
	shown := r.Origin.Source + next(t, s).Failures[0].Text
	if strings.Contains(shown, "hush") || strings.Contains(shown, "reader") {
		t.Errorf("shown: %s", shown)
	}
}

func TestARedirectIsFollowedOnTheSameServerOnly(t *testing.T) {
	e := expose(t)
	e.serve(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			http.Redirect(w, r, "/actuator/prometheus", http.StatusMovedPermanently)
			return
		}
		w.Write([]byte(strings.Join(storm(1, map[string]float64{"orders": 1}), "\n") + "\n"))
	})
	if r := next(t, open(t, newClock(), nil, e)); r.Blind() {
		t.Errorf("%+v", r.Failures)
	}
	s := open(t, newClock(), func(c *Config) { c.HTTP = &config.HTTPClientConfig{} }, e) // which follows none
	if r := next(t, s); !r.Blind() || !strings.Contains(r.Failures[0].Text, "/actuator/prometheus, which is not followed") {
		t.Errorf("%+v", r.Failures)
	}
}

func TestACertificateThatNobodySignedIsExplained(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	s := open(t, newClock(), func(c *Config) { c.URLs = []string{server.URL, strings.Replace(server.URL, "https", "http", 1) + "/m"} })
	r := next(t, s)
	if text := r.Failures[0].Text; !strings.Contains(text, "certificate is not trusted") || !strings.Contains(text, "400 Bad Request: does it want https?") {
		t.Errorf("%s", text)
	}
	e := expose(t)
	s = open(t, newClock(), func(c *Config) { c.URLs = []string{strings.Replace(e.URL, "http", "https", 1)} })
	if r = next(t, s); !strings.Contains(r.Failures[0].Text, "does not speak TLS: write the address with http://") {
		t.Errorf("%s", r.Failures[0].Text)
	}
}

func TestTheSourceIsNamedByItsEndpoints(t *testing.T) {
	a, b, c := expose(t), expose(t), expose(t)
	s := open(t, newClock(), nil, a, b, c)
	if want := strings.TrimPrefix(a.URL, "http://") + "/metrics and 2 more"; s.name() != want {
		t.Errorf("%s, want %s", s.name(), want)
	}
	a.text(storm(1, map[string]float64{"orders": 1})...)
	b.text(`shop_queue{service="x"} 1`)
	r := next(t, s)
	if !slices.Contains(r.Origin.Groupings, collector.ByInstance) || len(r.Warnings) == 0 {
		t.Errorf("%+v", r.Origin)
	}
}
