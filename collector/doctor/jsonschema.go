package doctor

// jsonReport is the schema stormtop/doctor/v1, in the order it is written.
type jsonReport struct {
	Schema   string        `json:"schema"`
	Server   string        `json:"server"`
	Tenant   *string       `json:"tenant"`
	At       *string       `json:"at"`
	Drift    *string       `json:"clock_difference"`
	Thanos   bool          `json:"thanos"`
	Verdict  string        `json:"verdict"`
	Exit     int           `json:"exit"`
	Gaps     int           `json:"gaps"`
	Findings []jsonFinding `json:"findings"`
	Systems  []jsonSystem  `json:"systems"`
	Poll     jsonPoll      `json:"poll"`
	Cost     jsonCost      `json:"cost"`
}

type jsonFinding struct {
	Level  string  `json:"level"`
	Topic  string  `json:"topic"`
	Text   string  `json:"text"`
	Remedy *string `json:"remedy"`
}

type jsonSystem struct {
	Profile        string        `json:"profile"`
	Title          string        `json:"title"`
	Use            string        `json:"use"`
	SupersededBy   *string       `json:"superseded_by"`
	Evidence       *float64      `json:"evidence"`
	Kind           string        `json:"kind"`
	Trust          string        `json:"trust"`
	Unproven       bool          `json:"unproven"`
	CannotSee      string        `json:"cannot_see"`
	Grouping       []string      `json:"grouping"`
	RateRange      *string       `json:"rate_range"`
	LeastRateRange *string       `json:"least_rate_range"`
	Sides          []jsonSide    `json:"sides"`
	Signals        []jsonSignal  `json:"signals"`
	Findings       []jsonFinding `json:"findings"`
}

type jsonSide struct {
	Side          string   `json:"side"`
	Selector      string   `json:"selector"`
	Series        int      `json:"series"`
	Reporters     int      `json:"reporters"`
	Usual         int      `json:"usual"`
	Spacing       *string  `json:"spacing"`
	ReplicaLabels []string `json:"replica_labels"`
	Times         *float64 `json:"times"`
	JobTimes      *float64 `json:"job_times"`
	Newest        *string  `json:"newest"`
}

type jsonSignal struct {
	Signal  string   `json:"signal"`
	Level   string   `json:"level"`
	State   string   `json:"state"`
	Query   *string  `json:"query"`
	Targets int      `json:"targets"`
	Value   *float64 `json:"value"`
	Unit    *string  `json:"unit"`
	Cost    jsonCost `json:"cost"`
	Text    *string  `json:"text"`
	Remedy  *string  `json:"remedy"`
}

type jsonPoll struct {
	Cost     jsonCost `json:"cost"`
	Interval *string  `json:"interval"`
	Share    float64  `json:"share"`
}

type jsonCost struct {
	Queries int    `json:"queries"`
	Bytes   int64  `json:"bytes"`
	Took    string `json:"took"`
}
