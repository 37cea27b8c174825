package table

import (
	"strings"
	"testing"
)

func TestColumnsAlign(t *testing.T) {
	tab := Table{Left: 1}
	tab.Add("", "n", "größer")
	tab.Add("long name", "1,000", "2")
	tab.Add("x", "", "")
	var b strings.Builder
	tab.Write(&b)
	want := "               n  größer\nlong name  1,000       2\nx\n"
	if b.String() != want {
		t.Errorf("got\n%q, want\n%q", b.String(), want)
	}
}
