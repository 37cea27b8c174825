// Package prefetch asks the processor to fetch memory that will be needed soon.
// It changes no result. The records of a big simulation do not fit the caches,
// and which ones the next events are about is known: it is worth a third of the
// running time.
package prefetch
