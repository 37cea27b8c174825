package prom

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"time"

	"stormtop/collector"
	"stormtop/collector/pace"
	"stormtop/collector/rulefile"
)

// Aside is a client that asks the same server beside the polling, from another
// goroutine: for Ranged, Rules and Query. What is known of the server, such as
// that it is a Thanos, it knows once the source does.
func (s *Source) Aside() *Client {
	q := *s.q
	q.in = newInterner()
	return &Client{&Source{cfg: s.cfg, q: &q}}
}

// Course is one series over a stretch of time: a number for each step, NaN where
// it has no sample.
type Course struct {
	Labels []collector.Label
	Values []float64
	Has    []bool // whether there is a sample
}

// Ranged is what an expression was over a stretch of the past.
type Ranged struct {
	Start    time.Time
	Step     time.Duration
	Steps    int
	Courses  []Course
	Warnings []string
	Cost     collector.Cost
}

// Time is that of step i.
func (r *Ranged) Time(i int) time.Time { return r.Start.Add(time.Duration(i) * r.Step) }

// Ranged evaluates an expression at every step from one time to another (both
// included, aligned to the step), in as many queries as the limits of servers
// ask for. An error is a *Refused, or that of the context.
func (c *Client) Ranged(ctx context.Context, promql string, from, to time.Time, step time.Duration) (*Ranged, error) {
	step = max(step.Truncate(time.Millisecond), time.Millisecond)
	from, to = pace.Slot(from, step), pace.Slot(to, step)
	out := &Ranged{Start: from.UTC(), Step: step, Steps: int(to.Sub(from)/step) + 1}
	if to.Before(from) {
		return nil, &Refused{collector.Rejected, "the range ends before it begins"}
	}
	place := map[string]int{}
	for at := 0; at < out.Steps; at += pastChunk {
		end := min(at+pastChunk, out.Steps) - 1
		res := c.s.q.ranged(ctx, promql, span{out.Time(at), out.Time(end), step})
		out.Cost.Queries += res.cost.Queries
		out.Cost.Bytes += res.cost.Bytes
		out.Cost.Took += res.cost.Took
		if err := c.failed(ctx, res.fail); err != nil {
			return nil, err
		}
		out.Warnings = append(out.Warnings, res.ans.warnings...)
		for _, se := range res.ans.series {
			id := collector.NewTarget(collector.Hop, se.labels.labels...).ID
			i, known := place[id]
			if !known {
				i = len(out.Courses)
				place[id] = i
				out.Courses = append(out.Courses, Course{Labels: se.labels.labels, Values: make([]float64, out.Steps), Has: make([]bool, out.Steps)})
			}
			out.Courses[i].put(res.ans.points[se.start:se.end], out)
		}
	}
	return out, nil
}

func (c *Course) put(points []point, r *Ranged) {
	for _, p := range points {
		i := int(math.Round(float64(p.t-r.Start.UnixMilli()) / float64(r.Step.Milliseconds())))
		if i >= 0 && i < len(c.Values) {
			c.Values[i], c.Has[i] = p.v, true
		}
	}
}

// Rules are the alerts that the server evaluates itself, with their states.
func (c *Client) Rules(ctx context.Context) ([]collector.OwnRule, error) {
	var body struct {
		Data struct {
			Groups []struct {
				Name     string  `json:"name"`
				Interval float64 `json:"interval"`
				Rules    []struct {
					Type, Name, Query, State, Health, LastError string
					Duration, KeepFiringFor                     float64
					Labels                                      map[string]string
					Alerts                                      []struct {
						State    string
						ActiveAt time.Time
					}
				} `json:"rules"`
			} `json:"groups"`
		} `json:"data"`
	}
	if err := c.getJSON(ctx, "/api/v1/rules", url.Values{"type": {"alert"}}, &body); err != nil {
		return nil, fmt.Errorf("the rules of %s could not be read: %w", c.Label(), err)
	}
	var out []collector.OwnRule
	for _, g := range body.Data.Groups {
		for _, r := range g.Rules {
			if r.Type != "alerting" {
				continue
			}
			own := rulefile.OwnRule(r.Name, g.Name, r.Query, "server")
			own.For, own.Keep, own.Interval = seconds(r.Duration), seconds(r.KeepFiringFor), seconds(g.Interval)
			own.Severity, own.State, own.Health = r.Labels["severity"], collector.Clean(r.State), collector.Clean(r.Health)
			own.Error = cut(c.s.q.secrets.Mask(r.LastError), shownError)
			for _, a := range r.Alerts {
				if a.State == "pending" || a.State == "firing" {
					own.Active++
					own.Since = oldest(own.Since, a.ActiveAt.UTC())
				}
			}
			out = append(out, own)
		}
	}
	return out, nil
}

func seconds(f float64) time.Duration {
	if !(f > 0) || f > float64(collector.MaxDuration/time.Second) {
		return 0
	}
	return time.Duration(f * float64(time.Second))
}
