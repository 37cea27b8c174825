package labcmd

import (
	"strings"

	"stormtop/simfeed/lab"
	"stormtop/simfeed/table"
)

const helpHead = `stormtop lab runs the outage lab: clients that ask once a second, a total outage
of a few seconds, and a retry strategy that decides what comes of it. The same
script and seed give the same numbers to the last digit.

  stormtop lab                      the published tables: strategies, recovery,
                                    seeds, budget-off and breaker controls
  stormtop lab --seeds=4242,1,7     every strategy for each seed
  stormtop lab --format=json        all published runs as data
  stormtop lab --strategy=S3,S4 --clients=1000 --capacity=1200

Naming a strategy, a seed or a parameter runs the chosen strategies alone, the
controls only if named. A parameter given overrides every chosen strategy.

`

const helpTail = `
"S6 > 100" is S6 with a breaker that trips beyond 100 failures in a row, not 400.
Amplification is attempts / requests, the first attempt included. Percentiles are
nearest rank over the requests answered. "Wrongly refused" are attempts that the
breaker refused although they could have been served.

json is an array of runs, csv has a row a run with the same names; lists are
separated by spaces there. maxRetry counts retries, one less than attempts;
arrivalsSeconds26to28 are the attempts in the three seconds after the outage, 26
to 28 as published. What does not exist (a percentile when nothing was answered)
is null, and empty in csv.

Exit status: 0 done, 1 interrupted or not written, 2 a mistake in the arguments.
`

// help is the text of --help.
func help() string {
	var b strings.Builder
	b.WriteString(helpHead)
	b.WriteString("Flags:\n")
	b.WriteString(newOptions().flags.FlagUsagesWrapped(80))
	b.WriteString("\nStrategies and controls:\n")
	t := table.Table{}
	for _, s := range append(lab.Strategies(), lab.Controls()...) {
		t.Add("  "+s.ID, s.Title)
	}
	t.Left = 2
	t.Write(&b)
	b.WriteString(helpTail)
	return b.String()
}
