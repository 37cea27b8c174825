// Package recording keeps what a source said and plays it again.
//
// A Writer writes the format stormtop/recording/v1 (docs/recording.md): JSON
// Lines, only appended to, so that a program that is killed loses at most its
// last line. Record does so for every reading of a source. A Reader reads it
// back line by line and goes on behind a bad one; Load keeps a whole recording
// in memory, packed; a Replay hands its readings out as a collector.Source.
// WriteOpenMetrics and WriteCSV turn a recording into formats of others.
//
// Nothing here opens a file or reads a clock.
package recording
