// Package export writes rules for a Prometheus: recording rules for the signals
// of the systems in use, the alerts over them, what is said when the data is
// missing, and a test for promtool made of an episode. Read takes rules back
// from such a file.
//
// A rule file gives the same states in Prometheus as alerts.Engine does on the
// samples of its recording rules.
package export
