package doctor

import (
	"time"

	"stormtop/collector"
)

// Level says how bad a finding is.
type Level uint8

// The levels, in ascending order. A report with a Gap or worse is not complete.
const (
	OK     Level = iota // as it should be
	Note                // worth knowing, nothing to do
	Gap                 // something is missing or may mislead, and there is a remedy
	Broken              // a number is wrong or cannot be had at all
)

var levelNames = [...]string{OK: "ok", Note: "note", Gap: "gap", Broken: "broken"}

// String is the name used in JSON.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return "?"
}

// What a finding is about, as it stands in front of it and in JSON.
const (
	TopicServer    = "server"    // the connection
	TopicClock     = "clock"     // its clock against ours
	TopicDedup     = "dedup"     // what is sent to a server that merges replicas
	TopicData      = "data"      // whether there is any
	TopicPartial   = "partial"   // answers of which the server says that parts are absent
	TopicProfile   = "profile"   // the profile itself
	TopicExamine   = "series"    // the series behind the signals
	TopicSpacing   = "spacing"   // the distance of samples, and the rate range it allows
	TopicAge       = "age"       // the age of the newest sample
	TopicReporters = "reporters" // how many of its usual reporters a side has
	TopicReplicas  = "replicas"  // series that are there several times
	TopicJobs      = "jobs"      // jobs that scrape the same instance
	TopicGrouping  = "grouping"  // labels that join the grouping, or are missing from series
	TopicLabels    = "labels"    // one metric with two label sets
	TopicTargets   = "targets"   // targets that the sides share
	TopicEdge      = "edge"      // the pair of sums seen from the users
	TopicRatio     = "ratio"     // whether there is one at all
	TopicPoll      = "poll"      // what a poll costs
)

// Finding is one thing that was found out. Text and Remedy are cleaned.
type Finding struct {
	Level  Level
	Topic  string
	Text   string // what is so, in a sentence without a full stop
	Remedy string // what to do, in the imperative; never "" on a Gap or worse
}

func (f Finding) cleaned() Finding {
	f.Text, f.Remedy = collector.Clean(f.Text), collector.Clean(f.Remedy)
	return f
}

// Report is what an examination found out. It is immutable.
type Report struct {
	Server    string        // the server's address, without credentials
	Tenant    string        // the tenant that was asked as, or ""
	At        time.Time     // the server's time of the examination; zero: not known
	Drift     time.Duration // the server's clock minus ours, where DriftSeen
	DriftSeen bool
	Thanos    bool
	NoData    bool      // unreachable, or nothing to judge by: the exit status is 3
	Findings  []Finding // about the server as a whole
	Systems   []System  // those judged by first
	Poll      Poll
	Cost      collector.Cost // of the whole examination
}

// The exit statuses of the verb.
const (
	ExitComplete = 0 // every signal that the systems can export is there and can be relied on
	ExitGaps     = 1 // there is something to do
	ExitUsage    = 2 // never the outcome of an examination
	ExitNoData   = 3 // the server cannot be reached, or has no data of any known system
)

// ExitStatus is the exit status that the report asks for: 0, 1 or 3.
func (r Report) ExitStatus() int {
	switch {
	case r.NoData:
		return ExitNoData
	case r.Gaps() > 0:
		return ExitGaps
	}
	return ExitComplete
}

// Gaps counts the findings that ask for something to be done.
func (r Report) Gaps() int {
	n := 0
	count := func(f Finding) {
		if f.Level >= Gap {
			n++
		}
	}
	for _, f := range r.Findings {
		count(f)
	}
	for _, sys := range r.Systems {
		for _, s := range sys.Signals {
			count(s.Finding)
		}
		for _, f := range sys.Findings {
			count(f)
		}
	}
	return n
}
