// Package peer is what the programs of this module share: how they publish
// metrics and their own counts, and when they end.
package peer

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

// Context lives until an interrupt, or until standard input ends, so that a
// program never outlives the test that started it.
func Context() (context.Context, context.CancelFunc) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		defer cancel()
		io.Copy(io.Discard, os.Stdin)
	}()
	return ctx, cancel
}

// Pages is what one listener serves, by path.
type Pages map[string]http.Handler

// Publish serves pages on loopback, each set on a port of its own, until ctx
// ends. The first line on standard output is a JSON object that names the
// address of each.
func Publish(ctx context.Context, all map[string]Pages) error {
	at := map[string]string{}
	for name, pages := range all {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return fmt.Errorf("publish %s on loopback: %w", name, err)
		}
		defer listener.Close()
		at[name] = listener.Addr().String()
		mux := http.NewServeMux()
		for path, page := range pages {
			mux.Handle(path, page)
		}
		go http.Serve(listener, mux)
	}
	if err := json.NewEncoder(os.Stdout).Encode(at); err != nil {
		return fmt.Errorf("say where the metrics are: %w", err)
	}
	<-ctx.Done()
	return nil
}

// Truth serves what the program itself counted, as a JSON object of numbers.
func Truth(count func() map[string]float64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(count())
	})
}

// Exit ends a program with its error, if there is one.
func Exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
