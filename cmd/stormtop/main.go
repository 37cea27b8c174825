// Command stormtop shows a retry storm while it forms: what is amplifying, how
// much, where, and whether it is retries or just traffic. See stormtop --help.
package main

import (
	"context"
	"io"
	"log"
	"os"
)

func main() {
	// net/http tells the standard logger what a strange server sends; on a
	// screen that would be written over the picture, and is said in our words.
	log.SetOutput(io.Discard)
	os.Exit(run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
