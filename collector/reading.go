package collector

import "time"

// Row is one target with its values at one instant.
type Row struct {
	Target   Target
	Values   Values
	Baseline float64 // what its amplification was divided by; 0: none is known, 1 is assumed
}

// Reading is everything a source knows about one instant. It is immutable once
// it was handed out.
type Reading struct {
	At      time.Time // the instant all values belong to (evaluation time, or virtual time)
	Origin  *Origin   // where the numbers come from; never nil
	Total   Row       // the sum over the targets; Target.ID is TotalID
	Targets []Row     // sorted by Target.Name, then ID

	// Newest is the time of the newest sample behind the values, from which the
	// age of the data follows. Zero: not known, only At is.
	Newest time.Time
	// Begins says that what was read before does not apply any more: other targets,
	// or grouped in another way. At may then be earlier than that of the reading before.
	Begins bool
	// Past marks a reading that was filled in at start and was not seen live.
	Past bool
	// Overload is what a simulation knows of itself at this instant.
	Overload Overload
	// InForce are the rules by which it was judged when it was recorded, where it
	// is one of a replay. They are not to be changed.
	InForce []RuleSpec
	// Failures lists what could not be asked; the values concerned are Failed.
	Failures []Failure
	// Warnings are the server's own words and stormtop's remarks, cleaned.
	Warnings []string
	// Reporters is how complete each side is, where that is known.
	Reporters []Reporters
	// Asked is what each query cost, where queries are made.
	Asked []Asked
	// Missed counts the slots since the reading before that were not polled.
	Missed int
	// Cost is what taking this reading cost the server.
	Cost Cost
}

// Row finds a target by ID; TotalID finds the total.
func (r *Reading) Row(id string) (Row, bool) {
	if id == TotalID {
		return r.Total, true
	}
	for i := range r.Targets {
		if r.Targets[i].Target.ID == id {
			return r.Targets[i], true
		}
	}
	return Row{}, false
}

// Blind reports whether nothing at all could be read at this instant.
func (r *Reading) Blind() bool {
	for _, f := range r.Failures {
		if f.Signal == NoSignal {
			return true
		}
	}
	return false
}

// Replayed reports whether the reading is of what is over.
func (r *Reading) Replayed() bool { return r.Origin != nil && r.Origin.Replay }

// Empty reports whether the reading holds no value of any target: nothing could
// be read, or nothing is there yet.
func (r *Reading) Empty() bool { return r.Blind() || len(r.Targets) == 0 }

// Cost is the effort of one poll.
type Cost struct {
	Queries int           // requests sent
	Bytes   int64         // bytes of the answers' bodies, after decompression
	Took    time.Duration // sum of the time spent waiting for answers
}

// Origin describes a source for the header line and for machine formats. It is
// immutable; a source hands out a new one when something in it changes.
type Origin struct {
	Source    string        // cleaned, without credentials: "prom.example:9090", "simulator"
	Profile   string        // the profiles in use, joined by "+", or "" for none
	Simulated bool          // the numbers are invented
	Replay    bool          // the numbers were recorded: what is shown is the past
	Speed     float64       // data seconds for a second of the clock; 0 and 1 mean live
	Interval  time.Duration // time between readings
	RateRange time.Duration // the range of the rates
	Scrape    time.Duration // observed spacing of the samples, 0 when not known
	Drift     time.Duration // the source's clock minus this machine's; all times of a reading are the source's
	Baselines Baselines     // what amplifications are divided by
	Systems   []System      // what the numbers come from, the most trusted first
	Offered   []string      // profiles that have data here and are not judged by
	Grouping  Grouping      // what makes a target
	Groupings []Grouping    // what else could, in order
	Note      string        // a sentence about this source, e.g. why the interval was stretched
}
