package prom

import (
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/promql"
)

func TestConditionsFollowTheFormulas(t *testing.T) {
	p, err := signalsPlan(Config{By: []string{"s"}, Signals: map[collector.Signal]string{
		collector.Ingress: "in", collector.Downstream: "down", collector.AtLimit: "lim", collector.Successes: "ok", collector.Rescued: "res"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for sig, want := range map[collector.Signal]string{
		collector.Amplification: "((down) / on (s) (in)) > 1",
		collector.RetryRate:     "(((down) - on (s) (in)) / on (s) (down)) > 1",
		collector.AtLimit:       "(lim) > 1",
		collector.RescuedShare:  "((res) / on (s) (ok)) > 1",
		collector.Delivered:     "((ok) / on (s) (in)) > 1",
	} {
		got, ok := p.condition(collector.RuleSpec{Signal: sig, Threshold: 1}, time.Minute, 1)
		if _, err := promql.Language.ParseExpr(got); !ok || got != want || err != nil {
			t.Errorf("%s: %q %v", sig, got, err)
		}
	}
	for _, r := range []collector.RuleSpec{{Signal: collector.PoolWait}, {Signal: collector.AtLimit, Off: true}, {Signal: collector.AtLimit, Scope: collector.ScopeTotal}} {
		if got, ok := p.condition(r, time.Minute, 1); ok {
			t.Errorf("%+v: %s", r, got)
		}
	}
}
