package rulefile

import (
	"fmt"
	"strings"
)

// diffContext is how many lines that are the same are shown around others.
const diffContext = 2

// Diff is the difference between two texts, line by line: "-" is what goes, "+"
// what comes, with the lines around. "" when they are the same.
func Diff(before, after []byte) string {
	a, b := lines(before), lines(after)
	keep := common(a, b)
	var out []string
	shown := []bool{}
	i, k := 0, 0
	emit := func(sign, line string, changed bool) {
		out = append(out, sign+line)
		shown = append(shown, changed)
	}
	for _, pair := range append(keep, [2]int{len(a), len(b)}) {
		for ; i < pair[0]; i++ {
			emit("-", a[i], true)
		}
		for ; k < pair[1]; k++ {
			emit("+", b[k], true)
		}
		if i < len(a) && k < len(b) {
			emit(" ", a[i], false)
			i, k = i+1, k+1
		}
	}
	return excerpt(out, shown)
}

func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// common are the places of a longest common subsequence of lines. Beyond a few
// thousand lines that differ, only what is the same at both ends is found.
func common(a, b []string) [][2]int {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out [][2]int
	for i := range head {
		out = append(out, [2]int{i, i})
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(x)*len(y) <= 16<<20 {
		for _, p := range longest(x, y) {
			out = append(out, [2]int{head + p[0], head + p[1]})
		}
	}
	for i := range tail {
		out = append(out, [2]int{len(a) - tail + i, len(b) - tail + i})
	}
	return out
}

func longest(a, b []string) [][2]int {
	width := len(b) + 1
	length := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			if a[i] == b[k] {
				length[i*width+k] = length[(i+1)*width+k+1] + 1
			} else {
				length[i*width+k] = max(length[(i+1)*width+k], length[i*width+k+1])
			}
		}
	}
	var out [][2]int
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] == b[k]:
			out = append(out, [2]int{i, k})
			i, k = i+1, k+1
		case length[(i+1)*width+k] >= length[i*width+k+1]:
			i++
		default:
			k++
		}
	}
	return out
}

// excerpt leaves out what is the same and far from what is not.
func excerpt(list []string, changed []bool) string {
	near := make([]bool, len(list))
	any := false
	for i, c := range changed {
		for k := max(0, i-diffContext); c && k <= min(len(list)-1, i+diffContext); k++ {
			near[k], any = true, true
		}
	}
	if !any {
		return ""
	}
	var b strings.Builder
	skipped := 0
	for i, line := range list {
		if !near[i] {
			skipped++
			continue
		}
		if skipped > 0 {
			fmt.Fprintf(&b, "  ... %d lines\n", skipped)
			skipped = 0
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
