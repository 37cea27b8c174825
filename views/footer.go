package views

// footer lists the keys that do something now, quit at the right.
func (m *Model) footer() string {
	l := m.line()
	type hint struct{ key, does string }
	var hints []hint
	add := func(key, does string) { hints = append(hints, hint{key, does}) }
	switch {
	case m.mode != overview:
		add("esc", "back")
		add("↑↓", "scroll")
	default:
		add("?", "help")
		if m.canRetry() {
			add("enter", "try again")
		}
		if len(m.shown.Order) > 1 {
			add("↑↓", "target")
		}
		if m.selected != "" {
			add("esc", "follow the worst")
		}
		if m.shown.Good != nil {
			add("i", "explain")
			if m.frozen {
				add("space", "thaw")
			} else {
				add("space", "freeze")
			}
		}
	}
	add("g", m.set.String())
	if m.theme != Mono {
		add("T", m.theme.String())
	}
	const quit = "q quit "
	for _, h := range hints {
		text := m.text(h.key)
		if 1+textWidth(text)+1+len(h.does)+2+len(quit) > l.room() {
			break
		}
		l.put(m.styles.plain, " ").put(m.styles.key, text).put(m.styles.dim, " "+h.does+" ")
	}
	l.pad(m.styles.plain, l.width-len(quit))
	return l.put(m.styles.key, "q").put(m.styles.dim, " quit ").String()
}
