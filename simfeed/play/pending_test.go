package play

import (
	"strings"
	"testing"
	"time"

	"stormtop/collector"
)

// turnUp turns a lever a step up from where the picture shows it.
func turnUp(t *testing.T, f *Feed, row string, layer int) {
	t.Helper()
	l := lever(t, f, row, layer)
	if err := f.Turn(l.Field, l.More); err != nil {
		t.Fatal(err)
	}
}

func TestEveryPressOfAKeyIsAStep(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 22)
	before := f.Rig()
	for range 5 {
		turnUp(t, f, "attempts", 1)
	}
	if l := lever(t, f, "attempts", 1); l.Value != "8" || l.Less != "7" || l.More != "9" {
		t.Errorf("after five presses within a second: %+v", l)
	}
	if now := f.Rig(); now.At != before.At || now.Measured != before.Measured || before.Levers[1].Value != "3" {
		t.Errorf("a picture changed, or another second is shown: %+v", now)
	}
	take(t, f, 1)
	if l, e := lever(t, f, "attempts", 1), f.Rig().Effect; l.Value != "8" || e == nil || e.Text != "attempts at gateway>data: 3 → 8" {
		t.Errorf("a second later: %+v, %+v", l, e)
	}
	// A step soon after is the same change, and what was before is before all of it.
	calm := f.Rig().Effect.Figures[0].Before
	turnUp(t, f, "attempts", 1)
	take(t, f, 1)
	if e := f.Rig().Effect; e.Text != "attempts at gateway>data: 3 → 9" || e.Figures[0].Before != calm || e.Ago != time.Second {
		t.Errorf("a step more: %+v", e)
	}
	take(t, f, 2*together)
	turnUp(t, f, "attempts", 1)
	take(t, f, 1)
	if e := f.Rig().Effect; e.Text != "attempts at gateway>data: 9 → 10" {
		t.Errorf("a step long after: %+v", e)
	}
}

func TestWhatLeadsBackIsNoChange(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 2)
	for _, on := range []bool{true, false} {
		for _, fault := range f.Rig().Faults {
			if fault.Is == on {
				t.Fatalf("%s is already %v", fault.Title, on)
			}
			if err := f.Turn(fault.Field, fault.Turned()); err != nil {
				t.Fatal(err)
			}
		}
	}
	take(t, f, 1)
	for _, fault := range f.Rig().Faults {
		if fault.Is {
			t.Errorf("%s is on", fault.Title)
		}
	}
	if e := f.Rig().Effect; e != nil {
		t.Errorf("effect %+v", e)
	}
}

func TestWhatWasAskedForIsShownAtOnce(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1, Speed: 1})
	take(t, f, 2)
	if err := f.Do("cut"); err != nil {
		t.Fatal(err)
	}
	f.SetSpeed(20)
	rig := f.Rig()
	if l := lever(t, f, "attempts", 1); l.Value != "1" || !rig.Repairs[0].Done || rig.Speed != 20 {
		t.Errorf("%+v, %+v, speed %v", l, rig.Repairs, rig.Speed)
	}
	f.Restart(9)
	rig = f.Rig()
	if l := lever(t, f, "attempts", 1); l.Value != "3" || rig.Repairs[0].Done || rig.Seed != 9 {
		t.Errorf("after a restart: %+v, %+v, seed %d", l, rig.Repairs, rig.Seed)
	}
}

func TestAnOperatorsChangeStaysTheLastOne(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage+"loop: on\n"), Seed: 1})
	take(t, f, 15)
	if e := f.Rig().Effect; e == nil || e.Text != "outage" {
		t.Fatalf("the timeline's change: %+v", e)
	}
	turnUp(t, f, "attempts", 0)
	take(t, f, 85) // two more outages, two more laps
	if e := f.Rig().Effect; e == nil || e.Text != "attempts at sdk>gateway: 2 → 3" || e.Ago != 85*time.Second {
		t.Errorf("%+v", e)
	}
}

func TestWhatIsOverCannotBeChanged(t *testing.T) {
	f := feed(t, Config{Scenario: parse(t, outage), Seed: 1})
	take(t, f, 39)
	if f.Rig().Over {
		t.Error("it is over a second too early")
	}
	take(t, f, 1)
	before := f.Rig()
	if err := f.Turn("edges.gateway>data.attempts", "1"); err == nil || !strings.Contains(err.Error(), "the run is over: R starts it again") {
		t.Errorf("a lever: %v", err)
	}
	if err := f.Do("cut"); err == nil || !strings.Contains(err.Error(), "the run is over") {
		t.Errorf("a repair: %v", err)
	}
	if now := f.Rig(); !now.Over || now != before {
		t.Errorf("something was changed: %+v", now)
	}
	f.Hold(func(on bool) {
		if on {
			f.Restart(1)
		}
	})
	take(t, f, 1)
	if f.Rig().Over {
		t.Error("it is over after it began again")
	}
	if err := f.Turn("edges.gateway>data.attempts", "1"); err != nil {
		t.Error(err)
	}
	var rigged collector.Rigged = f
	if rigged.Rig().Levers[1].Value != "1" {
		t.Errorf("%+v", rigged.Rig().Levers[1])
	}
}
