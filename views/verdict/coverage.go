package verdict

import (
	"fmt"
	"slices"
	"strings"

	"stormtop/alerts"
	"stormtop/collector"
)

// Coverage says how many rules could be judged, and why the others could not:
// "2 of 3 rules judged; at limit: not exported by envoy", "3 rules judged". Of
// systems by which a rule is not judged while another judges it, those are told
// that judged it before.
func Coverage(c alerts.Coverage, o *collector.Origin) string { return coverage(c, o, nil) }

// coverage is Coverage with what is known of the reporters.
func coverage(c alerts.Coverage, o *collector.Origin, reporters []collector.Reporters) string {
	lacks := c.Missing
	text := fmt.Sprintf("%d of %s judged", c.Judged, plural(c.Of, "rule"))
	switch {
	case c.Of == 0:
		return "no rule is on"
	case c.Judged == 0:
		text = "no rule can be judged"
	case c.Judged == c.Of:
		text = plural(c.Of, "rule") + " judged"
	}
	if c.Lost() {
		if c.Judged == c.Of {
			text += ", not everywhere"
		}
		for _, m := range c.Elsewhere {
			if m.Why != alerts.WhyNotExported && m.Why != alerts.WhyFanOut {
				lacks = append(lacks[:len(lacks):len(lacks)], m)
			}
		}
	}
	said := map[string]bool{}
	for _, m := range lacks {
		if why := missing(m, o, reporters); !said[why] {
			said[why] = true
			text += "; " + why
		}
	}
	return text
}

// missing says what kept a rule from being judged: "at limit: not exported by
// envoy", "ingress (grpc_otel): no data".
func missing(m alerts.Missing, o *collector.Origin, reporters []collector.Reporters) string {
	systems := collector.Clean(strings.Join(m.Systems, " and "))
	if m.Why == alerts.WhyNotExported && asked(m, o) {
		return SignalWord(m.Signal) + ": no data yet"
	}
	if m.Why == alerts.WhyNotExported {
		if systems == "" {
			systems = exporter(o)
		}
		return SignalWord(m.Signal) + ": not exported by " + systems
	}
	behind := ""
	if systems != "" {
		behind = " (" + systems + ")"
	}
	if m.Why == alerts.WhyPartial {
		of := collector.Target{}
		if len(m.Systems) > 0 {
			of.System = m.Systems[0]
		}
		if text := ShortSides(reporters, of); text != "" {
			return text + behind
		}
	}
	return SignalWord(m.Signal) + behind + ": " + m.Why.String()
}

// asked reports whether all systems concerned have a query for the signal, so
// that it is no matter of what they export.
func asked(m alerts.Missing, o *collector.Origin) bool {
	if o == nil || len(o.Systems) == 0 {
		return false
	}
	for _, sys := range o.Systems {
		if (len(m.Systems) == 0 || slices.Contains(m.Systems, sys.Profile)) && !sys.Asked[m.Signal] {
			return false
		}
	}
	return true
}

func exporter(o *collector.Origin) string {
	switch {
	case o != nil && o.Profile != "":
		return o.Profile
	case o != nil && o.Source != "":
		return o.Source
	}
	return "this source"
}
