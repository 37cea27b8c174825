// Package draw holds the random numbers of the chain simulator: streams that
// are independent by purpose and entity, and distributions of times.
//
// Every number is the same on every processor. Products are rounded before
// they are added, so that none is fused, and logarithm and exponential are
// computed here: those of package math differ by architecture in the last bit.
package draw
