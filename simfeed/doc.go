// Package simfeed holds what the simulators below it share: the pace at which
// a simulation plays behind a screen, and the seeds of one that plays again and
// again. A simulation itself knows no clock.
package simfeed
