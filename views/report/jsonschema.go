package report

// jsonReading is the schema stormtop/reading/v1, in the order it is written.
type jsonReading struct {
	Schema    string        `json:"schema"`
	At        *string       `json:"at"`
	Source    string        `json:"source"`
	Profile   string        `json:"profile"`
	Simulated bool          `json:"simulated,omitempty"`
	Replay    bool          `json:"replay,omitempty"`
	RateRange string        `json:"rate_range"`
	Systems   []jsonSystem  `json:"systems"`
	Offered   []string      `json:"offered"`
	Reporters []jsonSide    `json:"reporters"`
	Newest    *string       `json:"newest"`
	Age       *string       `json:"age"`
	Cause     *jsonCause    `json:"cause"`
	Judged    jsonJudged    `json:"judged"`
	Total     jsonSignals   `json:"total"`
	TotalOf   jsonTotalOf   `json:"total_of"`
	Targets   []jsonTarget  `json:"targets"`
	Rules     []jsonRule    `json:"rules"`
	Failures  []jsonFailure `json:"failures"`
	Warnings  []string      `json:"warnings"`
}

type jsonCause struct {
	Word     string   `json:"word"`
	Since    *string  `json:"since"`
	Attempts *float64 `json:"attempts"`
	Ingress  *float64 `json:"ingress"`
	Text     string   `json:"text"`
}

type jsonJudged struct {
	Rules   int           `json:"rules"`
	Of      int           `json:"of"`
	Missing []jsonMissing `json:"missing"`
	// Elsewhere lists the systems by which a rule is not judged that another judges.
	Elsewhere []jsonMissing `json:"elsewhere,omitempty"`
}

type jsonMissing struct {
	Rule   string `json:"rule"`
	Signal string `json:"signal"`
	Reason string `json:"reason"`
	// Profiles are the systems concerned, where there are several.
	Profiles []string `json:"profiles,omitempty"`
}

type jsonSystem struct {
	Profile   string  `json:"profile"`
	Title     string  `json:"title"`
	Kind      *string `json:"kind"`
	Trust     *string `json:"trust"`
	Unproven  bool    `json:"unproven"`
	CannotSee string  `json:"cannot_see"`
}

type jsonSide struct {
	Profile string  `json:"profile"`
	Target  *string `json:"target"`
	Side    string  `json:"side"`
	Now     int     `json:"now"`
	Usual   *int    `json:"usual"`
}

type jsonTotalOf struct {
	Profile *string `json:"profile"`
	Kind    *string `json:"kind"`
}

type jsonTarget struct {
	Name     string            `json:"name"`
	Profile  *string           `json:"profile"`
	Kind     *string           `json:"kind"`
	Labels   map[string]string `json:"labels"`
	Baseline *float64          `json:"baseline,omitempty"`
	Signals  jsonSignals       `json:"signals"`
}

type jsonRule struct {
	Name       string   `json:"name"`
	Signal     string   `json:"signal"`
	Target     *string  `json:"target"`
	Profile    *string  `json:"profile"`
	State      string   `json:"state"`
	Held       bool     `json:"held"`
	Evaluated  string   `json:"evaluated"`
	Since      *string  `json:"since"`
	Value      *float64 `json:"value"`
	ValueState string   `json:"value_state"`
	Threshold  *float64 `json:"threshold"`
	For        string   `json:"for"`
	Reason     string   `json:"reason"`
}

type jsonFailure struct {
	Signal  *string `json:"signal"`
	Profile *string `json:"profile"`
	Kind    string  `json:"kind"`
	Text    string  `json:"text"`
	Retry   *string `json:"retry"`
}

type jsonEvent struct {
	Schema     string   `json:"schema"`
	At         *string  `json:"at"`
	Kind       string   `json:"kind"`
	Rule       *string  `json:"rule"`
	Target     *string  `json:"target"`
	Value      *float64 `json:"value"`
	ValueState string   `json:"value_state"`
	Text       string   `json:"text"`
}
