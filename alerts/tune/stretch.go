package tune

import "math"

// steps is a course as far as the floor of a rule is applied: evaluations that
// failed are left out, for they change nothing.
type steps struct {
	at     []int64
	values []float64 // with the sign of the comparison; NaN where the condition cannot hold
	last   int64     // the last evaluation of all, failed or not
}

func (r *runner) steps(c *Course) steps {
	out := steps{at: make([]int64, 0, len(c.samples)), values: make([]float64, 0, len(c.samples))}
	for i := range c.samples {
		out.last = c.at[i]
		s := &c.samples[i]
		if s.Failed {
			continue
		}
		v := r.sign * s.Value
		if r.floor > 0 && !(s.Traffic >= r.floor) {
			if s.LowFailed && v == v {
				continue
			}
			v = math.NaN()
		}
		out.at, out.values = append(out.at, c.at[i]), append(out.values, v)
	}
	return out
}

// holds reports whether the condition holds at an evaluation.
func (s *steps) holds(i int, r *runner) bool {
	v := s.values[i]
	return v > r.threshold || r.orEqual && v == r.threshold
}

// run is a time in which the condition held at every evaluation.
type run struct{ first, last int }

// stretch is a number of runs, so close together that keep_firing_for bridges
// the gaps between them: at most one firing.
type stretch struct {
	run, end int   // its runs; the first one moves on with the time of for
	at       int   // the evaluation of that run that was looked at last
	longest  int64 // of its runs
	to       int64 // when a firing in it ends
}

// stretches are those of one course at one threshold.
type stretches struct {
	*steps
	runs []run
	list []stretch
}

// cut finds the runs at a threshold, and puts them together to stretches.
func (s *stretches) cut(c *steps, r *runner) {
	s.steps, s.runs, s.list = c, s.runs[:0], s.list[:0]
	for i := 0; i < len(c.values); i++ {
		if !c.holds(i, r) {
			continue
		}
		first := i
		for i+1 < len(c.values) && c.holds(i+1, r) {
			i++
		}
		s.add(run{first, i}, r.keep)
	}
	for k := range s.list {
		s.list[k].to = s.ends(s.runs[s.list[k].end-1].last, r.keep)
	}
}

// add appends a run, to the last stretch where keep bridges the gap: all
// evaluations without a result are less than keep after the first of them.
func (s *stretches) add(u run, keep int64) {
	length := s.at[u.last] - s.at[u.first]
	s.runs = append(s.runs, u)
	if n := len(s.list); n > 0 {
		lapse := s.runs[len(s.runs)-2].last + 1
		if s.at[u.first-1]-s.at[lapse] < keep {
			s.list[n-1].end = len(s.runs)
			s.list[n-1].longest = max(s.list[n-1].longest, length)
			return
		}
	}
	s.list = append(s.list, stretch{run: len(s.runs) - 1, end: len(s.runs), at: u.first, longest: length})
}

// ends is when a firing ends whose condition held at evaluation i for the last
// time; the last evaluation of all when it goes on.
func (s *stretches) ends(i int, keep int64) int64 {
	for k := i + 1; k < len(s.at); k++ {
		if s.at[k]-s.at[i+1] >= keep {
			return s.at[k]
		}
	}
	return s.last
}

// fire appends the firings for a time of for, which is not shorter than in the
// call before: what is too short for it is forgotten.
func (s *stretches) fire(hold int64, out []span) []span {
	kept := s.list[:0]
	for _, t := range s.list {
		if t.longest < hold {
			continue
		}
		for s.at[s.runs[t.run].last]-s.at[s.runs[t.run].first] < hold {
			t.run++
			t.at = s.runs[t.run].first
		}
		for s.at[t.at]-s.at[s.runs[t.run].first] < hold {
			t.at++
		}
		out = append(out, span{s.at[t.at], t.to})
		kept = append(kept, t)
	}
	s.list = kept
	return out
}
