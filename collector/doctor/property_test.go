package doctor

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stormtop/collector"
	"stormtop/collector/prom"
)

// TestWhateverAServerSaysThereIsAReport draws servers at random: no panic, JSON
// that can be read, a remedy for each gap, an exit status that fits.
func TestWhateverAServerSaysThereIsAReport(t *testing.T) {
	number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1), math.Inf(-1)}))
	words := rapid.SliceOfN(rapid.SampledFrom([]string{"service", "cluster", "replica", "", "a b", "\x00"}), 0, 3)
	side := rapid.Custom(func(t *rapid.T) prom.Side {
		return prom.Side{
			Selector: rapid.SampledFrom([]string{"", "shop_requests_total", "shop_attempts_total", "a:b:c", "sum("}).Draw(t, "selector"),
			Series:   rapid.IntRange(-1, 2000).Draw(t, "series"), Reporters: rapid.IntRange(-1, 9).Draw(t, "reporters"), Usual: rapid.IntRange(-1, 9).Draw(t, "usual"),
			Spacing:  time.Duration(rapid.Int64Range(-1, int64(time.Hour)).Draw(t, "spacing")),
			Replicas: words.Draw(t, "replicas"), Doubled: number.Draw(t, "doubled"), Jobs: number.Draw(t, "jobs"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		w := healthy()
		w.drift = time.Duration(rapid.Int64().Draw(t, "drift"))
		w.detected.Found[0].Evidence = number.Draw(t, "evidence")
		w.detected.Found[0].Use = prom.Use(rapid.IntRange(0, 5).Draw(t, "use"))
		for _, q := range []string{ingressQuery, downstreamQuery, retriesQuery, poolQuery} {
			switch rapid.IntRange(0, 2).Draw(t, "answer") {
			case 0:
				w.gone(q)
			case 1:
				w.answers[q] = series("service=orders", number.Draw(t, "v"), "zone=x", number.Draw(t, "v"))
			}
		}
		w.change(func(ex *prom.Examined) {
			ex.Sides = [2]prom.Side{side.Draw(t, "ingress"), side.Draw(t, "downstream")}
			ex.Rate = time.Duration(rapid.Int64Range(-1, int64(time.Hour)).Draw(t, "rate"))
			ex.Labels = words.Draw(t, "labels")
		})
		r, err := Run(t.Context(), w, Config{At: noon, Interval: time.Duration(rapid.Int64().Draw(t, "interval")), By: words.Draw(t, "by")})
		if err != nil {
			t.Fatal(err)
		}
		var text, machine bytes.Buffer
		if err := r.Text(&text, rapid.Bool().Draw(t, "ascii")); err != nil {
			t.Fatal(err)
		}
		if err := r.JSON(&machine); err != nil || !json.Valid(machine.Bytes()) {
			t.Fatalf("%v: %s", err, machine.Bytes())
		}
		gaps := 0
		for _, f := range all(r) {
			if f.Level >= Gap {
				gaps++
			}
			if f.Level >= Gap && f.Remedy == "" || f.Text != collector.Clean(f.Text) {
				t.Fatalf("%+v", f)
			}
		}
		if gaps != r.Gaps() || (r.ExitStatus() == ExitComplete) != (gaps == 0 && !r.NoData) {
			t.Fatalf("%d gaps, exit %d", gaps, r.ExitStatus())
		}
	})
}
