package profilecmd

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"stormtop/collector/profile"
)

// writeList writes a line for each profile.
func writeList(w io.Writer, list []profile.Profile) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PROFILE\tSTATUS\tTRUST\tRATIO\tSYSTEM")
	for i := range list {
		p := &list[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", p.Name, status(p), p.Trust, ratio(p), p.Title)
	}
	return t.Flush()
}

func status(p *profile.Profile) string {
	if p.Unproven {
		return "unproven"
	}
	return "proven"
}

// ratio is what the amplification of a profile is a ratio of, "pool" where it
// has none.
func ratio(p *profile.Profile) string {
	if p.Pool() {
		return "pool"
	}
	return strings.ToLower(p.Kind.String())
}

// legend explains the fields of a profile. It stands above the file that is
// shown, so that the file can be changed without another page.
const legend = `# The profile %[1]s of stormtop. For one of your own, save this as my.yaml, change
# it, and run: stormtop --prom=URL --profile=./my.yaml
#
#   name        small letters, digits, underscores
#   title       one line for people
#   status      proven: tested against the system; else unproven
#   looks_for   the metric to name when nothing is found
#   detect      a query with any result where the system has data; it should ask
#               for a label, since a name alone proves nothing
#   by          the labels that make a target
#   callers     labels beside them that say who calls
#   supersedes  profiles that read the same series less well
#   kind        hop: attempts per request at one hop; edge: per request of a user
#   trust       exact, approx, lower_bound or heuristic: how far downstream /
#               ingress is retry amplification
#   signals     a query each, with $window for the range of the rates and $by for
#               the labels: ingress, downstream (or: ingress + retries), retries,
#               successes, rescued, at_limit, pool_wait, queue_depth, arrived,
#               overflow
#   units       where they are not the usual ones: pool_wait is seconds, unless
#               it is count or per_second
#   zero_fill   signals whose absence means 0 where there is ingress
#   absent      why a signal has no query
#   edge        ingress, downstream, trust, cannot_see of the system as a whole
#   cannot_see  one short sentence: which retries these metrics cannot show
#   notes       what else somebody should know

`

// writeFile writes the file of a built-in profile.
func writeFile(w io.Writer, name string) error {
	text, err := profile.Text(name)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, legend, name); err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
