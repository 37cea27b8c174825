package views

import (
	"time"

	"stormtop/alerts/watch"
	"stormtop/collector"
)

// SnapshotMsg brings a new picture of the world, and the clock's time.
type SnapshotMsg struct {
	Snapshot watch.Snapshot
	At       time.Time // zero: the time is that of the last TickMsg
}

// ProgressMsg says what a source is doing before its first reading.
type ProgressMsg struct{ Text string }

// RigMsg brings a new picture of the simulation that Options.Rig steers.
type RigMsg struct{ Rig *collector.Rig }

// EndedMsg says that the source has no more readings, or, where it was sent back
// from its end, that there are more.
type EndedMsg struct{ On bool }

// RecordingMsg says whether what is seen is written down.
type RecordingMsg struct {
	On     bool
	Failed bool // the last recording ended though nobody ended it
}

// TickMsg brings the time of the clock, about once a second.
type TickMsg struct{ At time.Time }

// CallersMsg brings the rates of a target by who calls it.
type CallersMsg struct {
	ID   string          // Target.ID
	Rows []collector.Row // one a caller, most attempts first; nil where the metrics do not name it
	Note string          // why rows or the past of the target did not come; "" when nothing went wrong
}

// NoticeMsg is a sentence that answers a key. It stands until the next key, or
// until it is out of date.
type NoticeMsg struct {
	Text string
	Bad  bool // what was asked for was not done
}
