package main

import (
	"io"
	"os"
	"testing"
	"time"
	"runtime/pprof"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector/recording"
)

func TestZZ(t *testing.T) {
	for i := range 4 {
		if i == 3 {
			f, _ := os.Create("/tmp/w/zz.prof")
			pprof.StartCPUProfile(f)
		}
		t0 := time.Now()
		rec, err := openRecording("/tmp/w/day/day.rec", os.Stdin)
		if err != nil {
			t.Fatal(err)
		}
		t1 := time.Now()
		play := recording.NewReplay(rec, recording.Options{})
		var read, add time.Duration
		w := watch.New(alerts.Documented(), 36*time.Hour, watch.DefaultTargets)
		for {
			a := time.Now()
			r, err := play.Next(t.Context())
			if err == io.EOF {
				break
			}
			b := time.Now()
			w.Add(r)
			c := time.Now()
			read += b.Sub(a)
			add += c.Sub(b)
		}
		t.Log("load", t1.Sub(t0), "read", read, "add", add, "total", time.Since(t0))
		if i == 3 {
			pprof.StopCPUProfile()
		}
	}
}
