package views

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"stormtop/collector"
)

// editor is a line of text while it is typed.
type editor struct {
	text []rune
	at   int    // the cursor stands in front of text[at]
	err  string // what is wrong with the text, "" when nothing is
}

// longestLine bounds what can be typed or pasted.
const longestLine = 200

func newEditor(text string) editor {
	e := editor{text: []rune(text)}
	e.at = len(e.text)
	return e
}

func (e *editor) String() string { return string(e.text) }

// insert puts text in front of the cursor, on one line and without control
// characters, as far as there is room.
func (e *editor) insert(text string) {
	in := []rune(collector.Clean(strings.Join(strings.Fields(text), " ")))
	if text == " " {
		in = []rune{' '}
	}
	in = in[:min(len(in), max(longestLine-len(e.text), 0))]
	e.text = append(e.text[:e.at:e.at], append(in, e.text[e.at:]...)...)
	e.at += len(in)
}

// cut removes the text from one place to the cursor.
func (e *editor) cut(from int) {
	e.text = append(e.text[:from:from], e.text[e.at:]...)
	e.at = from
}

// word is where the word in front of the cursor begins.
func (e *editor) word() int {
	i := e.at
	for i > 0 && unicode.IsSpace(e.text[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(e.text[i-1]) {
		i--
	}
	return i
}

// press edits the line; it reports whether the key was one of an editor.
func (e *editor) press(msg tea.KeyPressMsg) bool {
	switch msg.String() {
	case "backspace", "ctrl+h":
		e.cut(max(e.at-1, 0))
	case "delete", "ctrl+d":
		if e.at < len(e.text) {
			e.at++
			e.cut(e.at - 1)
		}
	case "ctrl+u":
		e.cut(0)
	case "ctrl+w":
		e.cut(e.word())
	case "left", "ctrl+b":
		e.at = max(e.at-1, 0)
	case "right", "ctrl+f":
		e.at = min(e.at+1, len(e.text))
	case "home", "ctrl+a":
		e.at = 0
	case "end", "ctrl+e":
		e.at = len(e.text)
	default:
		if msg.Text == "" {
			return false
		}
		e.insert(msg.Text)
	}
	return true
}
