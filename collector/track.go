package collector

// track is the course of one target. Its columns begin at the same index as
// History.times and may be shorter: what is beyond their end is missing.
type track struct {
	target  Target
	columns [NumSignals]*column
	rank    float64 // the newest amplification, to choose whom to forget
	seen    int64   // the time of the newest reading that had the target
}

// put sets point i of every signal to the values of row, in slices for as many
// points as there is to be room for. A second row of the same target in one
// reading is ignored: then it reports false.
func (t *track) put(row *Row, i int, at int64, room int) bool {
	if t.seen == at {
		return false
	}
	t.target, t.seen, t.rank = row.Target, at, rank(row.Values[Amplification])
	for s := range row.Values {
		v := &row.Values[s]
		c := t.columns[s]
		if c == nil {
			if v.State == Missing {
				continue
			}
			c = &column{}
			t.columns[s] = c
		}
		c.put(i, v, room)
	}
	return true
}
