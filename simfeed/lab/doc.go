// Package lab is the outage lab: a fixed number of clients asks once a second,
// the dependency has a total outage for a few seconds, and a retry strategy
// decides what comes of it.
//
// The model is small and exact. Seconds are processed in order, within a
// second the clients in order, and each request runs to its end, all its
// attempts included, before the next client starts; attempts that have to wait
// are charged to later seconds. So a second is final once all its own clients
// were processed, and Engine can be stepped second by second. Run does nothing
// but step it to the end.
//
// Everything follows from a Config and its seed; there is no clock. Feed plays
// engines as a collector.Source, at the pace of a clock that its caller hands
// in.
package lab
