package main

import "stormtop/views/report"

// The exit statuses that no reading stands for; report.ExitStatus has the rest.
const (
	exitOK      = report.ExitOk
	exitUsage   = report.ExitUsage
	exitNoData  = report.ExitNoData
	exitCrashed = 70 // a panic, or an output that cannot be used
)
