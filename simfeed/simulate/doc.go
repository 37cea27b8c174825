// Package simulate is the verb "stormtop simulate": a scenario without a screen,
// as fast as it goes; one run, many seeds, or several policies against the same
// arrivals.
package simulate
