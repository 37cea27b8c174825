package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"stormtop/alerts"
	"stormtop/collector"
	"stormtop/collector/recording"
)

// openRecording reads all of a recording; - is standard input.
func openRecording(name string, stdin io.Reader) (*recording.Recording, error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("--replay=%s: %w", collector.Clean(name), unwrapPath(err))
		}
		defer f.Close()
		in = f
	}
	rec, err := recording.Load(recording.NewReader(in))
	if err != nil {
		return nil, fmt.Errorf("--replay=%s: %w", collector.Clean(name), err)
	}
	if rec.Len() == 0 {
		return nil, fmt.Errorf("--replay=%s: the recording holds no reading", collector.Clean(name))
	}
	return rec, nil
}

// unwrapPath leaves the name of the file away, which is said already.
func unwrapPath(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// playback is how fast what is over is played: on a screen or where it was asked
// for at the given speed, else as fast as it is read. A picture is all there at
// once.
func playback(r *resolved, m mode, picture bool) float64 {
	asked := r.origins["speed"].kind != defaultLayer
	switch {
	case m == onceMode || m == convertMode:
		return 0
	case asked:
		return r.settings.speed
	case m == screenMode && r.settings.replay != "" && !picture:
		return 1
	}
	return 0
}

// openReplay makes the source that plays a recording.
func openReplay(r *resolved, p program) (opened, error) {
	m := p.mode
	rec, err := openRecording(r.settings.replay, p.stdin)
	if err != nil {
		return opened{}, err
	}
	options := recording.Options{
		Speed: playback(r, m, rec.Header.Picture), Clock: wallClock{}, Loop: r.settings.loop && m != onceMode,
	}
	rec, from, err := r.part(rec, m == convertMode)
	if err != nil {
		return opened{}, err
	}
	if options.From = from; m == onceMode && from.IsZero() {
		_, options.From = rec.Span() // the newest reading
	}
	options.Once = m == screenMode && options.Speed == 0 && !options.Loop
	options.Behind = behind(r.settings.span, slices.Insert(rec.Rulings(), 0, p.rules)...)
	out := replayed(rec, options)
	out.notes = append(out.notes, rec.Report.Notes()...)
	if r.rulesGiven() {
		return out, nil
	}
	for _, rules := range rec.Rulings() {
		if err := alerts.Validate(rules); err != nil {
			out.notes = append(out.notes, fmt.Sprintf("the rules of the recording are not used: %v", err))
			return out, nil
		}
	}
	out.follows = true
	if len(rec.Header.Rules) > 0 {
		out.rules = rec.Header.Rules
	}
	return out, nil
}

// part is what --from and --to leave of a recording, and where it is to begin. To
// be converted it is cut at both ends; else what is before its beginning is the
// past of that.
func (r *resolved) part(rec *recording.Recording, both bool) (part *recording.Recording, from time.Time, err error) {
	first, last := rec.Span()
	to := last
	for _, end := range []struct {
		name string
		m    moment
		at   *time.Time
	}{{"from", r.settings.from, &from}, {"to", r.settings.to, &to}} {
		if end.m.kind == noMoment {
			continue
		}
		if *end.at = end.m.resolve(last); end.at.Before(first) || end.at.After(last) {
			return nil, from, fmt.Errorf("--%s=%s is not in the recording, which is from %s to %s", end.name, end.m.text,
				first.Format(time.RFC3339), last.Format(time.RFC3339))
		}
	}
	if from.After(to) {
		return nil, from, fmt.Errorf("--from=%s is after --to=%s", r.settings.from.text, cmp.Or(r.settings.to.text, "the end"))
	}
	if both && !from.IsZero() {
		first = from
	}
	return rec.Between(first, to), from, nil
}

// behind is how much of what is before an instant is played at once to show that
// instant: what the charts show and the rules look back on.
func behind(span time.Duration, rules ...[]collector.RuleSpec) time.Duration {
	longest := time.Duration(0)
	for _, r := range slices.Concat(rules...) {
		longest = max(longest, r.For+r.KeepFiring)
	}
	return kept(span) + longest
}

// replayed is a recording as a source, with the marks that were made in it.
func replayed(rec *recording.Recording, o recording.Options) opened {
	play := recording.NewReplay(rec, o)
	out := opened{source: play, recording: rec}
	for _, e := range play.Events() {
		if e.Kind == collector.EventMark || e.Kind == collector.EventChange {
			out.events = append(out.events, e)
		}
	}
	return out
}

// rulesGiven reports whether somebody set a rule: the rules of a recording give
// way then.
func (r *resolved) rulesGiven() bool {
	for _, o := range ruleOptions(alerts.Documented()) {
		if o.name == "on-alert" || o.name == "no-bell" {
			continue
		}
		if r.origins[o.name].kind != defaultLayer {
			return true
		}
	}
	return false
}
