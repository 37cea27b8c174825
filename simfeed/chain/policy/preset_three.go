package policy

// Three attempts at every layer, at once, of everything, without a budget: the
// storm.
var threeEverywhere = Preset{
	Name: "three-everywhere", System: "three everywhere", Word: "attempts",
	Source: "n attempts at k layers are n^k at the last",
	New: func() Policy {
		p := New()
		p.Preset, p.Attempts = "three-everywhere", 3
		return p
	},
}
