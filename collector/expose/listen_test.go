package expose

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

func get(t *testing.T, method, url string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func TestAnAddressWithoutAHostIsLoopbackAndThePortIsGivenBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := Listen(ctx, ":0", New(fake{}, "v0"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(s.URL(), "http://127.0.0.1:") || !strings.HasSuffix(s.URL(), "/metrics") {
		t.Errorf("URL %s, want loopback", s.URL())
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	if status, body := get(t, "GET", s.URL()); status != 200 {
		t.Errorf("metrics: %d %s", status, body)
	}
	root := strings.TrimSuffix(s.URL(), "metrics")
	if status, body := get(t, "GET", root); status != 200 || !strings.Contains(body, `href="/metrics"`) {
		t.Errorf("index: %d %s", status, body)
	}
	if status, _ := get(t, "GET", root+"other"); status != http.StatusNotFound {
		t.Errorf("another path: %d, want 404", status)
	}
	if status, _ := get(t, "POST", s.URL()); status != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d, want 405", status)
	}
	cancel()
	if err := <-served; err != nil {
		t.Errorf("after the end of the context: %v", err)
	}
	again, err := net.Listen("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatalf("the port is not free after Serve returned: %v", err)
	}
	again.Close()
}

func TestServeAfterTheEndGivesThePortBack(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Listen(ctx, "localhost:0", New(nil, "v0"))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.Serve(ctx); err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", s.listener.Addr().String()); err == nil {
		c.Close()
		t.Error("the port still answers")
	}
}

func TestABadAddressIsOneSentenceWithARemedy(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for address, want := range map[string]string{
		"":                      "such as 127.0.0.1:9477",
		"9477":                  "such as 127.0.0.1:9477",
		"127.0.0.1":             "such as 127.0.0.1:9477",
		"http://127.0.0.1:9477": "URL or path",
		"127.0.0.1:http":        "port must be a number",
		"127.0.0.1:70000":       "port must be a number",
		"127.0.0.1:-1":          "port must be a number",
		"[::1:9477":             "such as 127.0.0.1:9477",
		"203.0.113.7:0":         "no such address",
		"nowhere.invalid:0":     "always works",
		"user:secret@h:1":       "***@h",
		taken.Addr().String():   "another program uses that port",
	} {
		s, err := Listen(t.Context(), address, New(nil, "v0"))
		if err == nil {
			s.listener.Close()
			t.Errorf("%q: no error", address)
			continue
		}
		if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") ||
			strings.Contains(err.Error(), "listen tcp") || strings.Contains(err.Error(), "lookup") {
			t.Errorf("%q: %v, want %q in it", address, err, want)
		}
	}
}

func TestWhatTheOperatingSystemSaidIsWrapped(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, err = Listen(t.Context(), taken.Addr().String(), New(nil, "v0"))
	var sentence *ListenError
	if !errors.As(err, &sentence) || !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("%v", err)
	}
}

func TestTheAddressThatIsReportedCanBePasted(t *testing.T) {
	for address, want := range map[string]struct {
		prefix     string
		everywhere bool
	}{
		"0.0.0.0:0":   {"http://127.0.0.1:", true},
		"127.0.0.1:0": {"http://127.0.0.1:", false},
		":0":          {"http://127.0.0.1:", false},
		"[::]:0":      {"http://[::1]:", true},
		"[::1]:0":     {"http://[::1]:", false},
	} {
		s, err := Listen(t.Context(), address, New(nil, "v0"))
		if err != nil && strings.HasPrefix(address, "[") {
			t.Logf("this machine has no addresses of version 6: %v", err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(s.URL(), want.prefix) || s.Everywhere() != want.everywhere {
			t.Errorf("%s is reported as %s, everywhere: %v", address, s.URL(), s.Everywhere())
		}
		s.listener.Close()
	}
}
