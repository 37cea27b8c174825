package main

import (
	"strings"

	"stormtop/collector"
	"stormtop/collector/usage"
)

// helpColumns is the width of the help text.
const helpColumns = 80

// helpHead is what somebody reads first in an incident: what to type.
const helpHead = `stormtop shows a retry storm while it forms: what amplifies, how much, where,
and whether it is retries or just traffic.

  stormtop --prom=http://HOST:9090         watch a Prometheus
  stormtop --prom=http://HOST:9090 --once  one reading and a verdict, then exit
  stormtop doctor --prom=http://HOST:9090  what is there, and what is missing
  stormtop profiles                        the systems that are known
  stormtop rules --profile=NAME            the alert rules, for a Prometheus
  stormtop tune --prom=URL --from=-6h      would they have warned, and earlier?
  stormtop                                 a simulated storm; nothing is needed
  stormtop --sim=payment-1945 --speed=10x  see stormtop scenarios
  stormtop simulate payment-1945 --act     the same as figures
  stormtop lab                             one outage, six retry strategies
  stormtop completion bash|zsh|fish        shell completion
  stormtop help VERB                       more about a verb

On the screen ? lists the keys and q leaves.
`

// helpTail is what somebody looks up when writing a script.
const helpTail = `Every flag is a variable, too: --min-traffic is STORMTOP_MIN_TRAFFIC; what is
repeatable has one value a line there. Flags go before variables, those before
the file, that before the defaults. Durations: 500ms, 30s, 1m30s, 2h, 1d.

EXIT STATUS of --once and --plain
  0  nothing fires, and every rule could be judged
  1  a rule fires
  2  the command line or the configuration is wrong, or no source is named
  3  no data, or the source cannot be reached
  4  nothing fires, but not every rule could be judged
A screen ends with 0 when it is left, by a key or by a signal; 2 is as above.
`

// helpText is the text of --help.
func helpText(gs []group) string {
	var b strings.Builder
	b.WriteString(helpHead)
	for _, g := range gs {
		b.WriteString("\n" + g.title + "\n")
		width := 0
		for i := range g.options {
			if n := len(g.options[i].usage()); n <= 32 {
				width = max(width, n)
			}
		}
		for i := range g.options {
			writeOption(&b, &g.options[i], width)
		}
	}
	b.WriteString("\n" + helpTail)
	return b.String()
}

func writeOption(b *strings.Builder, o *option, width int) {
	indent := 2 + width + 2
	line := "  " + o.usage()
	if len(o.usage()) > width {
		b.WriteString(line + "\n")
		line = ""
	}
	for i, text := range usage.Wrap(describe(o), helpColumns-indent) {
		if i > 0 {
			line = ""
		}
		b.WriteString(line + strings.Repeat(" ", indent-len(line)) + text + "\n")
	}
}

// describe is the help of an option with its default.
func describe(o *option) string {
	switch {
	case o.def != "":
		return o.help + " (" + o.def + ")"
	case o.unset != "":
		return o.help + " (not given: " + o.unset + ")"
	}
	return o.help
}

// verb is a first word that does something of its own.
type verb struct {
	name string
	help string
}

// verbs are those that exist.
func verbs() []verb {
	return []verb{
		{"doctor", "what a Prometheus has, what is missing, and what to do about it"},
		{"profiles", "the systems that are known"},
		{"scenarios", "the outages that can be simulated"},
		{"simulate", "run a scenario without a screen, as fast as it goes"},
		{"rules", "the alert rules, for a Prometheus"},
		{"tune", "judge the rules by what happened, and find better numbers"},
		{"lab", "compare retry strategies in one outage"},
		{"completion", "write a completion script for a shell"},
		{"help", "explain a verb"},
	}
}

func verbNames() []string {
	var out []string
	for _, v := range verbs() {
		out = append(out, v.name)
	}
	return out
}

const completionHelp = `stormtop completion bash|zsh|fish writes a completion script to standard output.

  bash  source <(stormtop completion bash)            # in ~/.bashrc
  zsh   stormtop completion zsh > DIR/_stormtop       # DIR being in $fpath
  fish  stormtop completion fish > ~/.config/fish/completions/stormtop.fish
`

// unknownWord explains a first word that is no verb.
func unknownWord(word string) string {
	quoted := collector.Quote(word)
	switch {
	case strings.Contains(word, "://") || strings.Contains(word, ":9090"):
		return quoted + " is no verb: to watch it, write --prom=" + collector.MaskAddress(word)
	case usage.Nearest(word, verbNames()) != "":
		return quoted + " is no verb: did you mean " + usage.Nearest(word, verbNames()) + "?"
	}
	return quoted + " is no verb: there are " + strings.Join(verbNames(), ", ") + "; flags begin with --"
}
