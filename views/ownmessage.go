package views

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
)

// OwnRulesMsg brings the alerts of the people who look, judged by what the server
// has.
type OwnRulesMsg struct {
	At     time.Time // the instant that they were judged at
	Rows   []OwnRule
	Left   int    // rules that are not among Rows, since there are too many
	Note   string // why the server's own rules are not known; "" when they are
	Served bool   // there is a server that can be asked for the past of each
}

// OwnRule is one of them. All texts may hold anything.
type OwnRule struct {
	ID          string // told again where one is asked about; the same in every message
	Name, Group string
	From        string       // "yours, rules.yml:12", "server"
	State       alerts.State // of the worst series; Unknown where it cannot be told
	Since       time.Time    // since when it is in that state, zero where it is not active
	AtLeast     bool         // it was in that state already when the past that was asked for began
	Labels      string       // of the worst series that is active
	Active      int          // series on which it is pending or firing
	Value       float64      // of the worst series, where HasValue
	HasValue    bool

	// The numbers in force. Where the rule is not Tunable, Compare and Threshold
	// are those of collector.OwnRule.Spec.
	Tunable   bool // the expression is compared with a number, which is Threshold
	Compare   collector.Comparison
	Threshold float64
	For, Keep time.Duration
	Severity  string // the label
	Off       bool   // it was switched off here: it is not judged
	Changed   bool   // its numbers are not those that it was read with

	Server      string    // the state that the server holds; "" where it is not known
	ServerSince time.Time // when its oldest active alert began, zero where there is none
	Absent      bool      // the server does not have the rule
	Error       string    // why it cannot be judged, one sentence
	History     []OwnPhase
	Course      collector.Series // what is compared, of the worst series, or of the one that was active last
	CourseOf    string           // its labels
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

	served bool
}

// ownPrefix begins what people's own rules are selected by: no rule of ours is
// called like this.
const ownPrefix = "\x00"

func isOwn(name string) bool { return strings.HasPrefix(name, ownPrefix) }

// ownRule is an own rule by what it is selected by.
func (m *Model) ownRule(name string) (*OwnRule, bool) {
	if i := slices.Index(m.ruling.own.ids, name); i >= 0 {
		return &m.ruling.own.rows[i], true
	}
	return nil, false
}

// ownFixed reports whether a rule is one of people's own whose threshold cannot
// be turned.
func (m *Model) ownFixed(name string) bool {
	r, ok := m.ownRule(name)
	return ok && !r.Tunable
}

// spec is the rule as one that can be turned, by the name that it is selected by.
func (r *OwnRule) spec(name string) collector.RuleSpec {
	return collector.RuleSpec{Name: name, Compare: r.Compare, Threshold: r.Threshold, For: r.For, KeepFiring: r.Keep, Off: r.Off}
}

// nameOf is what a rule is called on the screen.
func (m *Model) nameOf(name string) string {
	if r, ok := m.ownRule(name); ok {
		return r.Name
	}
	return collector.Clean(strings.TrimPrefix(name, ownPrefix))
}

// putOwnInForce asks for other numbers of an own rule, or switches it.
func (m *Model) putOwnInForce(to collector.RuleSpec, said string) {
	if r, ok := m.ownRule(to.Name); ok {
		rows := slices.Clone(m.ruling.own.rows) // as they will come back
		is := &rows[slices.Index(m.ruling.own.ids, to.Name)]
		is.Threshold, is.For, is.Keep, is.Off = to.Threshold, to.For, to.KeepFiring, to.Off
		m.ruling.own.rows = rows
		m.opt.SetOwn(r.ID, to, said)
		m.notify(NoticeMsg{Text: said})
	}
}

// takeOwn makes other rules the newest.
func (m *Model) takeOwn(msg OwnRulesMsg) {
	o := own{at: msg.At, rows: slices.Clone(msg.Rows), left: msg.Left, note: collector.Clean(msg.Note), served: msg.Served}
	for i := range o.rows {
		r := &o.rows[i]
		for _, text := range []*string{&r.Name, &r.Group, &r.From, &r.Labels, &r.CourseOf, &r.Severity, &r.Server, &r.Error} {
			*text = collector.Clean(*text)
		}
		id := ownPrefix + r.ID
		for n := 2; slices.Contains(o.ids, id); n++ {
			id = ownPrefix + r.ID + ownPrefix + strconv.Itoa(n)
		}
		o.ids = append(o.ids, id)
	}
	m.ruling.own = o
	for len(m.path) > 1 && isOwn(m.ruling.rule) && m.path.screen() == tuning { // unless it is gone
		if _, ok := m.ownRule(m.ruling.rule); ok {
			break
		}
		m.path = m.path.back()
	}
	if s := m.path.screen(); s == ruleList || s == tuning {
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
