package alerts

import (
	"time"

	"stormtop/collector"
)

// machine is Prometheus's state machine of one alert: decided only at
// evaluations, with timestamps instead of timers. A failed evaluation is simply
// not stepped.
type machine struct {
	state     State     // Unknown and Inactive mean the same here: no alert
	activeAt  time.Time // when the condition began to hold
	keepSince time.Time // the first evaluation without a result while firing
}

// step evaluates once: result says whether the expression returned a sample.
func (m *machine) step(at time.Time, result bool, spec *collector.RuleSpec) {
	if !result {
		m.lapse(at, spec.KeepFiring)
		return
	}
	m.keepSince = time.Time{}
	if m.state < Pending {
		m.state, m.activeAt = Pending, at
	}
	if m.state == Pending && at.Sub(m.activeAt) >= spec.For {
		m.state = Firing
	}
}

// lapse is an evaluation without a result: pending ends at once, firing ends
// when keep has passed since the first such evaluation.
func (m *machine) lapse(at time.Time, keep time.Duration) {
	if m.state == Firing && keep > 0 {
		if m.keepSince.IsZero() {
			m.keepSince = at
		}
		if at.Sub(m.keepSince) < keep {
			return
		}
	}
	*m = machine{state: Inactive}
}
