// Package rulefile reads and writes Prometheus rule files: as plain files, or
// wrapped as the PrometheusRule of the operator. What is read and written again
// stays as it is, but for its layout.
package rulefile
