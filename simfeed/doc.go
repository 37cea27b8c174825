// Package simfeed holds what the simulators below it share: the pace at which
// a simulation plays behind a screen. A simulation itself knows no clock.
package simfeed
