package rulefile

import "go.yaml.in/yaml/v3"

// mostMerged bounds how many keys are taken over from elsewhere in one mapping.
const mostMerged = 1000

// entries are the keys and values of a mapping, in turn, and behind them what its
// merge keys (<<) take over from others: what is nearer hides what is farther.
func (r *reader) entries(n *yaml.Node) []*yaml.Node {
	var own, merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Tag == "!!merge" {
			merges = append(merges, n.Content[i+1])
		} else {
			own = append(own, n.Content[i], n.Content[i+1])
		}
	}
	if len(merges) == 0 {
		return own
	}
	seen := map[string]bool{}
	for i := 0; i < len(own); i += 2 {
		seen[own[i].Value] = true
	}
	left := mostMerged
	for len(merges) > 0 {
		from := resolve(merges[0])
		merges = merges[1:]
		if left--; left < 0 {
			r.wrong(n, "more is merged into it than can be read")
			break
		}
		switch from.Kind {
		case yaml.SequenceNode:
			left -= len(from.Content)
			merges = append(append([]*yaml.Node(nil), from.Content...), merges...)
		case yaml.MappingNode:
			var deeper []*yaml.Node
			for i := 0; i+1 < len(from.Content); i += 2 {
				key := from.Content[i]
				switch left--; {
				case key.Tag == "!!merge":
					deeper = append(deeper, from.Content[i+1])
				case !seen[key.Value]:
					seen[key.Value] = true
					own = append(own, key, from.Content[i+1])
				}
			}
			merges = append(deeper, merges...)
		default:
			r.wrong(from, "what is merged with << is a mapping, or a list of them")
		}
	}
	return own
}
