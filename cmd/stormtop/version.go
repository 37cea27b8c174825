package main

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// buildVersion is the version with its revision, from what the build knows of
// itself.
func buildVersion() string {
	version, revision, dirty := "(devel)", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && len(s.Value) >= 12:
				revision = " " + s.Value[:12]
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = "+changes"
			}
		}
	}
	return version + revision + dirty
}

// versionText is the line of --version.
func versionText() string {
	return "stormtop " + buildVersion() + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
}

// versionLine is versionText without its line break.
func versionLine() string { return strings.TrimSpace(versionText()) }
