package profile

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v3"
)

// Parse reads a profile. name is the file's, for errors: all of them come at
// once, each with its line. The PromQL itself is not looked at, see Load.
func Parse(name string, data []byte) (Profile, error) { return parse(name, data, nil) }

func parse(name string, data []byte, check Check) (Profile, error) {
	r := &reader{check: check, lines: map[string]int{}}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		r.wrong(0, "the file is empty: stormtop profiles --show=envoy prints one to start from")
	case err != nil:
		r.malformed(err)
	default:
		r.profile(&doc)
		if dec.Decode(new(yaml.Node)) != io.EOF {
			r.wrong(0, "one file holds one profile, there is more behind it")
		}
	}
	if err := r.report(name); err != nil {
		return Profile{}, err
	}
	return r.p, nil
}
