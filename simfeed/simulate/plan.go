package simulate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"stormtop/collector"
	"stormtop/collector/usage"
	"stormtop/simfeed/chain"
	"stormtop/simfeed/chain/policy"
	"stormtop/simfeed/scenario"
)

// plan is what the arguments ask for.
type plan struct {
	format   string
	scenario scenario.Scenario // with --set and --act
	set      []scenario.Setting
	actions  []string // on the timeline
	seed     int64
	runs     int
	control  bool
	compare  []contender
}

// contender is the scenario with one of the policies that are compared.
type contender struct {
	name     string
	title    string
	scenario scenario.Scenario
}

// asIs is the name of the scenario as it stands, among what is compared.
const asIs = "as-is"

func parse(args []string, read scenario.ReadFile) (*plan, error) {
	o := newOptions()
	if err := o.flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return nil, err
		}
		return nil, usage.FlagError(err, o.names, helpCommand)
	}
	if err := o.read(); err != nil {
		return nil, err
	}
	switch n := o.flags.NArg(); {
	case n == 0:
		return nil, errors.New("name a scenario: stormtop simulate payment-1945, or a FILE.yaml; stormtop scenarios lists those that are built in")
	case n > 1:
		return nil, fmt.Errorf("unexpected argument %s: one scenario at a time", collector.Quote(o.flags.Arg(1)))
	}
	s, err := scenario.Named(o.flags.Arg(0), read)
	if err != nil {
		return nil, err
	}
	if o.seed > math.MaxInt64-int64(o.runs-1) {
		return nil, fmt.Errorf("--runs %d: seeds from %d on would go past %d, the last there is: lower --seed", o.runs, o.seed, math.MaxInt64)
	}
	p := &plan{format: o.format, set: o.set, seed: o.seed, runs: o.runs, control: o.control}
	if p.scenario, p.actions, err = o.change(s); err != nil {
		return nil, err
	}
	for _, name := range o.compare {
		c, err := o.contender(s, name)
		if err != nil {
			return nil, fmt.Errorf("--compare %w", err)
		}
		if slices.ContainsFunc(p.compare, func(d contender) bool { return d.name == name }) {
			return nil, fmt.Errorf("--compare %s is named twice: name it once", collector.Quote(name))
		}
		p.compare = append(p.compare, c)
	}
	if p.format == "openmetrics" && (p.runs > 1 || len(p.compare) > 0) {
		return nil, errors.New("--format=openmetrics is the course of one run: leave --runs and --compare out, or use json")
	}
	return p, nil
}

// change makes the changes of --set and --act.
func (o *options) change(s scenario.Scenario) (scenario.Scenario, []string, error) {
	s.Scenario = s.Clone()
	var wrong []error
	for _, set := range o.set {
		if err := s.Set(set.Field, set.Value); err != nil {
			wrong = append(wrong, fmt.Errorf("--set %w", err))
		}
	}
	if len(wrong) > 0 {
		return s, nil, errors.Join(wrong...)
	}
	shorter := slices.ContainsFunc(o.set, func(set scenario.Setting) bool { return set.Field == "length" })
	if shorter {
		s.Timeline = within(s.Timeline, s.Length)
	}
	if err := s.Validate(); err != nil {
		return s, nil, fmt.Errorf("the scenario cannot be run like this: %w", err)
	}
	var acted []string
	if o.act {
		if len(s.Actions) == 0 {
			return s, nil, fmt.Errorf("--act: scenario %s has nothing that an operator can do", s.Name)
		}
		played, err := s.Play(o.actions...)
		if err != nil {
			return s, nil, fmt.Errorf("--act %w", err)
		}
		s.Scenario = played
		if shorter {
			s.Timeline = within(s.Timeline, s.Length)
		}
		for _, a := range s.Actions {
			if len(o.actions) == 0 && !a.Wrong || slices.Contains(o.actions, a.Name) {
				acted = append(acted, a.Name)
			}
		}
		if err := s.Validate(); err != nil {
			return s, nil, fmt.Errorf("--act: %w", err)
		}
	}
	return s, acted, nil
}

// within is what happens before the end of a run that was made shorter.
func within(timeline []chain.Change, length time.Duration) []chain.Change {
	return slices.DeleteFunc(slices.Clone(timeline), func(c chain.Change) bool { return c.At > length })
}

// contender is the scenario as a variant of it, or with a preset of policies.
func (o *options) contender(s scenario.Scenario, name string) (contender, error) {
	c := contender{name: name, title: "as the scenario stands"}
	switch i := slices.Index(s.VariantNames(), name); {
	case name == asIs:
	case i >= 0:
		c.title = s.Variants[i].Title
		var err error
		if s, err = s.In(name); err != nil {
			return c, err
		}
	default:
		preset, err := policy.Lookup(name)
		if err != nil {
			known := append([]string{asIs}, s.VariantNames()...)
			for _, p := range policy.Presets() {
				known = append(known, p.Name)
			}
			return c, fmt.Errorf("%s is neither a variant of the scenario nor a policy%s: there are %s",
				collector.Quote(name), usage.DidYouMean(name, known), strings.Join(known, ", "))
		}
		s, c.title = s.Adopting(preset)
	}
	var err error
	if c.scenario, _, err = o.change(s); err != nil {
		return c, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}
