//go:build !race

package chain

// underRace is whether the race detector slows everything down by ten: then
// long tests are shortened. The courses that are compared by hash are not.
const underRace = false
