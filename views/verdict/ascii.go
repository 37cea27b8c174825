package verdict

import "strings"

// asciiOf spells the signs of this product in ASCII.
var asciiOf = map[rune]string{
	'·': ".", '◔': "o", '●': "#", '◑': "~", '×': "x", '–': "-", '—': "-", '∞': "inf", '≥': ">=",
	'µ': "u", '→': "->", '│': "|", '─': "-", '…': "...", '▸': ">", '↑': "^", '↓': "v", '←': "<",
}

// ASCII spells text for terminals without Unicode: signs of this product become
// letters or words, every other character outside ASCII a "?".
func ASCII(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < 0x80
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch word, ok := asciiOf[r]; {
		case r < 0x80:
			b.WriteRune(r)
		case ok:
			b.WriteString(word)
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
