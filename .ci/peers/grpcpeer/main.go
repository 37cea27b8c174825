// Grpcpeer is a gRPC client and its server in one process: a constant rate of
// calls, a share of the attempts refused, a retry policy, and the OpenTelemetry
// metrics that both sides have of themselves. It publishes the client's and the
// server's metrics apart, as two processes would, and at /truth what it counted
// without them. It ends with its standard input.
package main

import (
	"context"
	"flag"
	"fmt"

	"stormtop.ci/peers/peer"
)

func main() { peer.Exit(run()) }

func run() error {
	pace := flag.Float64("rate", 100, "calls a second")
	share := flag.Float64("fail", 0.4, "share of the attempts that are answered UNAVAILABLE")
	attempts := flag.Int("attempts", 3, "attempts a call may make")
	names := flag.String("names", "default", "how the exporter spells the metrics: default, underscores, nosuffixes, dots, plain")
	flag.Parse()

	ctx, cancel := peer.Context()
	defer cancel()
	seen := &counts{}
	serverMeter, err := newMeter(*names)
	if err != nil {
		return err
	}
	clientMeter, err := newMeter(*names)
	if err != nil {
		return err
	}
	address, stop, err := serve(seen, peer.Share(*share), *attempts, serverMeter.provider)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer stop()
	conn, err := dial(address, *attempts, clientMeter.provider)
	if err != nil {
		return fmt.Errorf("dial %s: %w", address, err)
	}
	defer conn.Close()
	caller := newCaller(conn, seen)
	go peer.Drive(ctx, peer.Pace(*pace), 100, func(ctx context.Context) { caller.call(ctx) })

	return peer.Publish(ctx, map[string]peer.Pages{
		"client": {"/metrics": clientMeter.page, "/truth": peer.Truth(seen.all)},
		"server": {"/metrics": serverMeter.page},
	})
}
