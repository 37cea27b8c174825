package views

import (
	"slices"
	"time"

	"stormtop/alerts/trial"
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

// Query asks what a rule would have done with other numbers.
type Query struct {
	Serial   int // grows; it is told again in the answer
	Snapshot watch.Snapshot
	From, To time.Time            // the readings that are meant, both included
	Rules    []collector.RuleSpec // those in force
	Draft    collector.RuleSpec   // one of them, with other numbers; of people's own its name is the answer's Rule
	Own      string               // OwnRule.ID where it is one of people's own, else ""
	Force    collector.RuleSpec   // of people's own, the rule in force
	Lens     trial.Lens           // with what rates, how often evaluated
}

// JudgedMsg answers a Query. There may be two: the second has the map.
type JudgedMsg struct {
	Serial int
	Answer trial.Answer
}

// Wanted is what a rule file is asked for with.
type Wanted struct {
	Serial   int
	Snapshot watch.Snapshot
	Rules    []collector.RuleSpec
	Own      []OwnDraft     // people's own rules with other numbers than they were read with
	Evidence []trial.Answer // of rules whose numbers were tuned
	Lens     trial.Lens     // with what rates, how often evaluated
}

// IsOwn reports whether a name is that of one of people's own rules in it.
func (w *Wanted) IsOwn(name string) bool {
	return slices.ContainsFunc(w.Own, func(d OwnDraft) bool { return d.Name == name })
}

// OwnDraft is one of people's own rules with other numbers.
type OwnDraft struct {
	ID, Name string
	To       collector.RuleSpec // its threshold, for and keep
}

// ProposalMsg brings a rule file as it would be written. Nothing is written yet.
type ProposalMsg struct {
	Serial     int
	Name       string   // of the file
	Exists     bool     // it is there already
	Same       bool     // and would stay as it is
	Difference string   // what would change, lines that begin with a blank, + or -
	Notes      []string // what is left out and why
}
