package scenariocmd

const helpHead = `stormtop scenarios lists the outages that stormtop can simulate by itself. Each
says what to look for, where its numbers come from, and which of them were
fitted.

  stormtop scenarios                       a line for each
  stormtop scenarios --show payment-1945   one of them, as a file
  stormtop scenarios --format=json         all of them as data

Watch one with stormtop --sim=NAME, run one with stormtop simulate NAME. For one
of your own, save the nearest one and change it; an error has its line and
column:

  stormtop scenarios --show payment-1945 > my.yaml
  stormtop scenarios --show my.yaml
  stormtop --sim=my.yaml --speed=10x

`

const helpTail = `
Exit status: 0 done, 1 not written, 2 a mistake in the arguments or in a file.
`

// help is the text of --help.
func help() string {
	flags, _, _ := newFlags()
	return helpHead + "Flags:\n" + flags.FlagUsagesWrapped(80) + helpTail
}
