package main

import (
	"time"

	"stormtop/collector/prom"
	"stormtop/collector/rulefile"
)

// settings is everything that can be set, after flags, environment and file
// have been merged. A zero value means "not set" where its option says so.
type settings struct {
	prom access // a Prometheus, or anything that speaks its HTTP API

	signals     []pair        // one's own PromQL, by signal
	by          []string      // labels that make the targets
	profiles    []string      // the only systems to judge by, as names or files; nil finds out
	narrow      string        // label matchers that every query is narrowed down by
	edge        prom.EdgePair // sums that make an edge ratio
	replicas    []string      // labels in which series that count the same thing differ; nil: the usual ones
	interval    time.Duration // between readings; 0: the spacing of the samples decides
	rate        time.Duration // range of the rates; 0: four samples or more
	span        time.Duration // time on the screen
	baseline    baseline      // the healthy fan-out
	baselinesOf []pair        // the same of single targets, by name

	from, to moment // the past of a Prometheus instead of the present; the zero moment is not set
	replay   string // a recording, "-" for standard input, "" for none
	loop     bool   // begin the recording again at its end
	record   string // where to write a recording, "" for nowhere
	force    bool   // it may overwrite

	scrape []string // addresses of endpoints that are read without a Prometheus

	sim   string  // the simulation, "" for none
	speed float64 // data seconds for a second of the clock
	seed  seed    // of the simulation's random numbers

	config  string // the configuration file, "" for the usual place
	context string // the context in it, "" for none

	once     bool          // one reading, then exit
	plain    bool          // lines instead of a screen
	duration time.Duration // --for: data time after which to end; 0: never
	format   string        // of --once: text or json
	listen   string        // address of /metrics, "" for none

	rules     thresholds
	rulesFile string // --rules: rules from a file, "" for none

	writeRules string // where a key writes them, "" for the usual place

	onAlert string         // a command that is told of firings, "" for none
	noBell  bool           // the bell stays silent
	export  exportSettings // of the verbs rules and tune
	tuning  tuningSettings // of the verb tune; the incidents of the screen, too

	glyphs  string // auto, braille, block, ascii
	theme   string // auto, dark, light
	noColor bool

	printConfig, version, help bool
}

// kind is the kind of source that was named; simulatedSource where none was.
func (s settings) kind() sourceKind {
	switch {
	case s.prom.url != "":
		return promSource
	case len(s.scrape) > 0:
		return scrapeSource
	case s.replay != "":
		return replaySource
	}
	return simulatedSource
}

// past reports whether a Prometheus is asked for its past.
func (s settings) past() bool { return s.kind() == promSource && s.from.kind != noMoment }

// unasked reports whether nobody named a source.
func (s settings) unasked() bool { return s.kind() == simulatedSource && s.sim == "" }

// live is the measured source that was named, "" for none.
func (s settings) live() string {
	if s.prom.url == "" && len(s.scrape) > 0 {
		return s.scrape[0]
	}
	return s.prom.url
}

// access says where a Prometheus is and how to be let in.
type access struct {
	url        string
	httpConfig string // file with the ecosystem's HTTP client configuration
	headers    []pair // one's own headers; the values are secrets
	params     []pair // added to every request
}

// seed is a seed that may have been given.
type seed struct {
	given bool
	n     int64
}

// or is the seed, n where none was given.
func (s seed) or(n int64) int64 {
	if s.given {
		return s.n
	}
	return n
}

// pair is one NAME=VALUE.
type pair struct{ name, value string }

// thresholds are the numbers of the documented rules.
type thresholds struct {
	amplification, retryRate, atLimit threshold

	minTraffic float64 // per second
}

// threshold is what a rule compares with, in its signal's unit, and how long
// the condition must hold.
type threshold struct {
	above float64
	hold  time.Duration
}

// exportSettings say how rules are written for a server.
type exportSettings struct {
	prefix    string // of the names of the alerts
	helm      bool   // braces that Helm would take for its own are escaped
	resource  string // the name of the PrometheusRule
	namespace string // of it
	output    string // the file to write, "" for standard output
	noData    time.Duration

	// Of a file that is written again:
	interval            time.Duration   // of the groups
	labels, annotations []rulefile.Pair // of its PrometheusRule
}

// tuningSettings say what is judged by what.
type tuningSettings struct {
	incidents    []window      // --incident
	incidentFile string        // --incident-file
	alerts       []string      // alerts of the server whose firing is the truth
	only         []string      // rules to look at, nil: all
	server       bool          // the server's own rules, too
	seeds        []int64       // of a simulation, one history each
	judge        []int64       // seeds to judge the recommendation on
	evaluate     time.Duration // interval of the evaluations; 0: the readings'
	grid         bool          // show the landscape
	steps        bool          // list the episodes
	output       string        // rules with the recommended numbers, "" for none
}

// window is a stretch of time as somebody wrote it.
type window struct {
	from, to moment
	text     string // what was said of it, "" for nothing
}
