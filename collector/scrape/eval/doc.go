// Package eval evaluates the part of PromQL that profiles are written in over
// samples that are held in memory, at one instant and with the results that
// Prometheus would give:
//
//	metric{a="1",b!="2",c=~"x|y",d!~"z"}  and {__name__=~"..."}
//	rate, increase and irate over one [range]
//	sum, avg, min, max, count and group, by or without labels
//	+ - * / % ^, comparisons (also with bool), between numbers and vectors, one
//	to one, with on and ignoring; and, or, unless
//	clamp, clamp_min, clamp_max, label_replace, vector, scalar, unary minus
//
// Everything else is refused by Compile with an Unsupported that names it.
// Histograms are seen as their _bucket, _sum and _count series.
package eval
