package main

import (
	"errors"
	"fmt"
)

// mode is how the program shows what it sees.
type mode uint8

// The modes.
const (
	screenMode mode = iota
	onceMode
	plainMode
	convertMode // writes all of it in another format
)

// chooseMode decides between the screen and the ways without one, and refuses
// what contradicts itself. terminal tells whether standard output is one. A
// simulation is the default for the screen alone: without one, a lost variable
// of the environment must not become an invented incident.
func (r *resolved) chooseMode(terminal bool) (mode, error) {
	s := &r.settings
	if s.once && s.plain {
		once, plain := r.origins["once"], r.origins["plain"]
		if once.rank == plain.rank {
			return 0, fmt.Errorf("%s and %s contradict each other: keep one of them", once.at, plain.at)
		}
		s.once, s.plain = once.rank > plain.rank, plain.rank > once.rank
	}
	m, why := screenMode, ""
	switch {
	case s.plain:
		m = plainMode
	case s.once:
		m = onceMode
	case !terminal:
		m, why = onceMode, " (standard output is no terminal, so that --once is meant)"
	}
	if s.unasked() {
		if err := r.needsSource(); err != nil {
			return 0, err
		}
		if m != screenMode {
			return 0, errors.New("without a screen a source must be named: " +
				"add --prom=URL (or set STORMTOP_PROM), or --sim=sixty-seconds for a simulation")
		}
		// sim stays empty: a screen that was asked for nothing says how to ask.
	}
	if err := r.fits(); err != nil {
		return 0, err
	}
	present := s.live() != "" && !s.past()
	converts := s.format == "openmetrics" || s.format == "csv"
	switch {
	case m == onceMode && s.duration > 0 && present && r.typed("for"):
		return 0, errors.New("--for does not go with --once of a live source, which takes one reading" + why + ": use --plain instead")
	case m == onceMode && s.listen != "" && r.typed("listen"):
		return 0, errors.New("--listen needs a program that goes on" + why + ": add --plain")
	case m == onceMode && s.onAlert != "" && r.typed("on-alert"):
		return 0, errors.New("--on-alert needs a program that goes on" + why + ": add --plain")
	case m == screenMode && s.format == "json" && r.typed("format"):
		return 0, errors.New("--format=json is not for a screen: add --once or --plain")
	case m != screenMode && r.typedAny("incident", "incident-file", "incident-alert", "write-rules") != "":
		return 0, fmt.Errorf("--%s is for the Rules screen%s: leave it out, or use stormtop tune",
			r.typedAny("incident", "incident-file", "incident-alert", "write-rules"), why)
	case converts && s.kind() != replaySource && !s.past():
		return 0, fmt.Errorf("--format=%s writes what is over: add --replay=FILE, or --prom=URL with --from", s.format)
	case converts && r.typedAny("once", "plain", "for", "speed", "loop", "record", "listen") != "":
		return 0, fmt.Errorf("--format=%s writes all that there is, or what --from and --to say: leave --%s out", s.format,
			r.typedAny("once", "plain", "for", "speed", "loop", "record", "listen"))
	case s.to.kind != noMoment && s.from.kind == noMoment && s.kind() != replaySource:
		return 0, errors.New("--to needs --from: where does it begin?")
	case s.kind() == promSource && !s.past() && r.typed("speed"):
		return 0, errors.New("--speed does not go with --prom and its present: leave it out, or add --from")
	case s.force && s.record == "" && r.typed("force"):
		return 0, errors.New("--force is for --record=FILE: name the file")
	}
	if converts {
		m = convertMode
	}
	return m, nil
}

// needsSource refuses flags of a source that is not there.
func (r *resolved) needsSource() error {
	for i := range r.all {
		o := &r.all[i]
		if o.of.goesWith(simulatedSource) || !r.typed(o.name) || len(o.get(r.settings)) == 0 {
			continue
		}
		if o.of == replaySource {
			return fmt.Errorf("--%s needs a recording: add --replay=FILE", o.name)
		}
		return fmt.Errorf("--%s needs a Prometheus: add --prom=URL (or set STORMTOP_PROM)", o.name)
	}
	return nil
}

// fits refuses flags that mean nothing to the source in use. What the
// environment or the file say beside the point is left aside.
func (r *resolved) fits() error {
	kind := r.settings.kind()
	source := map[sourceKind]string{promSource: "--prom", scrapeSource: "--scrape", replaySource: "--replay", simulatedSource: "a simulation"}[kind]
	for i := range r.all {
		o := &r.all[i]
		if !r.typed(o.name) || o.of.goesWith(kind) {
			continue
		}
		other := "--prom=URL"
		switch {
		case o.of == replaySource:
			other = "--replay=FILE"
		case o.of == simulatedSource:
			other = "--sim=NAME"
		}
		return fmt.Errorf("--%s does not go with %s: leave it out, or use %s", o.name, source, other)
	}
	return nil
}
