// Package policy is what a caller does about failures: attempts, time-outs,
// back-off and jitter, retry budgets, circuit breakers, throttles, pools. The
// types named after a thing (Budget, Breaker) are configuration; their meters
// (BudgetMeter, BreakerMeter) are the state of one edge in a simulation. Time
// is an argument, in nanoseconds since the start of the run.
//
// Attempts always include the first one. Presets reproduce policies as systems
// in the field have them, and say the foreign number beside the attempts.
package policy
