package collector

import "time"

// Played is a source that plays what is over, at the speed that Origin.Speed
// tells, and can be steered meanwhile. Its methods may be called from any
// goroutine and do not block.
type Played interface {
	// Seek goes to an instant of the data, or to the nearest that there is: what
	// is before it comes as Past, the first reading of that Begins, then the one at
	// that instant comes at once, also while it is paused.
	Seek(to time.Time)
	// SetSpeed plays on at so many data seconds a second.
	SetSpeed(speed float64)
	Pause()
	Resume()
}
