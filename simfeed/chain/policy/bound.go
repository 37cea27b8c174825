package policy

// Load is what a bound is of: the calls of a class at an edge.
type Load struct {
	Calls  float64 // of the class a second
	Shared float64 // of all classes that share the policy a second, the class included
	Active float64 // attempts that are waited for or pending, of all that share it
}

// Bound is the most attempts for each call of the load, in the long run, that the
// attempts permitted leave with the budget and a breaker that an operator forced:
// permitted where no budget bounds the ratio (those of grpc and aws, which fill
// from successes). The formulas are those of BudgetKind; of Concurrent the bound
// holds while retries take as long as first attempts.
func (p *Policy) Bound(l Load) float64 {
	most := float64(p.Permitted())
	if extra, ok := p.Budget.extra(l); ok && l.Calls > 0 {
		most = min(most, 1+extra*max(l.Shared/l.Calls, 1))
	}
	return most * p.Breaker.lets()
}

// extra is the most retries for each first attempt of all that share a budget; ok
// is false where there is no such bound.
func (b *Budget) extra(l Load) (retries float64, ok bool) {
	ofAll := func(share float64) (float64, bool) { return share / (1 - share), share < 1 }
	shared := max(l.Shared, l.Calls)
	switch b.Kind {
	case OfAttempts:
		return ofAll(b.Share)
	case OfOriginals:
		return b.Share, true
	case Deposits, Answers:
		return b.Share + b.Min/shared, shared > 0
	case Concurrent:
		if !(l.Active > 0) {
			return 0, false
		}
		return ofAll(max(b.Share, b.Min/l.Active))
	case Refill:
		return b.Refill / shared, shared > 0
	case Seconds:
		return b.Tokens / shared, shared > 0
	}
	return 0, false
}

// lets is the share that a breaker lets pass because an operator forced it; 1 where
// it decides by itself. A force acts where the breaker is off, too.
func (b *Breaker) lets() float64 {
	switch b.Force {
	case ForceOpen:
		return 0
	case ForceShare:
		return b.Pass
	}
	return 1
}
