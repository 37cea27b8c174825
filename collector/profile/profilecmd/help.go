package profilecmd

const helpHead = `stormtop profiles lists the systems that stormtop knows by itself. A profile says
by which query a system is found, what its signals are in PromQL, how far its
amplification is to be trusted, and which retries it cannot see.

  stormtop profiles                    a line for each
  stormtop profiles --show=haproxy     one of them, as a file
  stormtop profiles --format=json      all of them as data

For a system that is missing, save the nearest one as a file of your own, change
it, and name it:

  stormtop profiles --show=envoy > my.yaml
  stormtop --prom=http://HOST:9090 --profile=./my.yaml

`

const helpTail = `
proven    tested against the system itself or series of its exact shape
unproven  made from source or documents, parsed, never run

exact        the ratio is retry amplification
approx       nearly: what is left out or counted late is in --show
lower_bound  there may be more retries than can be seen
heuristic    fan-out is in it; compare with the same service on a calm day

hop   attempts per request at one caller and its dependency
edge  attempts at the dependency per request of a user
pool  no ratio: what waits for a connection, a thread or a worker

Exit status: 0 done, 1 not written, 2 a mistake in the arguments.
`

// help is the text of --help.
func help() string {
	return helpHead + "Flags:\n" + newOptions().flags.FlagUsagesWrapped(80) + helpTail
}
