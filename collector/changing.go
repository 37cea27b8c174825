package collector

// Changing is a source whose system changes while it is watched, and that knows
// it: a simulation, whose faults begin and end by its timeline.
type Changing interface {
	// Changed is what changed by itself in the second of the newest reading, a
	// line each, in its order; nothing for a reading of the past. What somebody asked
	// for is not among it. It belongs to the goroutine that calls Next.
	Changed() []string
}
