package chain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"stormtop/collector"
	"stormtop/simfeed/chain/field"
	"stormtop/simfeed/chain/policy"
)

// FieldError says what is wrong with a field of a scenario.
type FieldError struct {
	Field string // the path, as Fields lists it
	Text  string // what is wrong and what would be right, without the path
}

// Error is the whole sentence.
func (e *FieldError) Error() string { return e.Field + ": " + e.Text }

func bad(path, format string, args ...any) error {
	return &FieldError{Field: path, Text: fmt.Sprintf(format, args...)}
}

// Knob is one field of a scenario with its value.
type Knob struct {
	field.Info        // the name is the whole path
	Value      string // as Set reads it
}

// slot is a field bound to the value it belongs to.
type slot struct {
	info   field.Info // the name is the whole path
	get    func() string
	set    func(string) error
	check  func() error
	float  func() (float64, bool)
	setNum func(float64) bool
}

func bind[T any](prefix string, f field.Field[T], t *T) slot {
	info := f.Info
	info.Name = prefix + f.Name
	return slot{
		info:   info,
		get:    func() string { return f.Get(t) },
		set:    func(text string) error { return f.Set(t, text) },
		check:  func() error { return f.Check(t) },
		float:  func() (float64, bool) { return f.Float(t) },
		setNum: func(n float64) bool { return f.SetFloat(t, n) },
	}
}

// Fields are all fields of a scenario with their values. Paths are the field's
// name alone ("length"), or begin with "classes.NAME.", "services.NAME.",
// "services.NAME[CLASS].", "edges.CALLER>CALLEE." or
// "edges.CALLER>CALLEE[CLASS].". What a class does not have of its own is not
// listed, but can be set.
func (s *Scenario) Fields() []Knob {
	var out []Knob
	for _, slot := range s.slots() {
		out = append(out, Knob{slot.info, slot.get()})
	}
	return out
}

func (s *Scenario) slots() []slot {
	var out []slot
	all := func(more []slot) { out = append(out, more...) }
	all(bindAll("", scenarioFields, s))
	for i := range s.Classes {
		c := &s.Classes[i]
		all(bindAll("classes."+c.Name+".", classFields, c))
	}
	for i := range s.Services {
		v := &s.Services[i]
		all(bindAll("services."+v.Name+".", serviceFields, v))
		for j := range v.Classes {
			all(bindAll(ofClass("services."+v.Name, v.Classes[j].Class), classWorkFields, &v.Classes[j]))
		}
		for j := range v.Own {
			all(bindAll(ofClass("services."+v.Name, v.Own[j].Class), classPoolFields, &v.Own[j]))
		}
	}
	for i := range s.Edges {
		e := &s.Edges[i]
		all(bindAll("edges."+e.Name()+".", edgeFields, e))
		all(bindAll("edges."+e.Name()+".", policyOfEdge, e))
		for j := range e.Classes {
			all(bindAll(ofClass("edges."+e.Name(), e.Classes[j].Class), policyOfClass, &e.Classes[j]))
		}
	}
	return out
}

func ofClass(owner, class string) string { return owner + "[" + class + "]." }

func bindAll[T any](prefix string, table field.Table[T], t *T) []slot {
	out := make([]slot, len(table))
	for i, f := range table {
		out[i] = bind(prefix, f, t)
	}
	return out
}

// Get is the value of a field by its path. What a class does not have of its
// own is what it shares.
func (s *Scenario) Get(path string) (string, error) {
	trial := s.Clone() // looking at a class must not give it something of its own
	slots, err := trial.find(path)
	if err != nil {
		return "", err
	}
	return slots[0].get(), nil
}

// Set sets a field by its path. A name may be "*", for all there are. Setting a
// field of a class at an edge or a service gives it a policy, work or a pool of
// its own, with all else as it was. The error is a *FieldError; the scenario is
// then unchanged. Only the field itself is checked; Validate checks the whole.
func (s *Scenario) Set(path, value string) error {
	trial := s.Clone()
	slots, err := trial.find(path)
	if err != nil {
		return err
	}
	for _, slot := range slots {
		if err := slot.set(value); err != nil {
			return bad(slot.info.Name, "%v", err)
		}
	}
	*s = trial
	return nil
}

// find is the fields that a path means, at least one.
func (s *Scenario) find(path string) ([]slot, error) {
	kind, rest, _ := strings.Cut(path, ".")
	var out []slot
	var err error
	switch kind {
	case "classes":
		out, err = s.findClass(path, rest)
	case "services":
		out, err = s.findService(path, rest)
	case "edges":
		out, err = s.findEdge(path, rest)
	default:
		f, missing := scenarioFields.Find(path)
		if missing != nil {
			return nil, bad(collector.Clean(path), "%v; all others begin with classes., services. or edges.", missing)
		}
		return []slot{bind("", f, s)}, nil
	}
	return out, err
}

// parts of "NAME[CLASS].FIELD"; the class is "" where there is none.
func parts(path, rest string) (name, class, fieldName string, err error) {
	name, fieldName, ok := strings.Cut(rest, ".")
	if at := strings.IndexByte(name, '['); at >= 0 {
		class, ok = strings.CutSuffix(name[at+1:], "]")
		ok = ok && class != "" && fieldName != ""
		name = name[:at]
	}
	if !ok || name == "" || fieldName == "" {
		return "", "", "", bad(collector.Clean(path), "is no path: write classes.NAME.FIELD, services.NAME.FIELD or edges.CALLER>CALLEE.FIELD, with NAME[CLASS] for one class")
	}
	return name, class, fieldName, nil
}

// partsOf are the parts of a path whose class, where it has one, must exist.
func (s *Scenario) partsOf(path, rest string) (name, class, fieldName string, err error) {
	name, class, fieldName, err = parts(path, rest)
	if err == nil && class != "" && class != "*" && !slices.Contains(s.classNames(), class) {
		err = unknown(path, "class", class, s.classNames())
	}
	return name, class, fieldName, err
}

// meant are the paths of all fields that a path with "*" means; none where it
// means nothing.
func (s *Scenario) meant(path string) []string {
	slots, err := s.find(path)
	if err != nil {
		return nil
	}
	var out []string
	for _, slot := range slots {
		out = append(out, slot.info.Name)
	}
	return out
}

func unknown(path, what, name string, names []string) error {
	if len(names) == 0 {
		return bad(collector.Clean(path), "there is no %s %s, nor any other", what, collector.Quote(name))
	}
	return bad(collector.Clean(path), "there is no %s %s: there are %s", what, collector.Quote(name), strings.Join(names, ", "))
}

func (s *Scenario) classNames() []string {
	return names(s.Classes, func(c *Class) string { return c.Name })
}

func (s *Scenario) serviceNames() []string {
	return names(s.Services, func(v *Service) string { return v.Name })
}

func (s *Scenario) edgeNames() []string {
	return names(s.Edges, func(e *Edge) string { return e.Name() })
}

func names[T any](list []T, name func(*T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = name(&list[i])
	}
	return out
}

func (s *Scenario) findClass(path, rest string) ([]slot, error) {
	name, class, fieldName, err := parts(path, rest)
	if err != nil {
		return nil, err
	}
	f, err := classFields.Find(fieldName)
	if err != nil || class != "" {
		return nil, bad(collector.Clean(path), "%v", cmp.Or(err, errors.New("a class has no classes of its own")))
	}
	var out []slot
	for i := range s.Classes {
		if c := &s.Classes[i]; name == "*" || c.Name == name {
			out = append(out, bind("classes."+c.Name+".", f, c))
		}
	}
	if out == nil {
		return nil, unknown(path, "class", name, s.classNames())
	}
	return out, nil
}

func (s *Scenario) findService(path, rest string) ([]slot, error) {
	name, class, fieldName, err := s.partsOf(path, rest)
	if err != nil {
		return nil, err
	}
	var out []slot
	for i := range s.Services {
		v := &s.Services[i]
		if name != "*" && v.Name != name {
			continue
		}
		if class == "" {
			f, err := serviceFields.Find(fieldName)
			if err != nil {
				return nil, bad(collector.Clean(path), "%v", err)
			}
			out = append(out, bind("services."+v.Name+".", f, v))
			continue
		}
		for _, c := range s.classNames() {
			if class != "*" && class != c {
				continue
			}
			more, err := v.ofClass(c, fieldName)
			if err != nil {
				return nil, bad(collector.Clean(path), "%v", err)
			}
			out = append(out, more)
		}
	}
	if out == nil {
		return nil, unknown(path, "service", name, s.serviceNames())
	}
	return out, nil
}

// ofClass gives a class work or a pool of its own, to be set.
func (v *Service) ofClass(class, fieldName string) (slot, error) {
	prefix := ofClass("services."+v.Name, class)
	if f, err := classPoolFields.Find(fieldName); err == nil {
		i := slices.IndexFunc(v.Own, func(p ClassPool) bool { return p.Class == class })
		if i < 0 {
			i, v.Own = len(v.Own), append(v.Own, ClassPool{Class: class})
		}
		return bind(prefix, f, &v.Own[i]), nil
	}
	f, err := classWorkFields.Find(fieldName)
	if err != nil {
		return slot{}, fmt.Errorf("%w of a class at a service; and queue, workers of a pool of its own", err)
	}
	i := slices.IndexFunc(v.Classes, func(w ClassWork) bool { return w.Class == class })
	if i < 0 {
		i, v.Classes = len(v.Classes), append(v.Classes, ClassWork{Class: class, Time: v.Time, ErrorRate: v.ErrorRate})
	}
	return bind(prefix, f, &v.Classes[i]), nil
}

func (s *Scenario) findEdge(path, rest string) ([]slot, error) {
	name, class, fieldName, err := s.partsOf(path, rest)
	if err != nil {
		return nil, err
	}
	var out []slot
	for i := range s.Edges {
		e := &s.Edges[i]
		if name != "*" && e.Name() != name {
			continue
		}
		if class == "" {
			f, err := edgeFields.Find(fieldName)
			if err != nil {
				if f, err = policyOfEdge.Find(fieldName); err != nil {
					return nil, bad(collector.Clean(path), "%v, calls, parallel", err)
				}
			}
			out = append(out, bind("edges."+e.Name()+".", f, e))
			continue
		}
		f, err := policyOfClass.Find(fieldName)
		if err != nil {
			return nil, bad(collector.Clean(path), "%v", err)
		}
		for i := range s.Classes {
			c := &s.Classes[i]
			if class == c.Name || class == "*" && slices.Contains(c.hops(), e.Name()) {
				out = append(out, bind(ofClass("edges."+e.Name(), c.Name), f, e.ofClass(c.Name)))
			}
		}
	}
	if out == nil {
		return nil, unknown(path, "edge", name, s.edgeNames())
	}
	return out, nil
}

// ofClass gives a class a policy of its own, to be set.
func (e *Edge) ofClass(class string) *ClassPolicy {
	i := slices.IndexFunc(e.Classes, func(c ClassPolicy) bool { return c.Class == class })
	if i < 0 {
		i, e.Classes = len(e.Classes), append(e.Classes, ClassPolicy{class, e.Policy})
	}
	return &e.Classes[i]
}

// PolicyOf is the policy of a class at an edge.
func (e *Edge) PolicyOf(class string) *policy.Policy {
	for i := range e.Classes {
		if e.Classes[i].Class == class {
			return &e.Classes[i].Policy
		}
	}
	return &e.Policy
}

// hops are the names of the edges of a path.
func (c *Class) hops() []string {
	var out []string
	for i := 1; i < len(c.Path); i++ {
		out = append(out, c.Path[i-1]+">"+c.Path[i])
	}
	return out
}
