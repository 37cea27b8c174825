package eval

import "github.com/prometheus/prometheus/model/labels"

// matching says by which labels samples belong together: by the named ones, or
// by all but these and the metric's name. names are sorted.
type matching struct {
	on    bool
	names []string
}

// key is the same for samples that belong together.
func (m matching) key(buf []byte, set labels.Labels) []byte {
	if m.on {
		return set.BytesWithLabels(buf, m.names...)
	}
	return set.DropReserved(isName).BytesWithoutLabels(buf, m.names...)
}

// keep are the labels that those have in common.
func (m matching) keep(set labels.Labels) labels.Labels {
	if !m.on {
		set = set.DropReserved(isName)
	}
	if !m.on && len(m.names) == 0 {
		return set
	}
	return set.MatchLabels(m.on, m.names...)
}
