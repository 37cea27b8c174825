package views

import (
	"slices"
	"strconv"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// OwnRulesMsg brings the alerts of the people who look, judged by what the server
// has.
type OwnRulesMsg struct {
	At   time.Time // the instant that they were judged at
	Rows []OwnRule
	Left int    // rules that are not among Rows, since there are too many
	Note string // why the server's own rules are not known; "" when they are
}

// OwnRule is one of them. All texts may hold anything.
type OwnRule struct {
	Name, Group string
	From        string       // "yours, rules.yml:12", "server"
	State       alerts.State // of the worst series; Unknown where it cannot be told
	Since       time.Time    // since when it is in that state, zero where it is not active
	AtLeast     bool         // it was in that state already when the past that was asked for began
	Labels      string       // of the worst series that is active
	Active      int          // series on which it is pending or firing
	Value       float64      // of the worst series, where HasValue
	HasValue    bool

	Tunable   bool // the expression is compared with a number, which is Threshold
	Compare   collector.Comparison
	Threshold float64
	For, Keep time.Duration
	Severity  string // the label

	Server      string    // the state that the server holds; "" where it is not known
	ServerSince time.Time // when its oldest active alert began, zero where there is none
	Absent      bool      // the server does not have the rule
	Error       string    // why it cannot be judged, one sentence
	History     []OwnPhase
}

// OwnPhase is a time in which a rule was in a state: From included, To excluded.
type OwnPhase struct {
	From, To time.Time
	State    alerts.State
}

// own is people's own rules as the screen shows them.
type own struct {
	at   time.Time
	rows []OwnRule
	ids  []string // what each is selected by
	left int
	note string
}

// takeOwn makes other rules the newest.
func (m *Model) takeOwn(msg OwnRulesMsg) {
	o := own{at: msg.At, rows: slices.Clone(msg.Rows), left: msg.Left, note: collector.Clean(msg.Note)}
	for i := range o.rows {
		r := &o.rows[i]
		for _, text := range []*string{&r.Name, &r.Group, &r.From, &r.Labels, &r.Severity, &r.Server, &r.Error} {
			*text = collector.Clean(*text)
		}
		id := "\x00" + r.From + "\x00" + r.Group + "\x00" + r.Name // no rule of ours is called like this
		for n := 2; slices.Contains(o.ids, id); n++ {
			id = "\x00" + r.From + "\x00" + r.Group + "\x00" + r.Name + "\x00" + strconv.Itoa(n)
		}
		o.ids = append(o.ids, id)
	}
	m.ruling.own = o
	if m.path.screen() == ruleList {
		m.fresh = false
	}
}

// chosenOwn is the place of the own rule that is pointed at, if it is one.
func (m *Model) chosenOwn() (int, bool) {
	i := slices.Index(m.ruling.own.ids, m.ruling.chosen)
	return i, i >= 0
}

// rulePlace is the place of what is pointed at among our rules and people's own.
func (m *Model) rulePlace() int {
	if i, ok := m.chosenOwn(); ok {
		return len(m.rulesNow()) + i
	}
	return m.chosenRule()
}

// rulePlaces counts them.
func (m *Model) rulePlaces() int { return len(m.rulesNow()) + len(m.ruling.own.rows) }

// ruleAt is what the rule at a place is selected by.
func (m *Model) ruleAt(place int) string {
	if n := len(m.rulesNow()); place >= n {
		return m.ruling.own.ids[place-n]
	}
	return m.rulesNow()[place].Name
}
