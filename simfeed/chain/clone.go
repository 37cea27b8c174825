package chain

import "slices"

// Clone is a copy that shares nothing with the original.
func (s *Scenario) Clone() Scenario {
	out := *s
	out.Fitted = slices.Clone(s.Fitted)
	out.Classes = slices.Clone(s.Classes)
	for i := range out.Classes {
		c := &out.Classes[i]
		c.Path = slices.Clone(c.Path)
		c.Rate.Points = slices.Clone(c.Rate.Points)
	}
	out.Services = slices.Clone(s.Services)
	for i := range out.Services {
		v := &out.Services[i]
		v.Classes, v.Own = slices.Clone(v.Classes), slices.Clone(v.Own)
	}
	out.Edges = slices.Clone(s.Edges)
	for i := range out.Edges {
		e := &out.Edges[i]
		e.Policy.Backoff.Bands = slices.Clone(e.Policy.Backoff.Bands)
		e.Classes = slices.Clone(e.Classes)
		for j := range e.Classes {
			p := &e.Classes[j].Policy
			p.Backoff.Bands = slices.Clone(p.Backoff.Bands)
		}
	}
	out.Timeline = slices.Clone(s.Timeline)
	out.Actions = slices.Clone(s.Actions)
	for i := range out.Actions {
		out.Actions[i].Changes = slices.Clone(s.Actions[i].Changes)
	}
	return out
}
