package chart_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"stormtop/collector"
	"stormtop/views/chart"
)

var glyphSets = []chart.Glyphs{chart.Braille, chart.Block, chart.ASCII}

// TestPictures keeps every scene at a few sizes; run with -update to rewrite,
// and look at the difference.
func TestPictures(t *testing.T) {
	sizes := [][2]int{{60, 8}, {72, 9}, {110, 14}}
	for _, scene := range scenes {
		for _, g := range glyphSets {
			t.Run(scene.name+"/"+g.String(), func(t *testing.T) {
				spec := scene.make()
				spec.Glyphs = g
				var c chart.Canvas
				var out strings.Builder
				for _, size := range sizes {
					c.Chart(size[0], size[1], spec)
					fmt.Fprintf(&out, "%dx%d\n%s\n", size[0], size[1], framed(c.String()))
				}
				golden.RequireEqual(t, out.String())
			})
		}
	}
}

// TestSmallAndLarge keeps the storm at sizes at which parts are left out, and
// at the largest.
func TestSmallAndLarge(t *testing.T) {
	sizes := [][2]int{{1, 1}, {2, 1}, {1, 3}, {5, 2}, {12, 3}, {14, 4}, {20, 5}, {30, 4}, {40, 6}, {190, 25}}
	for _, g := range glyphSets {
		t.Run(g.String(), func(t *testing.T) {
			spec := scenes[0].make()
			spec.Glyphs = g
			var c chart.Canvas
			var out strings.Builder
			for _, size := range sizes {
				c.Chart(size[0], size[1], spec)
				fmt.Fprintf(&out, "%dx%d\n%s\n", size[0], size[1], framed(c.String()))
			}
			golden.RequireEqual(t, out.String())
		})
	}
}

// TestClasses keeps what class every cell has, as a letter; "!" is an open cell.
func TestClasses(t *testing.T) {
	for _, name := range []string{"storm with a gap", "every state", "ingress and attempts", "delivered below a threshold"} {
		t.Run(name, func(t *testing.T) {
			var c chart.Canvas
			c.Chart(72, 9, sceneNamed(t, name))
			golden.RequireEqual(t, classes(&c))
		})
	}
}

func TestSparklines(t *testing.T) {
	for _, g := range glyphSets {
		t.Run(g.String(), func(t *testing.T) {
			var out strings.Builder
			for _, scene := range scenes {
				spec := scene.make()
				if len(spec.Curves) == 0 {
					continue
				}
				lo, hi := 1.0, 3.0
				if peak, ok := chart.Peak(spec.Curves[0].Series, start, spec.Timing.Now); ok && spec.Unit != collector.Ratio {
					lo, hi = 0, peak
				}
				var c chart.Canvas
				c.Spark(24, &chart.SparkSpec{
					Timing: spec.Timing, Series: spec.Curves[0].Series,
					Range: chart.Range{Lo: lo, Hi: hi}, Above: 1.5, Glyphs: g,
				})
				fmt.Fprintf(&out, "%-32s|%s|\n", scene.name, c.String())
			}
			golden.RequireEqual(t, out.String())
		})
	}
}

func sceneNamed(t testing.TB, name string) *chart.Spec {
	t.Helper()
	for _, s := range scenes {
		if s.name == name {
			return s.make()
		}
	}
	t.Fatalf("no scene %q", name)
	return nil
}

// framed ends every row with a bar, so that trailing blanks are seen.
func framed(s string) string { return strings.ReplaceAll(s, "\n", "|\n") + "|" }

func classes(c *chart.Canvas) string {
	const letters = ".aLA^2-tn_lgi?obphf|um"
	var out strings.Builder
	_, h := c.Size()
	for y := range h {
		for _, r := range c.Row(y) {
			letter := string(letters[r.Class])
			if r.Open {
				letter = "!"
			}
			out.WriteString(strings.Repeat(letter, len([]rune(string(r.Text)))))
		}
		out.WriteString("\n")
	}
	return out.String()
}
