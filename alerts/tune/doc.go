// Package tune judges a stretch of the past by a rule that is not in force: how
// often it would have fired, how early, and how often for nothing.
//
// A Builder takes readings and makes a History for each rule: what the rule saw
// of each target (Course), with the incidents that are known. Backtest runs
// Prometheus's state machine over it, Map does so for every threshold and for
// of a grid, Recommend chooses a point of the map. Nothing here has a clock or
// does IO.
package tune
