// Package collector is the domain of stormtop: signals and their values, the
// targets they belong to, readings of one instant, the sources that readings
// come from, and the history that remembers them.
//
// A Value is never just a number. What is missing, idle (0/0), infinite (x/0),
// stale, partial or failed is different from zero, and stays so through every
// computation (Values.Derive), in text (Value.String) and in machine formats.
//
// Sources live in packages below this one; what judges readings (alerts) and
// what draws them (views) import it, and it imports none of them. Nothing here
// reads a clock: every instant is an argument.
package collector
