// Command stormtop shows a retry storm while it forms: what is amplifying, how
// much, where, and whether it is retries or just traffic. See stormtop --help.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
