package main

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"stormtop/collector"
	"stormtop/views"
)

// asks answers what keys ask of a source, each question in a goroutine of its
// own, so that the screen never waits.
type asks struct {
	source   collector.Source // as it was opened, without decorators
	rules    []collector.RuleSpec
	span     time.Duration
	board    *board
	recorder *recorder
	settings settings
	truth    *truths
	server   ranger // nil: there is none that could be asked beside the polling
	book     *ownBook
	own      ruleInput // of --rules: people's own, and the file that they are in
	work     *team
	screen   func() *tea.Program

	opened context.CancelFunc // ends the question about the target that was open before
}

// offer fills in what the source can do.
func (a *asks) offer(ctx context.Context, o *views.Options) {
	if s, ok := a.source.(collector.Steered); ok {
		o.Steer = s.Steer
	}
	if p, ok := a.source.(collector.Prober); ok {
		o.Open = func(t collector.Target) { a.open(ctx, p, t) }
	}
	if _, ok := a.source.(collector.Rebased); ok {
		o.Learn = func() {
			a.answer(func() (string, bool) { return a.board.learn(a.source, a.rules, a.span) })
		}
	}
	if p, ok := a.source.(collector.Played); ok {
		o.Play = p
	}
	if r, ok := a.source.(collector.Rigged); ok {
		o.Rig, a.board.rig = r, r
	}
	a.offerRules(ctx, o)
	o.Record = func() { a.answer(func() (string, bool) { return sentence(a.recorder.turn(a.board.snapshot())) }) }
	o.Keep = func(shot views.Shot) {
		a.answer(func() (string, bool) {
			names, err := newAlbum(".").save(shot, time.Now())
			return sentence("wrote "+names[0]+" and "+names[1], err)
		})
	}
}

// offerRules fills in what can be done with rules, which every source permits.
func (a *asks) offerRules(ctx context.Context, o *views.Options) {
	j := &assessor{
		ctx: ctx, start: func(f func() error) { a.work.start(f) }, send: func(m views.JudgedMsg) { a.screen().Send(m) },
		truth: a.truth, server: a.server, book: a.book,
	}
	o.Judge = j.ask
	o.SetOwn = func(id string, to collector.RuleSpec, said string) {
		a.book.put(id, to)
		a.board.change(said)
	}
	o.SetRules = func(rules []collector.RuleSpec, said string) {
		if err := a.board.setRules(rules, said); err != nil {
			a.answer(func() (string, bool) { return err.Error(), true })
		}
	}
	s := &scribe{source: a.source, settings: a.settings, in: a.own, book: a.book, began: a.rules}
	o.Propose = func(w views.Wanted) {
		a.work.start(func() error {
			msg, err := s.propose(ctx, w)
			if err != nil {
				a.screen().Send(views.NoticeMsg{Text: err.Error(), Bad: true})
				return nil
			}
			a.screen().Send(msg)
			return nil
		})
	}
	o.Write = func(serial int) { a.answer(func() (string, bool) { return sentence(s.write(serial)) }) }
}

// answer does what a key asked for, and shows the sentence that says so.
func (a *asks) answer(do func() (text string, bad bool)) {
	a.work.start(func() error {
		text, bad := do()
		a.screen().Send(views.NoticeMsg{Text: text, Bad: bad})
		return nil
	})
}

// sentence is what is said of something that was done, or of why it was not.
func sentence(text string, err error) (string, bool) {
	if err != nil {
		return err.Error(), true
	}
	return text, false
}

// open asks for the past of a target that the history does not hold, and for
// its callers. The question before is given up.
func (a *asks) open(ctx context.Context, p collector.Prober, t collector.Target) {
	if a.opened != nil {
		a.opened()
	}
	ctx, a.opened = context.WithCancel(ctx)
	a.work.start(func() error {
		msg := views.CallersMsg{ID: t.ID}
		if s := a.board.snapshot(); s.Good != nil && !s.History.Has(t.ID) {
			past, err := p.Course(ctx, t, s.Good.At.Add(-kept(a.span)), s.Good.At)
			if err == nil {
				a.board.course(t.ID, past)
			} else {
				msg.Note = err.Error()
			}
		}
		rows, err := p.Callers(ctx, t)
		if msg.Rows = rows; err != nil {
			msg.Note = err.Error()
		}
		if ctx.Err() == nil {
			a.screen().Send(msg)
		}
		return nil
	})
}

// course fills in the past of one target.
func (b *board) course(id string, past []*collector.Reading) {
	b.mu.Lock()
	b.watch.Course(id, past)
	b.mu.Unlock()
	b.changed()
}
