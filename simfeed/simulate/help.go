package simulate

import (
	"strings"

	"stormtop/collector/usage"
	"stormtop/simfeed/chain/policy"
)

const helpHead = `stormtop simulate runs a scenario without a screen, as fast as it goes. The same
scenario and seed give the same events to the last one.

  stormtop simulate payment-1945               a storm: phases, hops, verdict
  stormtop simulate payment-1945 --act         and the four repairs, in order
  stormtop simulate payment-1945 --act=cut,restart      a wrong one after it
  stormtop simulate six-seconds:S4             a variant of a scenario
  stormtop simulate my.yaml --set edges.*.attempts=1    a file of one's own
  stormtop simulate metastable-10s --runs=100  how often: over all cores
  stormtop simulate six-seconds --compare=as-is,S4,envoy-default

stormtop scenarios lists the scenarios, --show NAME prints one with its fields.

`

const helpTail = `
A policy replaces the retries of every edge that retries; time-outs, pools and
bulkheads of the scenario stay where the policy has none.

json is stormtop/run/v1 (with --runs stormtop/runs/v1, with --compare
stormtop/comparison/v1), csv has a row a window, or a run; openmetrics has the
counters of every hop, from 2026-01-01T00:00:00Z on. See docs/formats.md.

Ctrl+c ends a run; what was computed until then is written.

Exit status: 0 done, 1 interrupted or not written, 2 a mistake in the arguments
or in the scenario.
`

// help is the text of --help.
func help() string {
	var names []string
	for _, p := range policy.Presets() {
		names = append(names, p.Name)
	}
	return helpHead + "Flags:\n" + newOptions().flags.FlagUsagesWrapped(80) +
		"\nPolicies for --compare and for policy: in a file:\n" +
		strings.Join(usage.Wrap(strings.Join(names, ", "), 80), "\n") + "\n" + helpTail
}
