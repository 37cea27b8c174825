package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/chain/policy"
	"stormtop/simfeed/scenario"
)

// coursePoints is how many points a course has.
const coursePoints = 60

// peerEvents bounds the work for one course: a storm at full scale is followed
// until then only.
const peerEvents = 6_000_000

// peerPolicies are those that a scenario is compared with that has no variants
// of its own with other policies.
var peerPolicies = []string{"three-everywhere", "envoy-default", "grpc-default", "aws-standard", "sre-client"}

// unchanged is the name of the course of the scenario as its file says.
const unchanged = "as it is"

// Compete runs the scenario as it is and under other policies, one after the
// other, with the seed of the first run, so that the same requests arrive;
// Rig.Peers grows meanwhile. It begins when the first live reading was taken. It
// takes as long as that takes, on a goroutine of its caller, and returns nil when
// it is done or ctx is.
func (f *Feed) Compete(ctx context.Context) error {
	select {
	case <-f.panel.seen: // the first picture comes first
	case <-ctx.Done():
		return nil
	}
	others := f.contenders()
	if len(others) > 0 {
		others = append([]contender{{unchanged, f.scenario.Scenario}}, others...)
	}
	for _, p := range others {
		course, err := f.follow(ctx, p)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("comparing with %s: %w", p.name, err)
		}
		f.panel.meet(course)
	}
	return nil
}

// contender is the scenario with another policy.
type contender struct {
	name     string
	scenario chain.Scenario
}

// contenders are the variants that differ in policies alone, or some policies as
// people run them.
func (f *Feed) contenders() []contender {
	var out []contender
	s := f.scenario
	for _, v := range s.Variants {
		policies := v.Timeline == nil && v.Actions == nil && len(v.Set) > 0 &&
			!slices.ContainsFunc(v.Set, func(set scenario.Setting) bool { return !strings.HasPrefix(set.Field, "edges.") })
		if in, err := s.In(v.Name); policies && err == nil {
			out = append(out, contender{v.Name, in.Scenario})
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, name := range peerPolicies {
		preset, err := policy.Lookup(name)
		if err != nil {
			continue
		}
		adopted, _ := s.Adopting(preset)
		if adopted.Hash() == s.Hash() || adopted.Validate() != nil {
			continue // nothing retries, or it cannot be here
		}
		out = append(out, contender{name, adopted.Scenario})
	}
	return out
}

// follow is the course of a contender.
func (f *Feed) follow(ctx context.Context, c contender) (collector.Course, error) {
	out := collector.Course{Name: c.name}
	e, err := chain.New(c.scenario, f.first)
	if err != nil {
		return out, err
	}
	class, service := c.scenario.Watched()
	every := max(c.scenario.Length/coursePoints, 1)
	attempts, requests := make([]int64, coursePoints), make([]int64, coursePoints)
	for e.Events() < peerEvents {
		w, err := e.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, err
		}
		if s, ok := w.Signals(class, service); ok {
			i := min(int(w.Start/every), coursePoints-1)
			attempts[i], requests[i] = attempts[i]+s.Downstream, requests[i]+s.Ingress
		}
	}
	out.Peak = math.NaN()
	for i, n := range requests {
		// Nothing of nothing is no ratio; retries that burn on without a request are
		// an infinite one.
		ratio := float64(attempts[i]) / float64(n) / f.scenario.Baseline
		if math.IsNaN(out.Peak) || ratio > out.Peak {
			out.Peak = ratio
		}
		out.Points = append(out.Points, ratio)
	}
	return out, nil
}

// meet shows a course from the next second on.
func (p *panel) meet(c collector.Course) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.peers = append(slices.Clone(p.peers), c)
}
