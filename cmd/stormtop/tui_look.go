package main

import (
	"strings"

	"stormtop/views"
	"stormtop/views/chart"
)

// look is how the screen is drawn.
type look struct {
	glyphs chart.Glyphs
	theme  views.Theme
	ask    bool // ask the terminal for its background
}

// chooseLook follows the settings and, where they say auto, the environment:
// no UTF-8 locale or a plain terminal means ASCII, NO_COLOR with any value no
// colours.
func chooseLook(s settings, env environ) look {
	l := look{theme: views.Dark}
	switch s.glyphs {
	case "braille", "block", "ascii":
		l.glyphs, _ = chart.ParseGlyphs(s.glyphs)
	default:
		if !utf8Locale(env) || plainTerminal(env.get("TERM")) {
			l.glyphs = chart.ASCII
		}
	}
	switch {
	case s.noColor || env.get("NO_COLOR") != "" || env.get("TERM") == "dumb":
		l.theme = views.Mono
	case s.theme == "light":
		l.theme = views.Light
	case s.theme != "dark":
		l.ask = true
		if lightByEnvironment(env) {
			l.theme = views.Light
		}
	}
	return l
}

// utf8Locale follows the order of setlocale: LC_ALL, LC_CTYPE, LANG.
func utf8Locale(env environ) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := env.get(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

func plainTerminal(name string) bool {
	switch name {
	case "", "dumb", "linux", "vt100", "vt220", "ansi":
		return true
	}
	return false
}

// lightByEnvironment reads COLORFGBG ("0;15"), which some terminals set: a
// background of 7 or 15 is light.
func lightByEnvironment(env environ) bool {
	v := env.get("COLORFGBG")
	bg := v[strings.LastIndexByte(v, ';')+1:]
	return bg == "7" || bg == "15"
}
