package main

import (
	"io"
	"testing"
	"time"

	"stormtop/collector/promtest"
)

// load starts a Prometheus that holds the OpenMetrics text that is written and
// scrapes nothing.
func load(t *testing.T, c promtest.Toolchain, write func(io.Writer) error) *server {
	t.Helper()
	dir := t.TempDir()
	c.Backfill(t, dir, write)
	s := &server{promtest.Start(t, c.Prometheus, dir, ""), t}
	s.Ready()
	return s
}

// plot starts a Prometheus that holds the series.
func plot(t *testing.T, c promtest.Toolchain, series []plotted) *server {
	t.Helper()
	return load(t, c, func(w io.Writer) error { return writeOpenMetrics(w, series, time.Now()) })
}
