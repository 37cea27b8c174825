package views

// storyRows tell the scenario of a simulation in full, whatever had no room on the
// Lab and the Chain, and how their numbers are to be read.
func (m *Model) storyRows() []string {
	r := m.rig.shown
	if r == nil {
		return nil
	}
	t := m.explainer()
	t.say(1, m.styles.strong, r.Scenario+": "+r.Title)
	if r.Look != "" {
		t.say(3, m.styles.plain, "Look for: "+r.Look)
	}
	if len(r.Repairs) > 0 {
		t.blank()
		t.say(1, m.styles.strong, "REPAIRS, in the order of the story")
		for i := range r.Repairs {
			p := &r.Repairs[i]
			text := p.Title
			if p.Wrong {
				text += " (wrong: worse)"
			}
			if p.Done {
				text += ": done"
			}
			t.say(3, m.styles.plain, text)
		}
	}
	t.blank()
	t.say(1, m.styles.strong, "THE NUMBERS of Lab and Chain")
	for _, text := range []string{
		"They are counted inside the simulator, whatever is measured. Rates, ratios and waits are means of the last 10 s; what is busy, queued, pending or in use is of now, and so is the P99 of a service. The verdict above judges single seconds.",
		"EDGE: attempts at the last service for each request of a user. Gain: attempts for each call at one hop, which is what its retries do. Fan-out: calls for each request, which is no retry.",
		"Worst case: what all the attempts that are permitted multiply to. A budget of a share b of all attempts leaves 1/(1-b) a hop, one of a share b of the first attempts 1+b, in the long run; a breaker that is forced leaves what it lets pass.",
		"Organic load: calls that the requests of users alone make; system load: what arrives, with retries. Hidden capacity: capacity / worst case, or what budgets leave of it. Where the organic load is above it, the margin is below 1x: a storm, once begun, can go on when its trigger is gone. A calm system shows none of this.",
	} {
		t.say(3, m.styles.plain, text)
	}
	t.blank()
	return t.out
}
