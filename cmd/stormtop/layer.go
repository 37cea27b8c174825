package main

// layer is what one place says: the defaults, the file, a context in it, the
// environment or the flags. A later layer wins.
type layer struct {
	kind  layerKind
	given map[string]given // by the name of the option
}

// layerKind says what a layer is.
type layerKind uint8

// The kinds of layer, weakest first. A context has the rank of what named it:
// see rank.
const (
	defaultLayer layerKind = iota
	fileLayer
	contextLayer
	envLayer
	flagLayer
)

// given is one option in one layer.
type given struct {
	texts []string // as written
	at    string   // the place: "--span", "STORMTOP_SPAN", "config.yaml:3"
	each  []string // the place of each text
}

func newLayer(kind layerKind) layer { return layer{kind: kind, given: map[string]given{}} }

// put adds a value. The last one counts, unless the option takes several.
func (l layer) put(o *option, text, at string) {
	g := l.given[o.name]
	if o.form != pairs && o.form != list {
		g = given{}
	}
	g.texts, g.each = append(g.texts, text), append(g.each, at)
	if g.at == "" {
		g.at = at
	}
	l.given[o.name] = g
}

// check parses every value of the layer, and returns all errors, each with its
// place.
func (l layer) check(all []option) problems {
	var out problems
	var scratch settings
	for i := range all {
		g, ok := l.given[all[i].name]
		if !ok {
			continue
		}
		whole := true
		if all[i].form == pairs { // several values, each of which may be wrong
			for j, text := range g.texts {
				if err := all[i].set(&scratch, []string{text}); err != nil {
					out.add(g.each[j], err)
					whole = false
				}
			}
		}
		if !whole {
			continue
		}
		if err := all[i].set(&scratch, g.texts); err != nil {
			out.add(g.at, err)
		}
	}
	return out
}
