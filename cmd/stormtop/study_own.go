package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"stormtop/alerts/tune"
	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/collector/rulefile"
)

// ownStudies are those of people's own rules: each expression runs unchanged
// over the past of the server.
func (s *study) ownStudies(ctx context.Context, histories [][]*tune.History) ([]tune.Study, error) {
	own := s.in.own
	if s.client == nil {
		for i := range own {
			s.notes = append(s.notes, fmt.Sprintf("%s (%s) is left out: its expression needs a server, add --prom=URL", own[i].Name, own[i].From))
		}
		return nil, nil
	}
	if s.s.tuning.server {
		more, err := s.client.Rules(ctx)
		if err != nil {
			return nil, err
		}
		own = append(own, more...)
	}
	var known tune.History
	step := s.s.tuning.evaluate
	given := step > 0
	if len(histories) > 0 && len(histories[0]) > 0 {
		known = *histories[0][0]
		if step == 0 {
			step = cmp.Or(histories[0][0].Step(), s.aloneStep())
		}
	}
	var out []tune.Study
	for i := range own {
		if !s.wanted(own[i].Name) {
			continue
		}
		every := step
		if !given && own[i].Interval > 0 { // as a server does
			every = own[i].Interval
		}
		h, err := s.ownHistory(ctx, &own[i], every)
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			s.notes = append(s.notes, fmt.Sprintf("%s (%s) is left out: %v", own[i].Name, own[i].From, err))
			continue
		}
		h.Incidents, h.Begun, h.RateRange = known.Incidents, known.Begun, s.rate
		if name := recordedFor(&own[i], s.in.groups); name != "" && len(h.Courses) == 0 {
			s.notes = append(s.notes, fmt.Sprintf("%s (%s) has nothing to be judged by: %s is a recording rule of the file, and the server has no such series; load the file there first",
				own[i].Name, own[i].From, name))
		}
		out = append(out, tune.Examine(own[i].Spec(), &own[i], []*tune.History{h}, nil))
	}
	return out, nil
}

// aloneStep is the time between two evaluations where there are no readings that
// set it.
func (s *study) aloneStep() time.Duration {
	const usual, most = 15 * time.Second, 2880
	if !s.alone {
		return 0
	}
	return cmp.Or(s.s.tuning.evaluate, s.s.interval, max(usual, (s.to.Sub(s.from)/most).Truncate(time.Second)))
}

// recordedFor names a recording rule of the file that an expression uses, "" for
// none.
func recordedFor(rule *collector.OwnRule, groups []rulefile.Group) string {
	used := rulefile.Metrics(rule.Expr)
	for i := range groups {
		for k := range groups[i].Rules {
			if name := groups[i].Rules[k].Record; name != "" && slices.Contains(used, name) {
				return name
			}
		}
	}
	return ""
}

func (s *study) ownHistory(ctx context.Context, rule *collector.OwnRule, step time.Duration) (*tune.History, error) {
	got, err := s.client.Ranged(ctx, rule.Query(), s.from, s.to, max(step, time.Second))
	if err != nil {
		return nil, err
	}
	h := ownHistory(rule, got)
	h.Name = s.client.Label()
	return h, nil
}

// alertIncidents are the times in which the alerts fired that were named as the
// truth.
func (s *study) alertIncidents(ctx context.Context) ([]tune.Incident, error) {
	var out []tune.Incident
	for _, name := range s.s.tuning.alerts {
		list, err := alertTimes(ctx, s.client, name, s.from, s.to)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			s.notes = append(s.notes, fmt.Sprintf("--incident-alert=%s: it did not fire in this time", collector.Clean(name)))
		}
		out = append(out, list...)
	}
	return out, nil
}

// ranger evaluates expressions over the past: a *prom.Client.
type ranger interface {
	Ranged(ctx context.Context, promql string, from, to time.Time, step time.Duration) (*prom.Ranged, error)
}

// alertTimes are the times in which an alert of a server fired.
func alertTimes(ctx context.Context, server ranger, name string, from, to time.Time) ([]tune.Incident, error) {
	step := max(to.Sub(from)/10_000, 5*time.Second).Truncate(time.Second)
	got, err := server.Ranged(ctx, `ALERTS{alertname=`+strconv.Quote(name)+`,alertstate="firing"}`, from, to, step)
	if err != nil {
		return nil, err
	}
	var out []tune.Incident
	for _, c := range got.Courses {
		out = append(out, firingOf(got, &c, name)...)
	}
	return out, nil
}

// firingOf are the stretches in which a course has samples.
func firingOf(r *prom.Ranged, c *prom.Course, name string) []tune.Incident {
	truth := tune.Truth{Text: "ALERTS " + collector.Clean(name), Midway: true}
	for i := range c.Has {
		truth.Note(r.Time(i), c.Has[i])
	}
	return truth.Incidents()
}
