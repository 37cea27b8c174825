package chain_test

import (
	"context"
	"fmt"
	"time"

	"stormtop/simfeed/chain"
)

// A server that does 10 requests a second, clients that try four times, and a
// spike of five seconds: the storm stays after it.
func Example() {
	s := chain.NewScenario("spike")
	s.Length = 5 * time.Minute
	users := chain.NewClass("users", "clients", "server")
	users.Rate = chain.Steady(4)
	s.Classes = []chain.Class{users}
	s.Services = []chain.Service{chain.NewService("clients"), chain.NewService("server")}
	s.Edges = []chain.Edge{chain.NewEdge("clients", "server")}
	for _, field := range [][2]string{
		{"services.server.workers", "1"},
		{"services.server.time", "exponential 100ms"},
		{"edges.clients>server.attempts", "4"},
		{"edges.clients>server.timeout", "2s"},
	} {
		if err := s.Set(field[0], field[1]); err != nil {
			fmt.Println(err)
			return
		}
	}
	s.Timeline = []chain.Change{{At: time.Minute, For: 5 * time.Second, Field: "classes.users.rate", Value: "60/s"}}

	r, err := chain.Run(context.Background(), s, 1, chain.RunOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	last := r.Windows[len(r.Windows)-1]
	fmt.Println(r.Verdict, "with", last.Class("users").Delivered, "delivered in the last second")

	fmt.Println(s.Set("edges.clients>server.attempts", "0"))
	// Output:
	// metastable with 0 delivered in the last second
	// edges.clients>server.attempts: "0": give a whole number from 1 to 100
}
