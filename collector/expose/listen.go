package expose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"

	"stormtop/collector"
)

const loopback = "127.0.0.1"

// Server serves an Exporter on an address that is already bound.
type Server struct {
	listener net.Listener
	http     *http.Server
}

// Listen binds address ("127.0.0.1:9477"; without a host, ":9477", it is
// loopback; port 0 chooses a free one) for Serve. Metrics are at /metrics. The
// error is one sentence that says what to do. Serve must be called: it answers
// and in the end gives the port back. ctx is for the look-up of the host's name.
func Listen(ctx context.Context, address string, e *Exporter) (*Server, error) {
	host, port, err := splitAddress(address)
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	network := "tcp"
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		network = "tcp4" // else 0.0.0.0 would be all addresses of version 6, too
	}
	listener, err := config.Listen(ctx, network, net.JoinHostPort(host, port))
	if err != nil {
		return nil, bindError(net.JoinHostPort(host, port), err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", e.Handler())
	mux.HandleFunc("GET /{$}", index)
	return &Server{listener: listener, http: &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		// Nothing may write over the screen; a client that misbehaves sees it itself.
		ErrorLog: log.New(io.Discard, "", 0),
	}}, nil
}

// URL is where the metrics are, for a program on this machine: where the server
// listens on all addresses, it is loopback.
func (s *Server) URL() string {
	address := s.listener.Addr().String()
	if at := s.address(); at.Addr().IsUnspecified() {
		ip := netip.IPv6Loopback()
		if at.Addr().Is4() {
			ip = netip.MustParseAddr(loopback)
		}
		address = netip.AddrPortFrom(ip, at.Port()).String()
	}
	return "http://" + address + "/metrics"
}

// Everywhere reports whether the server listens on all addresses of the machine.
func (s *Server) Everywhere() bool { return s.address().Addr().IsUnspecified() }

// address is where the server listens.
func (s *Server) address() netip.AddrPort {
	at, err := netip.ParseAddrPort(s.listener.Addr().String())
	if err != nil {
		return netip.AddrPort{}
	}
	return at
}

// Serve answers until ctx is done and what was under way is answered, at most
// two seconds longer. It returns nil then, and an error only when the listener
// fails by itself. It is called once; the port is free when it returns.
func (s *Server) Serve(ctx context.Context) error {
	drained := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(drained)
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		if s.http.Shutdown(grace) != nil {
			s.http.Close()
		}
	})
	err := s.http.Serve(s.listener)
	if !stop() {
		<-drained
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serving metrics on %s: %w", s.listener.Addr(), err)
}

func splitAddress(address string) (host, port string, err error) {
	const remedy = "give --listen host:port, such as " + loopback + ":9477"
	if strings.Contains(address, "/") {
		return "", "", fmt.Errorf("cannot listen on %s: it is no address but a URL or path; %s", collector.Quote(address), remedy)
	}
	host, port, err = net.SplitHostPort(address)
	if err != nil {
		return "", "", fmt.Errorf("cannot listen on %s: %s", collector.Quote(address), remedy)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n > 65535 {
		return "", "", fmt.Errorf("cannot listen on %s: the port must be a number from 0 to 65535; %s", collector.Quote(address), remedy)
	}
	if host == "" {
		host = loopback
	}
	return host, port, nil
}

func bindError(address string, err error) error {
	address = collector.Clean(address)
	var dns *net.DNSError
	var number syscall.Errno
	why := "it is no address that can be bound; " + loopback + " always works"
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		why = "another program uses that port; choose another one, or port 0 for any free one"
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		why = "not permitted; choose a port above 1023"
	case errors.As(err, &dns):
		why = "the name " + collector.Clean(dns.Name) + " is not known; " + loopback + " always works"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		why = "this machine has no such address; " + loopback + " always works"
	case errors.As(err, &number):
		why = number.Error() + "; " + loopback + " always works"
	}
	return &ListenError{text: "cannot listen on " + address + ": " + why, err: err}
}

// ListenError is why an address could not be bound: one sentence for a person.
// It wraps what the operating system said.
type ListenError struct {
	text string
	err  error
}

// Error is the sentence.
func (e *ListenError) Error() string { return e.text }

// Unwrap is what the operating system said.
func (e *ListenError) Unwrap() error { return e.err }

func index(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(w, `<!doctype html><title>stormtop</title><p>stormtop publishes its signals at <a href="/metrics">/metrics</a>.</p>`+"\n")
}
