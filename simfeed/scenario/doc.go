// Package scenario reads scenario files for the chain simulator and has those
// that are built in.
//
// A file is YAML. Its classes, services and edges are written as their paths in
// package chain, a level a dot:
//
//	edges:
//	  gateway>order: {attempts: 3, timeout: 2s, backoff: {kind: fixed, base: 50ms}}
//
// is edges.gateway>order.attempts and so on. An unknown field is an error, and
// every error has a line and a column. Anchors and aliases are not read.
package scenario
