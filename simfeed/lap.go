package simfeed

// LapSeed is the seed of a lap of a simulation that plays again and again: that
// of the simulation for lap 0, of which negative ones lie before it. Neighbouring
// seeds of a linear congruential generator are no independent streams, so the
// others are mixed (the finalizer of SplitMix64).
func LapSeed(base, lap int64) int64 {
	if lap == 0 {
		return base
	}
	z := uint64(base) + uint64(lap)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return int64(z ^ z>>31)
}
