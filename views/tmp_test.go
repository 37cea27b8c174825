package views

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestLook(t *testing.T) {
	keys := strings.Fields(os.Getenv("KEYS"))
	var w, h int
	fmt.Sscanf(os.Getenv("SIZE"), "%dx%d", &w, &h)
	r := &rehearsal{rig: repaired()}
	if os.Getenv("BURN") != "" {
		r.rig = burning()
	}
	m := rehearsed(t, r, w, h, Options{}, keys...)
	requireSize(t, m.Frame(), w, h)
	fmt.Println(text(m))
	fmt.Println(r.asked)
}
