package main

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

// plateau are readings of a steady load, and what the peer counted meanwhile.
type plateau struct {
	readings []peerReading
	ledger   *ledger
}

// peerReading is a record with the row over all targets.
type peerReading struct {
	record
	Total map[string]measured
}

// allTogether is the name under which a plateau gives the row over all targets.
const allTogether = ""

func (r peerReading) value(target, signal string) float64 {
	if target != allTogether {
		return r.record.value(target, signal)
	}
	if v := r.Total[signal]; v.Value != nil {
		return *v.Value
	}
	return math.NaN()
}

// plateau reads a Prometheus every other second for half a minute, with --once
// and nothing but the given flags beside its address.
func (l *ledger) plateau(t *testing.T, prom *server, args ...string) plateau {
	t.Helper()
	p := plateau{ledger: l}
	again := time.NewTicker(2 * time.Second)
	defer again.Stop()
	deadline := time.Now().Add(3 * time.Minute)
	for p.length() < 30*time.Second {
		if time.Now().After(deadline) {
			t.Fatalf("only %d readings that span %s", len(p.readings), p.length())
		}
		o := execute(t, append([]string{"--once", "--format=json", "--prom=" + prom.URL}, args...)...)
		var r peerReading
		if err := json.Unmarshal([]byte(o.stdout), &r); err != nil || o.status == 2 || o.status == 3 || len(r.Failures) > 0 {
			t.Fatalf("--once: status %d, %v: %s\n%s", o.status, err, o.stdout, o.stderr)
		}
		p.readings = append(p.readings, r)
		<-again.C
	}
	return p
}

func (p plateau) length() time.Duration {
	if len(p.readings) == 0 {
		return 0
	}
	return p.readings[len(p.readings)-1].At.Sub(p.readings[0].At)
}

// shown is the mean of what the readings say.
func (p plateau) shown(target, signal string) float64 {
	sum := 0.0
	for _, r := range p.readings {
		sum += r.value(target, signal)
	}
	return sum / float64(len(p.readings))
}

// behind is how much counts grew, together, over the very seconds that the
// rates of a reading are of.
func (p plateau) behind(t *testing.T, r peerReading, names ...string) float64 {
	t.Helper()
	sum := 0.0
	for _, name := range names {
		sum += p.ledger.count(t, stretchOfTime{r.At.Add(-p.rateRange(t)), r.At}, name)
	}
	return sum
}

// counted is the same for all readings together.
func (p plateau) counted(t *testing.T, names ...string) float64 {
	t.Helper()
	sum := 0.0
	for _, r := range p.readings {
		sum += p.behind(t, r, names...)
	}
	return sum
}

// perSecond is what was counted, a second.
func (p plateau) perSecond(t *testing.T, names ...string) float64 {
	t.Helper()
	return p.counted(t, names...) / p.rateRange(t).Seconds() / float64(len(p.readings))
}

// ratio is the mean of what each reading should have said of one count in
// relation to another.
func (p plateau) ratio(t *testing.T, name, of string) float64 {
	t.Helper()
	sum := 0.0
	for _, r := range p.readings {
		sum += p.behind(t, r, name) / p.behind(t, r, of)
	}
	return sum / float64(len(p.readings))
}

// rateRange is that of the readings.
func (p plateau) rateRange(t *testing.T) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(p.readings[0].RateRange)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// expect fails unless the mean of what the readings say is so near to what was
// counted, as a share of it, or as it is where nothing was counted.
func (p plateau) expect(t *testing.T, target, signal string, want, within float64) {
	t.Helper()
	got, name := p.shown(target, signal), target
	if target == allTogether {
		name = "all together"
	}
	off := math.Abs(got - want)
	if want != 0 {
		off /= math.Abs(want)
	}
	t.Logf("%s: %s shown %.4f, counted %.4f: %.2f %% off", name, signal, got, want, 100*off)
	if !(off <= within) {
		t.Errorf("%s of %s is %v, want %v within %v %%", signal, name, got, want, 100*within)
	}
}
