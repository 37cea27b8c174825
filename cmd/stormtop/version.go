package main

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// versionText is the line of --version, from what the build knows of itself.
func versionText() string {
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
	return "stormtop " + version + revision + dirty + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
}

// versionLine is versionText without its line break.
func versionLine() string { return strings.TrimSpace(versionText()) }
