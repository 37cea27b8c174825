// Sqlpeer is a database/sql pool with more workers than connections, over a
// driver that does nothing but take its time. It publishes what client_golang's
// collector says of the pool, and at /truth what the workers measured
// themselves. It ends with its standard input.
package main

import (
	"database/sql"
	"flag"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"stormtop.ci/peers/peer"
)

func main() { peer.Exit(run()) }

func run() error {
	name := flag.String("db", "orders", "name of the database")
	connections := flag.Int("connections", 4, "connections that may be open")
	workers := flag.Int("workers", 12, "workers that share them")
	latency := flag.Duration("latency", 20*time.Millisecond, "time a statement takes")
	flag.Parse()

	ctx, cancel := peer.Context()
	defer cancel()
	db := sql.OpenDB(&slow{latency: *latency})
	defer db.Close()
	db.SetMaxOpenConns(*connections)
	db.SetMaxIdleConns(*connections)
	registry := prometheus.NewRegistry()
	if err := registry.Register(collectors.NewDBStatsCollector(db, *name)); err != nil {
		return err
	}
	var queue peer.Queue
	for range *workers {
		go work(ctx, db, &queue)
	}
	return peer.Publish(ctx, map[string]peer.Pages{"client": {
		"/metrics": promhttp.HandlerFor(registry, promhttp.HandlerOpts{}),
		"/truth":   peer.Truth(func() map[string]float64 { return queue.Count(time.Now()) }),
	}})
}
