package play

// lapSeed derives the seed of a lap of a scenario that loops; the first live
// one has the seed itself.
func lapSeed(base, lap int64) int64 {
	if lap == 0 {
		return base
	}
	z := uint64(base) + uint64(lap)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return int64(z ^ z>>31)
}
