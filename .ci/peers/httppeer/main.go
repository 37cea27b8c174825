// Httppeer is what stands around a proxy under test: the servers behind it and
// the clients in front. It publishes the addresses of the servers, sends its
// load as soon as the proxy answers, and publishes at /truth what clients and
// servers counted. It ends with its standard input.
package main

import (
	"flag"
	"time"

	"stormtop.ci/peers/peer"
)

func main() { peer.Exit(run()) }

func run() error {
	var at entries
	flag.StringVar(&at.edge, "edge", "", "address of the proxy's entry for users")
	flag.StringVar(&at.health, "health", "", "address of an entry that the proxy answers itself")
	flag.StringVar(&at.tunnel, "tunnel", "", "address of an entry that forwards bytes")
	flag.Parse()

	ctx, cancel := peer.Context()
	defer cancel()
	seen := &counts{}
	go load(ctx, at, seen)
	payments := paymentsOf(seen)
	return peer.Publish(ctx, map[string]peer.Pages{
		"payments1": {"/": payments},
		"payments2": {"/": payments},
		"reports":   {"/": reportsOf(seen)},
		"client":    {"/truth": peer.Truth(func() map[string]float64 { return seen.all(time.Now()) })},
	})
}
