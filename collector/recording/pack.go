package recording

import (
	"math"
	"slices"

	"stormtop/collector"
)

// A packer makes frames of readings. It knows the targets and shapes that were
// seen, so that frames share them and a writer declares each of them once.
type packer struct {
	targets map[string]*known[collector.Target] // by ID
	shapes  map[shapeKey]*known[shape]
	places  []placed // of the frame that was packed last
	fresh   struct { // not declared yet
		targets []*known[collector.Target]
		shapes  []*known[shape]
	}
	frame frame // reused
	next  int   // the index of the next target
}

// known is something that is declared under an index.
type known[T any] struct {
	index int
	what  T
}

// placed is a row with what it was declared as.
type placed struct {
	target *known[collector.Target]
	shape  *known[shape]
}

// shapeKey holds for each signal whether and how a row has it.
type shapeKey struct {
	signals [collector.NumSignals]uint32
	derived bool
}

const (
	isColumn = 1 << 16
	isAbsent = 2 << 16
)

func (p *packer) forget() {
	p.targets, p.shapes = map[string]*known[collector.Target]{}, map[shapeKey]*known[shape]{}
	p.fresh.targets, p.fresh.shapes, p.next = nil, nil, 0
}

// pack is the frame of a reading, good until the next call.
func (p *packer) pack(r *collector.Reading) *frame {
	if p.targets == nil || p.next+len(r.Targets)+1 > usualTargets || len(p.shapes) > usualShapes {
		p.forget()
	}
	p.fresh.targets, p.fresh.shapes = p.fresh.targets[:0], p.fresh.shapes[:0]
	f := &p.frame
	*f = frame{
		at: r.At, newest: r.Newest, origin: r.Origin, begins: r.Begins, past: r.Past, overload: r.Overload, missed: r.Missed, cost: r.Cost,
		layout: f.layout[:0], numbers: f.numbers[:0], states: f.states[:0],
	}
	p.places = p.places[:0]
	if len(r.Failures)+len(r.Warnings)+len(r.Reporters)+len(r.Asked) > 0 {
		f.particulars = &particulars{r.Failures, r.Warnings, r.Reporters, r.Asked}
	}
	if f.total = !nothing(&r.Total); f.total {
		p.row(&r.Total)
	}
	for i := range r.Targets {
		p.row(&r.Targets[i])
	}
	return f
}

// nothing reports whether a row says nothing at all.
func nothing(row *collector.Row) bool {
	t := &row.Target
	return t.ID == "" && t.Name == "" && len(t.Labels) == 0 && t.Kind == 0 && t.System == "" &&
		row.Baseline == 0 && row.Values == collector.Values{}
}

func (p *packer) row(row *collector.Row) {
	target := p.target(&row.Target)
	baseline := row.Baseline
	if math.IsNaN(baseline) || math.IsInf(baseline, 0) {
		baseline = 0
	}
	key := shapeOf(row, baseline)
	known := p.shape(&key)
	f := &p.frame
	f.numbers = append(f.numbers, baseline)
	for _, c := range known.what.columns {
		v := plain(row.Values[c.signal])
		f.numbers, f.states = append(f.numbers, v.V), append(f.states, v.State)
	}
	f.layout = append(f.layout, place{&target.what, &known.what})
	p.places = append(p.places, placed{target, known})
}

func (p *packer) target(t *collector.Target) *known[collector.Target] {
	k := p.targets[t.ID]
	if k != nil && k.what.Name == t.Name && k.what.Kind == t.Kind && k.what.System == t.System && slices.Equal(k.what.Labels, t.Labels) {
		return k
	}
	k = &known[collector.Target]{p.next, *t}
	p.next++
	p.targets[t.ID] = k
	p.fresh.targets = append(p.fresh.targets, k)
	return k
}

func (p *packer) shape(key *shapeKey) *known[shape] {
	if k := p.shapes[*key]; k != nil {
		return k
	}
	k := &known[shape]{index: len(p.shapes)}
	k.what.derived = key.derived
	for s, bits := range key.signals {
		c := column{collector.Signal(s), collector.Unit(bits >> 8), collector.Trust(bits)}
		switch bits &^ 0xffff {
		case isColumn:
			k.what.columns = append(k.what.columns, c)
		case isAbsent:
			k.what.absent = append(k.what.absent, c)
		}
	}
	p.shapes[*key] = k
	p.fresh.shapes = append(p.fresh.shapes, k)
	return k
}

// shapeOf says what of a row must be written.
func shapeOf(row *collector.Row, baseline float64) shapeKey {
	key := shapeKey{derived: true}
	var again collector.Values // what follows from the inputs alone
	copy(again[:collector.Amplification], row.Values[:collector.Amplification])
	again.Derive(baseline)
	for s := collector.Amplification; s < collector.NumSignals; s++ {
		// A derived value that is missing but would follow cannot be left out.
		key.derived = key.derived && (row.Values[s] == again[s] || row.Values[s].State != collector.Missing)
	}
	for s := collector.Ingress; s < collector.NumSignals; s++ {
		v := plain(row.Values[s])
		bits := uint32(v.Unit)<<8 | uint32(v.Trust)
		switch {
		case key.derived && s.Derived() && row.Values[s] == again[s]:
		case v == collector.Value{}:
		case v.State == collector.Missing:
			key.signals[s] = isAbsent | bits
		default:
			key.signals[s] = isColumn | bits
		}
	}
	return key
}
