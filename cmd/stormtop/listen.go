package main

import (
	"context"

	"stormtop/collector"
	"stormtop/collector/expose"
)

// publish starts /metrics on an address and returns src decorated so that it
// shows every reading there, and where that is, for a person. raw is the same
// source without decorators, which hide its counters. wait blocks until the
// server is done, which it is soon after ctx is.
func publish(ctx context.Context, address string, src, raw collector.Source) (out collector.Source, where string, wait func() error, err error) {
	exporter := expose.New(raw, buildVersion())
	server, err := expose.Listen(ctx, address, exporter)
	if err != nil {
		return nil, "", nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- guard(func() error { return server.Serve(ctx) }) }()
	out = around(src, func(ctx context.Context) (*collector.Reading, error) {
		r, err := src.Next(ctx)
		if err == nil {
			exporter.Update(r)
		}
		return r, err
	})
	where = server.URL()
	if server.Everywhere() {
		where += " and every other address of this machine"
	}
	return out, where, func() error { return <-ended }, nil
}
