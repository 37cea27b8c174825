package policy

import (
	"fmt"
	"strconv"
	"strings"

	"stormtop/collector"
)

// Preset is a policy as a system in the field has it.
type Preset struct {
	Name   string // in scenario files: "envoy-default"
	System string // "Envoy"
	Word   string // what the system calls its number: "num_retries"
	Extra  bool   // the number is of retries, one less than the attempts
	Source string // where the behaviour is documented
	New    func() Policy
}

// Presets are all presets, in the order of the table of docs.
func Presets() []Preset {
	return []Preset{
		envoyDefault, envoyBudget, istioDefault, linkerdLimit, linkerdProfile, grpcDefault, awsStandard,
		finagleDefault, resilience4j, pollyV8, springGateway, haproxyDefault, nginxDefault, sreClient, threeEverywhere,
	}
}

// Lookup finds a preset by name. The error names the ones there are.
func Lookup(name string) (Preset, error) {
	var names []string
	for _, p := range Presets() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Preset{}, fmt.Errorf("there is no policy %s: there are none, %s", collector.Quote(name), strings.Join(names, ", "))
}

// Foreign is the system's own number for so many attempts: "num_retries 1". It
// is "budget only" where the system bounds retries by its budget alone.
func (p Preset) Foreign(attempts int) string {
	if p.Word == "" {
		return "budget only"
	}
	if p.Extra {
		attempts--
	}
	return p.Word + " " + strconv.Itoa(attempts)
}

// Describe is the number of attempts with the foreign number beside it: "2
// attempts (Envoy num_retries 1)".
func (p *Policy) Describe() string {
	text := strconv.Itoa(p.Permitted()) + " attempts"
	if p.Permitted() == 1 {
		text = "1 attempt"
	}
	preset, err := Lookup(p.Preset)
	if err != nil {
		return text
	}
	if preset.Word == "" {
		return preset.System + ": attempts by budget only"
	}
	return text + " (" + preset.System + " " + preset.Foreign(p.Permitted()) + ")"
}
