package recording

import (
	"encoding/json"
	"fmt"

	"stormtop/collector"
)

// targetsLine declares targets for the lines that follow. Declaring an index
// again replaces what it stood for.
type targetsLine struct {
	Type    string       `json:"type"`
	Targets []targetWire `json:"targets"`
}

type targetWire struct {
	Index  int       `json:"index"`
	ID     *text     `json:"id,omitempty"` // nil: it follows from the rest
	Name   text      `json:"name"`
	Labels [][2]text `json:"labels,omitzero"`
	Kind   string    `json:"kind,omitempty"`
	System text      `json:"system,omitempty"`
}

func wireTarget(k *known[collector.Target]) targetWire {
	t := &k.what
	w := targetWire{Index: k.index, Name: text(t.Name), Kind: kindName(t.Kind), System: text(t.System)}
	if t.Labels != nil {
		w.Labels = make([][2]text, len(t.Labels))
	}
	for i, l := range t.Labels {
		w.Labels[i] = [2]text{text(l.Name), text(l.Value)}
	}
	if t.ID != usualID(t) {
		id := text(t.ID)
		w.ID = &id
	}
	return w
}

// usualID is the ID of a target that was made by NewTarget and In.
func usualID(t *collector.Target) string {
	return collector.NewTarget(t.Kind, t.Labels...).In(t.System).ID
}

func (w *targetWire) target() (*collector.Target, error) {
	if w.Index < 0 || w.Index >= maxTargets {
		return nil, fmt.Errorf("a target has the index %d: they end at %d", w.Index, maxTargets-1)
	}
	if len(w.Labels) > maxLabels {
		return nil, fmt.Errorf("a target has %d labels: at most %d are read", len(w.Labels), maxLabels)
	}
	t := &collector.Target{Name: w.Name.clean(), System: w.System.clean()}
	if w.Labels != nil {
		t.Labels = make([]collector.Label, len(w.Labels))
	}
	for i, l := range w.Labels {
		t.Labels[i] = collector.Label{Name: string(l[0]), Value: string(l[1])}
	}
	var err error
	if t.Kind, err = parseKind(w.Kind); err != nil {
		return nil, err
	}
	if w.ID != nil {
		t.ID = string(*w.ID)
	} else {
		t.ID = usualID(t)
	}
	return t, nil
}

// shapesLine declares shapes, as targetsLine does targets.
type shapesLine struct {
	Type   string      `json:"type"`
	Shapes []shapeWire `json:"shapes"`
}

type shapeWire struct {
	Index   int          `json:"index"`
	Values  []columnWire `json:"values"`
	Missing []columnWire `json:"missing,omitempty"`
	Derived bool         `json:"derived,omitempty"`
}

type columnWire struct {
	Signal string `json:"signal"`
	Unit   string `json:"unit,omitempty"`
	Trust  string `json:"trust,omitempty"`
}

func wireShape(k *known[shape]) shapeWire {
	return shapeWire{k.index, wireColumns(k.what.columns), wireColumns(k.what.absent), k.what.derived}
}

func wireColumns(list []column) []columnWire {
	out := make([]columnWire, len(list))
	for i, c := range list {
		out[i] = columnWire{c.signal.String(), nameOf(c.unit), nameOf(c.trust)}
	}
	return out
}

func (w *shapeWire) shape() (*shape, error) {
	if w.Index < 0 || w.Index >= maxShapes {
		return nil, fmt.Errorf("a shape has the index %d: they end at %d", w.Index, maxShapes-1)
	}
	out, seen := &shape{derived: w.Derived}, [collector.NumSignals]bool{}
	for i, list := range [][]columnWire{w.Values, w.Missing} {
		for _, wire := range list {
			c, err := wire.column()
			if err != nil {
				return nil, err
			}
			if seen[c.signal] {
				return nil, fmt.Errorf("a shape has the signal %s twice", c.signal)
			}
			seen[c.signal] = true
			if i == 0 {
				out.columns = append(out.columns, c)
			} else {
				out.absent = append(out.absent, c)
			}
		}
	}
	return out, nil
}

func (w *columnWire) column() (c column, err error) {
	if c.signal, err = collector.ParseSignal(w.Signal); err != nil {
		return c, err
	}
	if c.unit, err = named[collector.Unit]("unit", w.Unit); err != nil {
		return c, err
	}
	c.trust, err = named[collector.Trust]("trust", w.Trust)
	return c, err
}

// tables are the declarations in use while a recording is read.
type tables struct {
	targets []declared[collector.Target]
	shapes  []declared[shape]
	bytes   int // of the declarations in use
}

type declared[T any] struct {
	what  *T
	bytes int // of the line's share
}

func (t *tables) readTargets(line []byte) error {
	var w targetsLine
	if err := json.Unmarshal(line, &w); err != nil {
		return err
	}
	for i := range w.Targets {
		target, err := w.Targets[i].target()
		if err != nil {
			return err
		}
		if err := put(&t.targets, &t.bytes, w.Targets[i].Index, target, len(line)/len(w.Targets)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tables) readShapes(line []byte) error {
	var w shapesLine
	if err := json.Unmarshal(line, &w); err != nil {
		return err
	}
	for i := range w.Shapes {
		s, err := w.Shapes[i].shape()
		if err != nil {
			return err
		}
		if err := put(&t.shapes, &t.bytes, w.Shapes[i].Index, s, len(line)/len(w.Shapes)); err != nil {
			return err
		}
	}
	return nil
}

// put enters a declaration, unless those in use become too many bytes.
func put[T any](table *[]declared[T], total *int, index int, what *T, bytes int) error {
	if index < len(*table) {
		*total -= (*table)[index].bytes
		(*table)[index] = declared[T]{}
	}
	if *total+bytes > maxDeclared {
		return fmt.Errorf("more than %d MiB of targets are declared", maxDeclared>>20)
	}
	*total += bytes
	for len(*table) <= index {
		*table = append(*table, declared[T]{})
	}
	(*table)[index] = declared[T]{what, bytes}
	return nil
}

// place finds what a row was declared as.
func (t *tables) place(target, shape int) (place, error) {
	if target < 0 || target >= len(t.targets) || t.targets[target].what == nil {
		return place{}, fmt.Errorf("the target %d was not declared", target)
	}
	if shape < 0 || shape >= len(t.shapes) || t.shapes[shape].what == nil {
		return place{}, fmt.Errorf("the shape %d was not declared", shape)
	}
	return place{t.targets[target].what, t.shapes[shape].what}, nil
}
