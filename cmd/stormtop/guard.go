package main

import (
	"fmt"
	"runtime/debug"
)

// crash is a panic that was caught, so that the screen can be restored before
// it is reported.
type crash struct {
	value any
	stack []byte
}

func (c *crash) Error() string {
	return fmt.Sprintf("stormtop crashed, which is a bug: %v\n%s", c.value, c.stack)
}

// guard runs f and turns a panic into a *crash. Every goroutine of the program
// runs under it.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &crash{value: v, stack: debug.Stack()}
		}
	}()
	return f()
}
