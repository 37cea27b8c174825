package trial_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"stormtop/alerts"
	"stormtop/alerts/trial"
	"stormtop/alerts/tune"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
)

// storm is the past of watchtest: calm, then payments-channel burns from Rise to
// Subsides.
func storm(rules []collector.RuleSpec, incidents ...tune.Incident) *trial.Past {
	return trial.New(rules, slices.Values(watchtest.Storm{Targets: 4}.Readings(0, 50*time.Minute)), incidents, trial.Lens{})
}

// burning is the incident of it.
func burning() tune.Incident {
	return tune.Incident{From: watchtest.Start.Add(watchtest.Rise), To: watchtest.Start.Add(watchtest.Subsides), Text: tune.MarkedText}
}

func rules() []collector.RuleSpec { return append(alerts.Documented(), alerts.Early()...) }

// with is the documented rule on the amplification with other numbers.
func with(threshold float64, hold time.Duration) collector.RuleSpec {
	r := alerts.Documented()[0]
	r.Threshold, r.For = threshold, hold
	return r
}

func TestOtherNumbersAreJudgedBesideThoseInForce(t *testing.T) {
	a, ok := storm(rules(), burning()).Judge(with(1.2, 30*time.Second))
	if !ok || !a.Known || !a.Weak || a.Evidence != "1 incident: weak evidence" {
		t.Fatalf("%v %+v", ok, a)
	}
	if a.Before.Found != 1 || a.Before.Lead != 80*time.Second || a.Before.Rule.Threshold != 1.5 {
		t.Errorf("in force: %+v", a.Before.Figures)
	}
	if a.Now.Found != 1 || a.Now.Lead != 45*time.Second || a.Now.False != 0 || a.Now.Rule.For != 30*time.Second {
		t.Errorf("turned: %+v", a.Now.Figures)
	}
	if want := watchtest.Start.Add(50 * time.Minute); !a.From.Equal(watchtest.Start) || !a.To.Equal(want) {
		t.Errorf("of %s to %s", a.From, a.To)
	}
	if len(a.First) != 1 || a.First[0].Rule != alerts.RetryRateHigh || a.First[0].Lead != 10*time.Second {
		t.Errorf("first to warn: %+v", a.First)
	}
}

func TestWhatWarnsFirstFollowsTheNumbersThatAreTurned(t *testing.T) {
	a, _ := storm(rules(), burning()).Judge(with(1.01, 0))
	if len(a.First) != 1 || a.First[0].Rule != alerts.RetryAmplificationHigh {
		t.Errorf("%+v", a.First)
	}
}

func TestIncidentsOutsideOfTheReadingsDoNotCount(t *testing.T) {
	far := tune.Incident{From: watchtest.Start.Add(-2 * time.Hour), To: watchtest.Start.Add(-time.Hour)}
	later := tune.Incident{From: watchtest.Start.Add(2 * time.Hour), To: watchtest.Start.Add(3 * time.Hour)}
	a, _ := storm(rules(), far, burning(), later).Judge(with(1.5, time.Minute))
	if a.Now.Incidents != 1 {
		t.Errorf("%d incidents", a.Now.Incidents)
	}
	if a, _ := storm(rules(), far).Judge(with(1.5, time.Minute)); a.Now.Incidents != 0 || len(a.First) != 0 {
		t.Errorf("without one: %+v", a)
	}
}

func TestARuleThatIsOffIsJudgedAllTheSame(t *testing.T) {
	early := alerts.Early()[0]
	early.Threshold = 0.2
	a, ok := storm(rules(), burning()).Judge(early)
	if !ok || a.Now.Found != 1 || a.Before.Rule.Threshold != 0.05 {
		t.Errorf("%v %+v", ok, a.Now.Figures)
	}
}

func TestWhatCannotBeTunedIsNotJudged(t *testing.T) {
	p := storm(rules())
	pair := alerts.Documented()[3]
	if _, ok := p.Judge(pair); ok || p.Landscape(pair) != nil {
		t.Error("a rule made of two others")
	}
	if _, ok := p.Judge(collector.RuleSpec{Name: "Another"}); ok {
		t.Error("a rule that is not there")
	}
}

func TestWithoutReadingsNothingIsKnown(t *testing.T) {
	p := trial.New(rules(), slices.Values([]*collector.Reading(nil)), nil, trial.Lens{})
	a, ok := p.Judge(with(1.5, 0))
	if !ok || a.Known || a.Now.Firings != 0 || !a.From.IsZero() {
		t.Errorf("%v %+v", ok, a)
	}
	if l := p.Landscape(with(1.5, 0)); l == nil || len(l.Map.Cells) == 0 || l.Map.Incidents != 0 {
		t.Errorf("%+v", l)
	}
}

func TestTheMapHoldsEveryPointThatStepsLeadTo(t *testing.T) {
	p := storm(rules(), burning())
	rapid.Check(t, func(t *rapid.T) {
		r := with(1.5, time.Minute)
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			up := rapid.Bool().Draw(t, "up")
			if rapid.Bool().Draw(t, "across") {
				r.Threshold = tune.NextThreshold(r, collector.Ratio, up)
			} else {
				r.For = tune.NextFor(r.For, up)
			}
		}
		l := p.Landscape(r)
		x, y := l.Map.Place(r)
		if l.Map.Thresholds[x] != r.Threshold || l.Map.Fors[y] != r.For {
			t.Fatalf("%v for %s is not on the map: %v, %v", r.Threshold, r.For, l.Map.Thresholds, l.Map.Fors)
		}
		a, _ := p.Judge(r)
		c := l.Map.At(x, y)
		got := tune.Cell{Firings: a.Now.Firings, Missed: a.Now.Missed(), False: a.Now.False, Worst: a.Now.False, Lead: a.Now.Lead, Median: a.Now.Median}
		if diff := cmp.Diff(got, *c); diff != "" {
			t.Fatalf("%v for %s, back-test and map (-want +got):\n%s", r.Threshold, r.For, diff)
		}
		if a.Land != l {
			t.Error("the map is made again for every answer")
		}
	})
}

func TestTheMapIsMadeAgainWhereItsPointsChange(t *testing.T) {
	p := storm(rules(), burning())
	r := with(1.5, time.Minute)
	l := p.Landscape(r)
	if p.Landscape(with(1.2, 30*time.Second)) != l {
		t.Error("moving on the map makes another one")
	}
	r.KeepFiring = 5 * time.Minute
	if a, _ := p.Judge(r); a.Land != nil {
		t.Error("keep_firing_for changes every point")
	}
	if p.Landscape(r) == l {
		t.Error("another map is due")
	}
}

func TestTheDocumentedPointIsToldOfDocumentedRules(t *testing.T) {
	mine := rules()
	mine[0].Threshold = 2
	own := mine[0]
	own.Name = "Mine"
	p := storm(append(mine, own), burning())
	if l := p.Landscape(mine[0]); l.Documented == nil || l.Documented.Threshold != 1.5 {
		t.Errorf("%+v", l.Documented)
	}
	if l := p.Landscape(own); l.Documented != nil {
		t.Errorf("%+v", l.Documented)
	}
}

// seconds is the storm as a simulation tells it: rates that reach back to the
// reading before.
func seconds() []*collector.Reading {
	list := watchtest.Storm{Targets: 2}.Readings(0, 50*time.Minute)
	origin := *list[0].Origin
	origin.RateRange = origin.Interval
	for _, r := range list {
		r.Origin = &origin
	}
	return list
}

func TestThroughALensTheSamePastIsSeenLaterAndSeldom(t *testing.T) {
	r := with(1.5, 0)
	judge := func(l trial.Lens) trial.Answer {
		a, ok := trial.New(rules(), slices.Values(seconds()), []tune.Incident{burning()}, l).Judge(r)
		if !ok || a.Problem != "" {
			t.Fatalf("%v, %q", ok, a.Problem)
		}
		return a
	}
	plain, wide, seldom, same := judge(trial.Lens{}), judge(trial.Lens{Rate: 2 * time.Minute}), judge(trial.Lens{Every: time.Minute}), judge(trial.Lens{Rate: 5 * time.Second, Every: 5 * time.Second})
	if wide.Now.Lead <= plain.Now.Lead || wide.Now.False != 0 || wide.Grace != 2*time.Minute {
		t.Errorf("averaged over 2m it warns after %s, else after %s; false %s, grace %s", wide.Now.Lead, plain.Now.Lead, wide.Now.False, wide.Grace)
	}
	if seldom.Now.Lead <= plain.Now.Lead || seldom.Now.Episodes[0].Firing.Second() != 0 {
		t.Errorf("evaluated each minute it warns after %s, at %s", seldom.Now.Lead, seldom.Now.Episodes[0].Firing)
	}
	if diff := cmp.Diff(plain.Now.Figures, same.Now.Figures); diff != "" {
		t.Errorf("as it was read (-want +got):\n%s", diff)
	}
	for _, a := range []trial.Answer{wide, seldom} {
		if diff := cmp.Diff(plain.Before.Figures, a.Before.Figures); diff != "" {
			t.Errorf("what is in force was seen through the lens, too (-want +got):\n%s", diff)
		}
	}
}

func TestALensThatCannotBeIsToldAndLeftOut(t *testing.T) {
	for _, l := range []trial.Lens{{Rate: 5 * time.Minute}, {Every: 7 * time.Second}, {Every: time.Second}} {
		p := trial.New(rules(), slices.Values(watchtest.Storm{Targets: 2}.Readings(0, 20*time.Minute)), nil, l)
		if a, ok := p.Judge(with(1.5, 0)); !ok || a.Problem == "" || a.Now.Firings != 1 {
			t.Errorf("%+v: %v, %q, %+v", l, ok, a.Problem, a.Now.Figures)
		}
	}
}

func TestStepsOfALensLeadToWhatCanBe(t *testing.T) {
	raw := seconds()[0].Origin
	served := watchtest.Origin()
	if got := trial.NextRate(served, trial.Lens{}, true); got != served.RateRange {
		t.Errorf("rates of a server become %s", got)
	}
	if up, down := trial.NextRate(raw, trial.Lens{}, true), trial.NextRate(raw, trial.Lens{Rate: 10 * time.Second}, false); up != 10*time.Second || down != 5*time.Second {
		t.Errorf("rates: %s, %s", up, down)
	}
	if got := trial.NextRate(raw, trial.Lens{}, false); got != 5*time.Second {
		t.Errorf("finer than raw: %s", got)
	}
	if up, down := trial.NextEvery(raw, trial.Lens{}, true), trial.NextEvery(raw, trial.Lens{Every: 10 * time.Second}, false); up != 10*time.Second || down != 5*time.Second {
		t.Errorf("every: %s, %s", up, down)
	}
	slow := *raw
	slow.Interval = 15 * time.Second
	if got := trial.NextEvery(&slow, trial.Lens{}, true); got != 30*time.Second {
		t.Errorf("20 s are no multiple of 15 s, yet: %s", got)
	}
	if got := trial.NextEvery(&slow, trial.Lens{}, false); got != 15*time.Second {
		t.Errorf("more often than it is read: %s", got)
	}
}
