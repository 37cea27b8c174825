package lab

// Second is what happened in one virtual second. The slices belong to the
// engine's memory of the run and must not be changed.
type Second struct {
	Index     int     // 0 is the first
	Requests  int64   // requests that began
	Attempts  []int64 // attempts that arrived, by attempt number: [0] the first ones
	Successes []int64 // requests answered, by the attempt number that did it
	Waiting   int64   // requests waiting for their next attempt at the end of the second
	Outage    bool    // everything fails in it
	Capacity  int64   // attempts that can be served in a normal second
}

// Arrivals are all attempts of the second.
func (s Second) Arrivals() int64 { return sum(s.Attempts) }

// Retries are the attempts of the second that were not first ones.
func (s Second) Retries() int64 { return sum(s.Attempts[1:]) }

// Delivered are the requests answered in the second, whenever they began.
func (s Second) Delivered() int64 { return sum(s.Successes) }

// Rescued are the requests answered in the second by a retry.
func (s Second) Rescued() int64 { return sum(s.Successes[1:]) }

// AtLimit are the requests that used their last permitted attempt in the
// second. Where no retry is permitted there is no such limit to reach.
func (s Second) AtLimit() int64 {
	if len(s.Attempts) < 2 {
		return 0
	}
	return s.Attempts[len(s.Attempts)-1]
}

// Overloaded reports whether more attempts arrived than can be served: the
// truth that alert rules are measured against.
func (s Second) Overloaded() bool { return s.Arrivals() > s.Capacity }

func sum(list []int64) (total int64) {
	for _, n := range list {
		total += n
	}
	return total
}
