//go:build amd64 || arm64

package prefetch

import "unsafe"

// Line asks for the line of the cache that p points into.
//
//go:noescape
func Line(p unsafe.Pointer)
