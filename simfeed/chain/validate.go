package chain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"stormtop/collector"
)

// Validate says everything that makes the scenario impossible to run: a joined
// error of *FieldError, or nil. Each names the path of the field and what would
// be right.
func (s *Scenario) Validate() error {
	if err := s.checkNames(); err != nil {
		return err // paths mean nothing yet
	}
	return s.validate(s.slots())
}

// validate says what is wrong with some fields, each by itself, and with how all
// of them go together.
func (s *Scenario) validate(slots []slot) error {
	var all []error
	add := func(err error) {
		if err != nil {
			all = append(all, err)
		}
	}
	for _, slot := range slots {
		if err := slot.check(); err != nil {
			add(bad(slot.info.Name, "%v", err))
		}
	}
	if s.Length < time.Second {
		add(bad("length", "is %v: a run lasts from 1s to %s", s.Length, collector.FormatInterval(MaxLength)))
	}
	if s.Every < 100*time.Millisecond {
		add(bad("every", "is %v: a window lasts from 100ms to 1h", s.Every))
	} else if s.Length/s.Every >= MaxWindows {
		add(bad("every", "is %v: %v would be more than %d windows; make them longer, or the run shorter", s.Every, s.Length, MaxWindows))
	}
	if len(s.Classes) == 0 {
		add(bad("classes", "are none: give at least one class with a path and a rate"))
	}
	for i := range s.Classes {
		all = append(all, s.checkClass(&s.Classes[i])...)
	}
	for i := range s.Services {
		add(s.checkService(&s.Services[i]))
	}
	for i := range s.Edges {
		all = append(all, s.checkEdge(&s.Edges[i])...)
	}
	add(s.checkWatch())
	if len(all) == 0 {
		all = append(all, s.checkChanges()...)
	}
	return errors.Join(all...)
}

const maxNameLength = 60

func checkName(path, name string) error {
	if name == "" || len(name) > maxNameLength || strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}) >= 0 {
		return bad(path, "%s is no name: use letters, digits, - and _, up to %d of them", collector.Quote(name), maxNameLength)
	}
	return nil
}

func (s *Scenario) checkNames() error {
	var all []error
	check := func(kind string, names []string, most int) {
		if len(names) > most {
			all = append(all, bad(kind, "are %d: at most %d", len(names), most))
		}
		for i, name := range names {
			if err := checkName(fmt.Sprintf("%s[%d]", kind, i), name); err != nil {
				all = append(all, err)
			} else if slices.Index(names, name) != i {
				all = append(all, bad(kind+"."+name, "is there twice: give each a name of its own"))
			}
		}
	}
	check("classes", s.classNames(), MaxClasses)
	check("services", s.serviceNames(), MaxServices)
	edges, services := s.edgeNames(), s.serviceNames()
	for i, name := range edges {
		e := &s.Edges[i]
		for _, end := range []string{e.From, e.To} {
			if !slices.Contains(services, end) {
				all = append(all, unknown("edges."+name, "service", end, services))
			}
		}
		if slices.Index(edges, name) != i {
			all = append(all, bad("edges."+collector.Clean(name), "is there twice: one edge from a caller to a callee"))
		}
	}
	return errors.Join(all...)
}

func (s *Scenario) checkClass(c *Class) []error {
	var all []error
	at := func(f string) string { return "classes." + c.Name + "." + f }
	switch {
	case len(c.Path) == 0:
		return []error{bad(at("path"), "is empty: name the services from the edge of the system to the last dependency")}
	case len(c.Path) > MaxHops:
		return []error{bad(at("path"), "has %d services: at most %d", len(c.Path), MaxHops)}
	}
	for i, name := range c.Path {
		if !slices.Contains(s.serviceNames(), name) {
			return []error{unknown(at("path"), "service", name, s.serviceNames())}
		}
		if slices.Index(c.Path, name) != i {
			return []error{bad(at("path"), "is a cycle: %s comes twice; give the second one a name of its own", name)}
		}
	}
	for _, hop := range c.hops() {
		if s.edge(hop) < 0 {
			return []error{bad(at("path"), "there is no edge %s: add it under edges", hop)}
		}
	}
	if err := c.Rate.check(); err != nil {
		all = append(all, bad(at("rate"), "%v", err))
	}
	if c.Clients > 0 && c.Rate.Max() > 0 {
		all = append(all, bad(at("clients"), "and a rate are both given: a class is an open loop with a rate or a closed loop with clients"))
	}
	if c.Clients > 0 && c.Think.Average() < time.Millisecond {
		all = append(all, bad(at("think"), "is %v: clients of a closed loop think for 1ms or more on average", c.Think))
	}
	worst := c.Rate.Max() * c.Factor
	if c.Clients > 0 {
		worst = float64(c.Clients) / max(c.Think.Average().Seconds(), 1e-3)
	}
	for _, hop := range c.hops() {
		e := &s.Edges[s.edge(hop)]
		worst *= float64(e.PolicyOf(c.Name).Permitted()) * max(e.Calls, 1)
	}
	// Policies with many attempts are bounded by their budgets; only those that
	// could not be run at all are refused.
	if worst > MaxWorstRate && !s.budgeted(c) {
		all = append(all, bad(at("path"), "may come to %.3g attempts/s when all fail, more than %.0g: lower the rate, the attempts or the calls, or give the edges a budget", worst, MaxWorstRate))
	}
	return all
}

// edge is the index of an edge by its name, and -1 where there is none.
func (s *Scenario) edge(name string) int {
	from, to, _ := strings.Cut(name, ">")
	return indexOf(s.Edges, func(e *Edge) bool { return e.From == from && e.To == to })
}

// budgeted reports whether some edge of a path has a retry budget.
func (s *Scenario) budgeted(c *Class) bool {
	return slices.ContainsFunc(c.hops(), func(hop string) bool {
		return s.Edges[s.edge(hop)].PolicyOf(c.Name).Budget.Kind != 0
	})
}

func (s *Scenario) checkService(v *Service) error {
	at := func(f string) string { return "services." + v.Name + "." + f }
	if v.Restart.ColdWorkers <= 0 {
		return bad(at("restart.cold_workers"), "is 0: some share of the slots must work while cold")
	}
	if v.Limit > 0 && v.Limit < 1 {
		return bad(at("limit"), "is %v/s: it lets in 1/s or more, or 0/s for no limit", v.Limit)
	}
	for i := range v.Classes {
		if name := v.Classes[i].Class; !slices.Contains(s.classNames(), name) {
			return unknown("services."+v.Name, "class", name, s.classNames())
		}
	}
	for i := range v.Own {
		if name := v.Own[i].Class; !slices.Contains(s.classNames(), name) {
			return unknown("services."+v.Name, "class", name, s.classNames())
		}
	}
	return nil
}

func (s *Scenario) checkEdge(e *Edge) []error {
	var all []error
	if name, text := e.Policy.CheckWhole(); name != "" {
		all = append(all, bad("edges."+e.Name()+"."+name, "%s", text))
	}
	for i := range e.Classes {
		c := &e.Classes[i]
		if !slices.Contains(s.classNames(), c.Class) {
			all = append(all, unknown("edges."+e.Name(), "class", c.Class, s.classNames()))
			continue
		}
		if name, text := c.Policy.CheckWhole(); name != "" {
			all = append(all, bad(ofClass("edges."+e.Name(), c.Class)+name, "%s", text))
		}
	}
	return all
}

func (s *Scenario) checkWatch() error {
	if len(s.Classes) == 0 {
		return nil
	}
	class, service := s.Watched()
	i := slices.Index(s.classNames(), class)
	if i < 0 {
		return unknown("watch.class", "class", class, s.classNames())
	}
	if path := s.Classes[i].Path; len(path) > 0 && !slices.Contains(path, service) { // an empty path is told by itself
		return bad("watch.service", "%s is not on the path of class %s: %s", collector.Quote(service), class, strings.Join(s.Classes[i].Path, " > "))
	}
	return nil
}

// Watched is the class and the service that the headline is about.
func (s *Scenario) Watched() (class, service string) {
	class, service = s.Watch.Class, s.Watch.Service
	if class == "" && len(s.Classes) > 0 {
		class = s.Classes[0].Name
	}
	for _, c := range s.Classes {
		if c.Name == class && service == "" && len(c.Path) > 0 {
			service = c.Path[len(c.Path)-1]
		}
	}
	return class, service
}

// indexOf is slices.IndexFunc for values that are too big to be copied.
func indexOf[T any](list []T, is func(*T) bool) int {
	for i := range list {
		if is(&list[i]) {
			return i
		}
	}
	return -1
}
