// Package play plays a scenario of the chain simulator as a collector.Source:
// a reading for each virtual second, at the pace of a clock that its caller
// hands in. While it plays, it can be steered (collector.Rigged), and it has the
// raw counters that the services would have in production.
package play
