package views

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"stormtop/views/internal/picture"
)

// updating reports whether golden files are to be rewritten.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

func TestTheKeyTableOfTheREADMEIsTheKeyMap(t *testing.T) {
	const file, begin, end = "../README.md", "checked by a test -->\n", "<!-- end of keys -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("README.md has no place for the key table")
	}
	var table bytes.Buffer
	if err := Keys().MarkdownTable(&table); err != nil {
		t.Fatal(err)
	}
	want := before + begin + table.String() + end + after
	if updating() {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(text) {
		t.Errorf("the key table of README.md is out of date; run: go test ./views -update")
	}
}

func TestThePictureOfTheREADMEIsARealScreen(t *testing.T) {
	const file = "../docs/overview.svg"
	svg := picture.SVG(shown(t, "firing", 120, 40, Options{}).Frame(), 120, picture.Dark)
	if updating() {
		if err := os.WriteFile(file, []byte(svg), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != svg {
		t.Errorf("docs/overview.svg is not what the screen shows; run: go test ./views -update")
	}
}
