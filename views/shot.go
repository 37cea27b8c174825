package views

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"stormtop/alerts/watch"
)

// Shot is a picture that somebody asked to keep.
type Shot struct {
	Snapshot watch.Snapshot // what the charts are of
	From, To time.Time      // the time on the charts
	At       time.Time      // the instant that the numbers are of
	Text     string         // the screen without colours, one line a row
}

// shoot hands the picture on the screen to who keeps it; the answer is a
// NoticeMsg.
func (m *Model) shoot() {
	m.opt.Keep(Shot{
		Snapshot: m.base, From: m.begin(), To: m.edge(), At: m.shown.Last.At, Text: plainText(m.Frame()),
	})
}

// plainText is a frame without escape sequences and without blanks at the ends of
// its lines.
func plainText(frame string) string {
	rows := strings.Split(ansi.Strip(frame), "\n")
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n") + "\n"
}

// record asks to start a recording, or to end the one that is made.
func (m *Model) record() { m.opt.Record() }
