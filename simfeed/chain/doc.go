// Package chain simulates a chain of services that call each other with the
// policies that people run: retries, budgets, breakers, pools, bulkheads. It is
// a discrete-event simulation: everything follows from a Scenario and a seed,
// and there is no clock.
//
// A scenario is made in Go (NewScenario, NewClass, NewService, NewEdge fill in
// the defaults) or read by whoever knows a file format, through Set:
//
//	err := scenario.Set("edges.order>payment.attempts", "3")
//
// The same paths are the fields of changes on the timeline and the levers of a
// screen; Fields lists them. A run goes window by window, and can be changed
// between two of them:
//
//	e, err := chain.New(scenario, 1)
//	for {
//		w, err := e.Next(ctx) // io.EOF at the end
//		...
//		err = e.Apply(chain.Change{Field: "services.channel.down", Value: "on", For: 10 * time.Second})
//	}
//
// Run does it to the end, with the control run and the verdict.
package chain
