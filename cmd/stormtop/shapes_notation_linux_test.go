package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// shape is the series that a system exports, and what is true of them. Its
// notation is described in testdata/shapes/README.
type shape struct {
	name   string
	args   []string // flags the program needs, beside --prom
	series []plotted
	finds  []string // "profile kind trust" of what is judged by, no others
	offers []string // the profiles that are only offered, no others
	never  []string // profiles that would read these series wrongly
	fails  []string // the kinds of failures that are reported
	warns  []string // parts of the warnings expected, no others
	leads  string   // the target that stands first, or ""
	fires  []string // "rule target" of every rule that fires
	truths []truth
	// composed says that it uses others.
	composed bool
}

// plotted is one series: a straight line over time.
type plotted struct {
	series         string        // as PromQL writes it
	start, slope   float64       // value at the beginning, growth a second
	begins, ceases time.Duration // stretch of time relative to now
	every          time.Duration // between two samples; 0: shapeSpacing
}

const (
	shapePast   = -30 * time.Minute // what there is to fill the span with
	shapeFuture = 10 * time.Minute  // so that no series ends while the test runs
)

// readShape reads testdata/shapes/NAME.shape and the shapes that it uses.
func readShape(t *testing.T, name string) shape {
	t.Helper()
	r := newShapeReader(name)
	if err := r.read(name); err != nil {
		t.Fatal(err)
	}
	return r.shape
}

// shapeReader keeps what holds for the lines that follow.
type shapeReader struct {
	shape
	with    []string   // labels of every series
	each    [][]string // every series is there once with each of these label sets
	profile string     // the profile whose targets follow
}

func newShapeReader(name string) *shapeReader {
	return &shapeReader{shape: shape{name: name}, each: [][]string{nil}}
}

func (r *shapeReader) read(name string) error {
	path := filepath.Join("testdata", "shapes", name+".shape")
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading a shape: %w", err)
	}
	return r.parse(path, string(text))
}

// parse reads the statements of a text; path is what errors call it.
func (r *shapeReader) parse(path, text string) error {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		first, line := i+1, lines[i]
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ") { // it goes on
			i++
			line += lines[i]
		}
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if err := r.line(word, strings.TrimSpace(rest)); err != nil {
			return fmt.Errorf("%s:%d: %s: %w", path, first, line, err)
		}
	}
	return nil
}

func (r *shapeReader) line(word, rest string) error {
	words := strings.Fields(rest)
	switch word {
	case "args":
		r.args = append(r.args, words...)
	case "finds":
		if len(words) != 3 {
			return errors.New("want profile, kind and trust")
		}
		r.profile = words[0]
		r.finds = append(r.finds, rest)
	case "offers":
		r.offers = append(r.offers, words...)
	case "never":
		r.never = append(r.never, words...)
	case "fails":
		r.fails = append(r.fails, rest)
	case "warns":
		r.warns = append(r.warns, rest)
	case "leads":
		r.leads = rest
	case "fires":
		r.fires = append(r.fires, rest)
	case "with":
		r.with = labelPair.FindAllString(rest, -1)
	case "each":
		r.each = [][]string{nil}
		if len(words) > 1 {
			r.each = nil
			for _, value := range words[1:] {
				r.each = append(r.each, []string{fmt.Sprintf("%s=%q", words[0], value)})
			}
		}
	case "use":
		r.composed = true
		return r.read(rest)
	case "counter", "gauge":
		return r.plot(word, rest)
	case "target", "total":
		return r.truth(word, rest)
	default:
		return fmt.Errorf("there is no %q", word)
	}
	return nil
}

// plot reads "metric{labels} option=value ...".
func (r *shapeReader) plot(kind, rest string) error {
	m := plottedLine.FindStringSubmatch(rest)
	if m == nil {
		return errors.New("want metric{labels} and options")
	}
	p := plotted{begins: shapePast, ceases: shapeFuture}
	for _, option := range strings.Fields(m[3]) {
		name, text, _ := strings.Cut(option, "=")
		var err error
		switch kind + " " + name {
		case "counter rate":
			p.slope, err = strconv.ParseFloat(text, 64)
		case "counter start", "gauge value":
			p.start, err = strconv.ParseFloat(text, 64)
		case "counter from", "gauge from":
			p.begins, err = time.ParseDuration(text)
		case "counter until", "gauge until":
			p.ceases, err = time.ParseDuration(text)
		default:
			err = fmt.Errorf("a %s has no %q", kind, name)
		}
		if err != nil {
			return err
		}
	}
	labels := append(labelPair.FindAllString(m[2], -1), r.with...)
	for _, other := range r.each {
		p.series = m[1] + "{" + strings.Join(append(slices.Clone(labels), other...), ",") + "}"
		r.series = append(r.series, p)
	}
	return nil
}

// labelPair is a label with its quoted value.
var labelPair = regexp.MustCompile(`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\.)*"`)

var plottedLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?((?: +[a-z]+=\S+)+)$`)

// pairLabel is the label in which the series of a pair of servers differ.
const pairLabel = "prometheus_replica"

// paired is the shape with every series twice, as a pair of servers has it.
func (s shape) paired() shape {
	single := s.series
	s.series = nil
	for _, p := range single {
		if strings.Contains(p.series, pairLabel+"=") {
			s.series = append(s.series, p)
			continue
		}
		for _, replica := range []string{"a", "b"} {
			twin := p
			twin.series = strings.TrimSuffix(p.series, "}") + fmt.Sprintf(",%s=%q}", pairLabel, replica)
			s.series = append(s.series, twin)
		}
	}
	if len(s.finds) > 0 {
		s.warns = append(slices.Clone(s.warns), pairLabel)
	}
	return s
}
