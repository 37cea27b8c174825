package report

import "stormtop/collector"

func newSystems(o *collector.Origin) []jsonSystem {
	out := []jsonSystem{}
	for _, s := range o.Systems {
		sys := jsonSystem{Profile: s.Profile, Title: s.Title, Kind: kind(s.Kind), Unproven: s.Unproven, CannotSee: s.CannotSee}
		if s.Trust != collector.NoTrust {
			sys.Trust = text(s.Trust.String())
		}
		out = append(out, sys)
	}
	return out
}

func newSides(r *collector.Reading) []jsonSide {
	out := []jsonSide{}
	for _, one := range r.Reporters {
		side := jsonSide{Profile: one.System, Side: one.Side.String(), Now: one.Now}
		if one.Usual > 0 {
			usual := one.Usual
			side.Usual = &usual
		}
		if one.Target != "" {
			row, _ := r.Row(one.Target)
			side.Target = text(row.Target.Name)
		}
		out = append(out, side)
	}
	return out
}

func newTarget(row collector.Row, o *collector.Origin) jsonTarget {
	out := jsonTarget{
		Name: row.Target.Name, Profile: profile(row.Target, o), Kind: kind(row.Target.Kind), Labels: labels(row.Target),
		Signals: newSignals(row.Values),
	}
	if row.Baseline > 0 && row.Baseline != 1 {
		out.Baseline = finite(row.Baseline)
	}
	return out
}

// profile is the system of a target, null where none is known or it is of several.
func profile(t collector.Target, o *collector.Origin) *string {
	name := t.System
	if name == "" && !o.Several() {
		name = o.Of(t).Profile
	}
	if name == "" {
		return nil
	}
	return text(name)
}

// kind is what a ratio is of, null where that is not known or mixed.
func kind(k collector.RatioKind) *string {
	switch k {
	case collector.Hop:
		return text("hop")
	case collector.Edge:
		return text("edge")
	}
	return nil
}
