package main

import (
	"strings"
	"testing"
)

func TestTheModeFollowsFromFlagsAndTerminal(t *testing.T) {
	for _, test := range []struct {
		args     string
		env      []string
		terminal bool
		want     mode
		err      string
	}{
		{"", nil, true, screenMode, ""},
		{"", nil, false, 0, "a source must be named"},
		{"--once", nil, true, 0, "a source must be named"},
		{"--plain", nil, true, 0, "a source must be named"},
		{"--prom=a", nil, true, screenMode, ""},
		{"--prom=a", nil, false, onceMode, ""},
		{"--once", []string{"STORMTOP_PROM=a"}, true, onceMode, ""},
		{"--sim=demo --plain", nil, true, plainMode, ""},
		{"--sim=demo --plain --once", nil, true, 0, "--once and --plain contradict each other"},
		{"--sim=demo --plain", []string{"STORMTOP_ONCE=1"}, true, plainMode, ""},
		{"--sim=demo --plain=false", []string{"STORMTOP_PLAIN=1"}, true, screenMode, ""},
		{"--prom=a --once --for=1m", nil, true, 0, "use --plain instead"},
		{"--prom=a --for=1m", nil, false, 0, "standard output is no terminal"},
		{"--prom=a --once", []string{"STORMTOP_FOR=1m"}, true, onceMode, ""},
		{"--sim=lab:S3 --once --for=1m", nil, true, onceMode, ""},
		{"--sim=demo --once --listen=:0", nil, true, 0, "add --plain"},
		{"--sim=demo --listen=:0", nil, false, 0, "standard output is no terminal"},
		{"--sim=demo --format=json", nil, true, 0, "add --once or --plain"},
		{"--sim=demo --plain --format=json", nil, true, plainMode, ""},
		{"--prom=a --speed=2x", nil, true, 0, "--speed does not go with --prom"},
		{"--prom=a", []string{"STORMTOP_SPEED=2x"}, true, screenMode, ""},
		{"--sim=demo --by=x", nil, true, 0, "--by does not go with a simulation"},
		{"--signal=ingress=up", nil, true, 0, "--signal needs a Prometheus"},
		{"--prom.header=a=b --once", nil, true, 0, "--prom.header needs a Prometheus"},
		{"--speed=10x", nil, true, screenMode, ""},
		{"--sim=demo --incident=12:00/12:30 --write-rules=a.yml", nil, true, screenMode, ""},
		{"--sim=demo --plain --incident=12:00/12:30", nil, true, 0, "use stormtop tune"},
		{"--prom=a --write-rules=a.yml", nil, false, 0, "for the Rules screen (standard output is no terminal"},
		{"--sim=demo --incident-alert=Down", nil, true, 0, "--incident-alert does not go with a simulation"},
		{"--prom=a --incident-alert=Down", nil, true, screenMode, ""},
	} {
		t.Run(test.args, func(t *testing.T) {
			r, err := settle(t, "", test.env, strings.Fields(test.args)...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.chooseMode(test.terminal)
			switch {
			case test.err != "":
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("%v, want %q", err, test.err)
				}
			case err != nil || got != test.want:
				t.Errorf("mode %d, %v, want %d", got, err, test.want)
			}
		})
	}
}
