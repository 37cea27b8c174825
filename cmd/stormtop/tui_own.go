package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
	"stormtop/collector/prom"
	"stormtop/views"
)

// ownJudge judges people's own rules beside the polling: those of a file, and
// those of the server. One query runs after the other.
type ownJudge struct {
	server interface {
		ranger
		Rules(context.Context) ([]collector.OwnRule, error)
	}
	own   []collector.OwnRule
	book  *ownBook
	span  time.Duration // how much past the history of each has
	past  bool          // what is looked at is over: what the server holds now is of another time
	board *board
	send  func(views.OwnRulesMsg)

	last   views.OwnRulesMsg   // as it was sent
	every  time.Duration       // between the readings then
	theirs []collector.OwnRule // the server's, as it told them last
}

const (
	// ownEvery is the least time between two rounds of questions.
	ownEvery = 15 * time.Second
	// ownRest is how often as long as a round took nothing is asked after it, so
	// that of the time of a server that is slow a tenth is taken at most.
	ownRest = 9
	// mostOwn bounds the rules that are judged.
	mostOwn = 200
	// fineOwn is how much past is evaluated often, so that what is said is of now.
	fineOwn = time.Hour
	// ownSteps bounds the evaluations of each in a round, once of late and once
	// before.
	ownSteps = 450
	// longestOwn bounds the past that is asked for, however long a rule waits.
	longestOwn = 7 * day
)

// run judges until the context ends, from the first reading on.
func (o *ownJudge) run(ctx context.Context) error {
	due := time.NewTimer(0)
	defer due.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-o.book.kick:
			o.again(ctx)
			continue
		case <-due.C:
		}
		rest := time.Second // until there is a reading, or another one of what is over
		if at, every, ok := o.newest(); ok && !(o.past && at.Equal(o.last.At)) {
			began := time.Now()
			msg := o.judge(ctx, at, every)
			if ctx.Err() != nil {
				return nil
			}
			o.tell(msg, every)
			if rest = max(rest, ownRest*time.Since(began)); !o.past {
				rest = max(ownEvery, every, rest)
			}
		}
		due.Reset(rest)
	}
}

func (o *ownJudge) tell(msg views.OwnRulesMsg, every time.Duration) {
	o.last, o.every = msg, every
	msg.Rows = slices.Clone(msg.Rows)
	o.send(msg)
}

// again judges those whose numbers were changed, as of the last round.
func (o *ownJudge) again(ctx context.Context) {
	for _, r := range o.book.take() {
		i := slices.IndexFunc(o.last.Rows, func(row views.OwnRule) bool { return row.ID == ownID(&r) })
		if i < 0 {
			continue
		}
		row := o.row(ctx, r, o.last.At, o.every)
		if ctx.Err() != nil {
			return
		}
		row.Absent = o.last.Rows[i].Absent
		o.last.Rows[i] = row
	}
	o.tell(o.last, o.every)
}

// newest is the time of the newest reading, by the clock of the server, and the
// interval of the polling.
func (o *ownJudge) newest() (at time.Time, every time.Duration, ok bool) {
	good := o.board.snapshot().Good
	if good == nil {
		return at, 0, false
	}
	if good.Origin != nil {
		every = good.Origin.Interval
	}
	return good.At, every, true
}

// judge asks for all of them once.
func (o *ownJudge) judge(ctx context.Context, at time.Time, every time.Duration) views.OwnRulesMsg {
	if !o.past {
		at = pace.Slot(at, stepOf(min(o.span, fineOwn), every)) // which is the last evaluation
	}
	msg := views.OwnRulesMsg{At: at, Served: true}
	theirs, err := o.server.Rules(ctx)
	if err != nil {
		msg.Note = err.Error()
		theirs = o.theirs // they are there still, for all that is known
	} else {
		o.theirs = theirs
	}
	if o.past || err != nil { // their states are not those of then, or of now
		theirs = slices.Clone(theirs)
		for i := range theirs {
			t := &theirs[i]
			t.State, t.Since, t.Active, t.Health, t.Error = "", time.Time{}, 0, "", ""
		}
	}
	for _, r := range paired(o.own, theirs) {
		if len(msg.Rows) == mostOwn {
			msg.Left++
			continue
		}
		if ctx.Err() != nil {
			return msg
		}
		row := o.row(ctx, r, at, every)
		row.Absent = err == nil && r.State == "" && !o.past
		msg.Rows = append(msg.Rows, row)
	}
	return msg
}

// row judges a rule by the numbers in force.
func (o *ownJudge) row(ctx context.Context, r collector.OwnRule, at time.Time, every time.Duration) views.OwnRule {
	id, is, off := o.book.enter(r)
	row := ownRow(&is)
	row.ID, row.Off = id, off
	row.Changed = is.Threshold != r.Threshold || is.For != r.For || is.Keep != r.Keep
	if !off {
		o.fill(ctx, &row, &is, at, every)
	}
	return row
}

// unserved are people's own rules where no server can be asked for what their
// expressions were.
func unserved(own []collector.OwnRule, book *ownBook) views.OwnRulesMsg {
	var msg views.OwnRulesMsg
	for i := range own[:min(len(own), mostOwn)] {
		id, r, _ := book.enter(own[i])
		row := ownRow(&r)
		row.ID, row.Error = id, "its expression is judged by a server: add --prom=URL"
		msg.Rows = append(msg.Rows, row)
	}
	msg.Left = len(own) - len(msg.Rows)
	return msg
}

// fill asks for the past of one of them and judges it: finely of late, and
// coarsely before, where the screen or the rule looks back farther.
func (o *ownJudge) fill(ctx context.Context, row *views.OwnRule, r *collector.OwnRule, at time.Time, every time.Duration) {
	span := min(o.span, fineOwn)
	fine := stepOf(span, every)
	got, err := o.server.Ranged(ctx, r.Query(), at.Add(-span), at, fine)
	past := &ownPast{}
	if back := min(max(o.span, 2*min(r.For, longestOwn)+2*min(r.Keep, longestOwn)), longestOwn); err == nil && back > span {
		var before *prom.Ranged
		if before, err = o.server.Ranged(ctx, r.Query(), at.Add(-back), got.Start.Add(-fine), stepOf(back, every)); err == nil {
			past.add(before)
		}
	}
	if err != nil {
		row.Error = err.Error()
		return
	}
	past.add(got)
	past.judge(row, r)
	if r.Health == "err" {
		row.Error = "the server says: " + r.Error
	}
}

// stepOf is the time between two evaluations over a stretch.
func stepOf(stretch, every time.Duration) time.Duration {
	return max(every, (stretch+ownSteps*time.Second-1)/ownSteps).Truncate(time.Second)
}

// paired are the rules of the file, each with what the server says of it, and
// behind them those that only the server has.
func paired(own, theirs []collector.OwnRule) []collector.OwnRule {
	out := slices.Clone(own)
	theirs = slices.Clone(theirs)
	for i := range out {
		at := slices.IndexFunc(theirs, func(r collector.OwnRule) bool { return sameOwn(&out[i], &r) })
		if at < 0 {
			continue
		}
		t := &theirs[at]
		out[i].State, out[i].Since, out[i].Active, out[i].Health, out[i].Error = t.State, t.Since, t.Active, t.Health, t.Error
		theirs = slices.Delete(theirs, at, at+1)
	}
	return append(out, theirs...)
}

// sameOwn reports whether a rule of a file is one of the server's, which writes
// expressions in its own way.
func sameOwn(a, b *collector.OwnRule) bool {
	if a.Name != b.Name || a.Group != b.Group || a.For != b.For || a.Keep != b.Keep || a.Severity != b.Severity {
		return false
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	return squeeze(a.Expr) == squeeze(b.Expr) || a.Tunable && b.Tunable && a.Threshold == b.Threshold && a.Compare == b.Compare
}

// placeOfOwn is where a rule is from, as it is shown.
func placeOfOwn(from string) string {
	if from == "server" {
		return from
	}
	return "yours, " + filepath.Base(from)
}
