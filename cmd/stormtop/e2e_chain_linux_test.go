package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stormtop/collector/promtest"
)

// chainHops are the hops of payment-1945, as they are published.
var chainHops = []string{"browse order", "payments gateway>order", "order>payment", "payment>channel"}

// TestEveryHopOfAChainIsReadBackAsItIs: published, scraped by every Prometheus
// that is named and measured there, each hop has the amplification that the
// simulation itself has, at ten times the speed of the clock.
func TestEveryHopOfAChainIsReadBackAsItIs(t *testing.T) {
	address := promtest.FreeAddress(t)
	sim := followPlain(t, "--sim=payment-1945:tenth", "--speed=10x", "--listen="+address, "--record="+filepath.Join(t.TempDir(), "chain.rec"))
	for _, tools := range promtest.Toolchains(t) {
		t.Run(strings.Trim(filepath.ToSlash(tools.Prometheus), "/"), func(t *testing.T) {
			t.Parallel()
			prom := serve(t, tools.Prometheus, address)
			prom.Ready()
			prom.until("count_over_time(stormtop_info[1m]) >= 5") // what the storm was before it is scraped tells nothing
			_, from := sim.wait(len(sim.seen()), "storm that has risen", stormsFor(60))
			sim.wait(from, "storm that has lasted for the range of the rates", stormsFor(80))
			r, _ := once(t, "--prom="+prom.URL, "--profile=stormtop")
			if r.RateRange != "4s" || r.Profile != "stormtop" {
				t.Errorf("rate range %s, profile %s", r.RateRange, r.Profile)
			}
			own := sim.seen()[from:]
			checkMetrics(t, tools.Promtool, address)
			for _, hop := range chainHops {
				var in, down float64
				for _, s := range own {
					if s.isReading() {
						in, down = in+s.value(hop, "ingress"), down+s.value(hop, "downstream")
					}
				}
				t.Logf("%s: %.3fx, the simulation %.3fx", hop, r.value(hop, "amplification"), down/in)
				near(t, hop+": amplification", r.value(hop, "amplification"), down/in)
			}
			prom.until(`stormtop_info{simulated="true",scenario="payment-1945:tenth",seed="1"}`)
			if speed := prom.until("stormtop_speed_ratio"); speed != 10 {
				t.Errorf("the speed is %v, want 10", speed)
			}
		})
	}
}

// stormsFor finds the reading with which the attempts at the channel have stood
// at twenty for a payment for so many readings.
func stormsFor(readings int) func(record) bool {
	n := 0
	return func(r record) bool {
		if r.isReading() {
			if n++; !(r.value("channel", "amplification") > 20) {
				n = 0
			}
		}
		return n == readings
	}
}

// checkMetrics fails on anything that promtool says of what is published.
func checkMetrics(t *testing.T, promtool, address string) {
	t.Helper()
	answer, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stormtop_requests_total", "stormtop_info", "stormtop_speed_ratio", "stormtop_signal"} {
		if !bytes.Contains(text, []byte("# HELP "+name+" ")) {
			t.Errorf("%s is not there", name)
		}
	}
	for _, hop := range chainHops {
		if !bytes.Contains(text, fmt.Appendf(nil, "stormtop_requests_total{service=%q}", hop)) {
			t.Errorf("hop %s is not there", hop)
		}
	}
	check := exec.CommandContext(t.Context(), promtool, "check", "metrics")
	check.Stdin = bytes.NewReader(text)
	if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%s check metrics: %v\n%s", promtool, err, out)
	}
}
