package doctor

import (
	"context"
	"errors"
	"strings"
	"testing"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

func TestAServerThatCannotBeReadEndsWithThree(t *testing.T) {
	for _, tt := range []struct {
		name   string
		err    error
		text   string
		remedy string
	}{
		{"no connection", &prom.Refused{Kind: collector.Unreachable, Text: "no connection to prom.example:9090: connection refused"},
			"connection refused", "Check the address in --prom=URL"},
		{"no tenant (A10)", &prom.Refused{Kind: collector.Forbidden, Text: "prom.example:9090 answers 401 (no org id)"},
			"no org id", "--prom.header=X-Scope-OrgID=TENANT"},
		{"no credentials", &prom.Refused{Kind: collector.Forbidden, Text: "prom.example:9090 wants credentials"},
			"wants credentials", "--prom.http-config=FILE"},
		{"too many questions", &prom.Refused{Kind: collector.RateLimited, Text: "rate limited by prom.example:9090"},
			"rate limited", "Wait as long as the server asks"},
		{"too slow", &prom.Refused{Kind: collector.TimedOut, Text: "prom.example:9090: query timed out"},
			"timed out", "Ask again when the server is less busy"},
		{"a query that it does not understand", &prom.Refused{Kind: collector.Rejected, Text: "query rejected: unknown function"},
			"unknown function", "Check the query"},
		{"an error of another kind", errors.New("something else"), "something else", "Check the address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := healthy()
			w.detectErr, w.clockErr = tt.err, tt.err
			r := run(t, w, Config{})
			expect(t, r, said{Broken, TopicServer, tt.text, tt.remedy})
			if r.ExitStatus() != ExitNoData || len(r.Systems) != 0 || len(w.asked) != 0 {
				t.Errorf("exit %d, %d systems, asked %q", r.ExitStatus(), len(r.Systems), w.asked)
			}
		})
	}
}

func TestEmptinessNamesTheTenantAndIsNoZeroTraffic(t *testing.T) {
	for _, tt := range []struct {
		name   string
		up     float64
		cfg    Config
		text   string
		remedy string
	}{
		{"other data is there", 7, Config{}, "connected, but none of the 1 known systems has data here", "Scrape a system that stormtop knows"},
		{"nothing at all is there", 0, Config{}, "there is nothing at all here, not even the metric up", "On a server with tenants, name yours"},
		{"the tenant is empty (A10)", 0, Config{Tenant: "ops\x1b[31m"}, "nothing at all here for tenant \"ops\ufffd[31m\"", "Check the tenant's name in X-Scope-OrgID first."},
		{"the profile that was chosen has no data", 7, Config{Profiles: []string{"shop"}}, "shop was chosen, but has no data here: there is no shop_attempts_total", "Enable shop_attempts_total"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := healthy()
			w.detected = prom.Detected{}
			if tt.up > 0 {
				w.answers["count(up)"] = series("", tt.up)
			}
			r := run(t, w, tt.cfg)
			expect(t, r, said{Broken, TopicData, tt.text, tt.remedy})
			if r.ExitStatus() != ExitNoData {
				t.Errorf("exit %d", r.ExitStatus())
			}
		})
	}
}

// own is a configuration with both sides named.
func own() Config {
	return Config{By: []string{"service"}, Signals: map[collector.Signal]string{collector.Ingress: "i", collector.Downstream: "d"}}
}

func TestSignalsThatWereNamedAreExaminedInsteadOfProfiles(t *testing.T) {
	w := healthy()
	ex := w.examined["shop"]
	delete(ex.Queries, collector.Retries)
	delete(ex.Queries, collector.PoolWait)
	w.examined[""] = ex
	r := run(t, w, own())
	if r.ExitStatus() != ExitComplete || len(r.Systems) != 2 || r.Systems[0].Profile != "" || r.Systems[1].Use != prom.Offered {
		t.Errorf("exit %d:\n%s", r.ExitStatus(), text80(t, r, false))
	}
	for _, s := range r.Systems[0].Signals {
		if s.State != Present {
			t.Errorf("%s was not named, and nobody says that it should be", s.Topic)
		}
	}
}

func TestNamedSignalsWithoutAnySeriesAreNoData(t *testing.T) {
	w := healthy()
	w.detected = prom.Detected{}
	w.examined[""] = prom.Examined{Queries: map[collector.Signal]string{collector.Ingress: "sum(rate(a[1m]))", collector.Downstream: "sum(rate(b[1m]))"}}
	cfg := own()
	cfg.Tenant = "ops"
	r := run(t, w, cfg)
	expect(t, r, said{Broken, TopicData, `none of the 2 configured signals has any series here for tenant "ops"`, "Check the tenant's name"})
	if r.ExitStatus() != ExitNoData {
		t.Errorf("exit %d", r.ExitStatus())
	}
}

func TestSystemsThatAreNotJudgedAreListedOnly(t *testing.T) {
	w := healthy()
	w.detected.Found = append([]prom.Found{
		{Profile: profile.Profile{Name: "old_shop", Title: "Its older client"}, Evidence: 4, Use: prom.Superseded, By: "shop"},
		{Profile: profile.Profile{Name: "fan", Title: "Fan-out"}, Evidence: 12, Use: prom.Offered},
	}, w.detected.Found...)
	r := run(t, w, Config{})
	if r.Systems[0].Profile != "shop" || len(r.Systems[1].Signals)+len(r.Systems[2].Signals) != 0 {
		t.Errorf("%+v", r.Systems)
	}
	text := strings.Join(strings.Fields(text80(t, r, false)), " ")
	for _, want := range []string{"ALSO HERE", "shop reads the same series better", "Judge by it with --profile=fan."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestAnInterruptedRunHasNoReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, healthy(), Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestTheCostOfEveryQueryIsCounted(t *testing.T) {
	w := healthy()
	w.detected.Cost = collector.Cost{Queries: 2, Bytes: 100}
	r := run(t, w, Config{})
	if want := len(w.asked) + 2; r.Cost.Queries != want || r.Cost.Bytes != int64(len(w.asked))*1500+100 {
		t.Errorf("%+v, want %d queries", r.Cost, want)
	}
	if r.Poll.Cost.Queries != 4 {
		t.Errorf("a poll of %+v", r.Poll.Cost)
	}
}
