package views

import (
	"fmt"
	"io"
	"strings"

	"charm.land/bubbles/v2/key"
)

// KeyMap binds keys to what they do. Help, footer and the README's table are
// made from it.
type KeyMap struct {
	Help, Freeze, Up, Down, Top, Bottom, Open, Back, Explain, Retry, Glyphs, Theme, Suspend, Quit key.Binding
}

// Keys is the key map of stormtop.
func Keys() KeyMap {
	bind := func(label, does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, does))
	}
	return KeyMap{
		Help:    bind("?", "help", "?", "f1"),
		Freeze:  bind("space", "freeze the picture, thaw it", "space"),
		Up:      bind("↑", "select the target above", "up", "k"),
		Down:    bind("↓", "select the target below", "down", "j"),
		Top:     bind("home", "select the first target", "home"),
		Bottom:  bind("end", "select the last target", "end"),
		Open:    bind("enter", "select the first target; try again while polling stands still", "enter"),
		Back:    bind("esc", "back; let the worst target lead again", "esc"),
		Explain: bind("i", "explain the numbers of the target", "i"),
		Retry:   bind("enter", "try again", "enter"),
		Glyphs:  bind("g", "glyphs: braille, block, ASCII", "g"),
		Theme:   bind("T", "theme: dark, light", "T"),
		Suspend: bind("ctrl+z", "suspend", "ctrl+z"),
		Quit:    bind("q", "quit", "q", "ctrl+c"),
	}
}

// Bindings lists the keys in the order of the help screen.
func (k KeyMap) Bindings() []key.Binding {
	return []key.Binding{
		k.Help, k.Freeze, k.Up, k.Down, k.Top, k.Bottom, k.Open, k.Back, k.Explain, k.Glyphs, k.Theme, k.Suspend, k.Quit,
	}
}

// MarkdownTable writes the key table of the README.
func (k KeyMap) MarkdownTable(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| key | does |\n|---|---|\n")
	for _, kb := range k.Bindings() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", kb.Help().Key, kb.Help().Desc)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
