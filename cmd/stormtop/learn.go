package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/alerts/learn"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/collector/usage"
)

// learnSteps is how many instants of a stretch a baseline is learned from, at
// most: a median needs no more.
const learnSteps = 240

// learning is a Prometheus whose baselines are learned from its past before the
// first reading is taken.
type learning struct {
	*prom.Source
	from  baseline
	rules []collector.RuleSpec
	now   func() time.Time

	done bool
	said []string // what the first reading says of it
}

// Next learns as soon as the server answers. A stretch in which rules fire on
// every target is an error: what it gives is no baseline.
func (l *learning) Next(ctx context.Context) (*collector.Reading, error) {
	if !l.done {
		if err := l.learn(ctx); err != nil {
			return nil, err
		}
	}
	r, err := l.Source.Next(ctx)
	if err == nil && !r.Past && len(l.said) > 0 {
		r.Warnings = append(l.said, r.Warnings...)
		l.said = nil
	}
	return r, err
}

func (l *learning) learn(ctx context.Context) error {
	to := l.now().Add(-l.from.offset)
	step := max(l.from.window/learnSteps, time.Second)
	readings, err := l.Range(ctx, to.Add(-l.from.window), to, step)
	var no *prom.Refused
	switch {
	case errors.As(err, &no) && no.Kind != collector.Rejected && no.Kind != collector.TooLarge:
		return nil // the server is away: the next reading says so, and this is tried again
	case err != nil:
		return fmt.Errorf("--baseline=%s: the past could not be read: %w", formatBaseline(l.from), err)
	}
	b, refused, err := learn.Learn(readings, l.rules, "median of "+pastWords(l.from))
	if err != nil {
		return fmt.Errorf("--baseline=%s: %w", formatBaseline(l.from), err)
	}
	l.done = true
	l.SetBaselines(b)
	for _, r := range refused {
		l.said = append(l.said, "no baseline was learned: "+r.Why)
	}
	return nil
}

// pastWords names a stretch of the past: "1h, 1d before".
func pastWords(b baseline) string {
	out := usage.Days(b.window)
	if b.offset > 0 {
		out += ", " + usage.Days(b.offset) + " before"
	}
	return out
}

// learned is what the key for baselines does: the medians of what is on the
// screen. The sentence says what came of it; bad tells that nothing was learned.
func (b *board) learn(src collector.Source, rules []collector.RuleSpec, span time.Duration) (text string, bad bool) {
	rebased, ok := src.(collector.Rebased)
	s := b.snapshot()
	if !ok || s.Good == nil {
		return "baselines cannot be learned of this source", true
	}
	targets := make([]collector.Target, 0, len(s.Good.Targets))
	for _, row := range s.Good.Targets {
		targets = append(targets, row.Target)
	}
	learned, refused, err := learn.FromView(s.History, targets, s.Good.Origin, rules, "median of the last "+collector.FormatDuration(seen(s.History, span)))
	if err != nil {
		return err.Error(), true
	}
	rebased.SetBaselines(learned)
	text = fmt.Sprintf("baselines of %d targets learned: %s", len(learned.Learned), learned.From)
	if len(refused) > 0 {
		worstFirst(refused, s)
		var why []string
		for _, r := range refused[:min(len(refused), 3)] {
			why = append(why, r.Why)
		}
		text += fmt.Sprintf("; %d refused: %s", len(refused), strings.Join(why, "; "))
	}
	return text, false
}

// worstFirst puts refusals in the order of the screen, since a notice has room
// for the first of them.
func worstFirst(refused []learn.Refusal, s watch.Snapshot) {
	place := make(map[string]int, len(s.Order))
	for at, i := range s.Order {
		place[s.Good.Targets[i].Target.ID] = at
	}
	slices.SortStableFunc(refused, func(a, b learn.Refusal) int {
		return cmp.Compare(place[a.Target.ID], place[b.Target.ID])
	})
}

// seen is how much of a span a history holds.
func seen(h collector.View, span time.Duration) time.Duration {
	if h.Len() == 0 {
		return 0
	}
	return min(span, h.Time(h.Len()-1).Sub(h.Time(0))).Round(time.Second)
}
