package verdict_test

import (
	"strings"
	"testing"
	"time"

	"stormtop/alerts"
	"stormtop/alerts/alertstest"
	"stormtop/alerts/watch/watchtest"
	"stormtop/collector"
	"stormtop/views/verdict"
)

// said is the verdict after series in the notation of alertstest.
func said(t *testing.T, rules []collector.RuleSpec, text string) verdict.Verdict {
	t.Helper()
	rs, err := alertstest.Input{}.Readings(text)
	if err != nil {
		t.Fatal(err)
	}
	s := watchtest.Play(rules, rs...)
	return verdict.New(s, s.Last.At.Add(2*time.Second))
}

// TestTheVerdictOnSeries: with several systems names say which one; what is kept
// says why, also when it is calm or was only about to fire.
func TestTheVerdictOnSeries(t *testing.T) {
	ratio := alerts.Documented()[:1]
	proxy := "pay@envoy ingress 300x12\npay@envoy downstream 300x12\n"
	tests := []struct{ name, text, want string }{
		{"a storm beside a proxy at 1.00x", proxy + "pay@grpc ingress 100x12\npay@grpc downstream 300x12",
			"● FIRING ≥1m47s  pay (grpc) 3.00x > 1.5   1 of 2 firing"},
		{"calm on both", proxy + "pay@grpc ingress 100x12\npay@grpc downstream 110x12",
			"ok  worst of 2: pay (grpc) 1.10x (threshold 1.5)   1 rule judged   clear 2m47s"},
		{"one system alone is not named", "pay@grpc ingress 100x12\npay@grpc downstream 110x12",
			"ok  pay 1.10x (threshold 1.5)   1 rule judged   clear 2m47s"},
		{"a system that is lost beside one that is calm", proxy + "pay@grpc ingress 100x8 _x4\npay@grpc downstream 110x12",
			"ok, 1 rule judged, not everywhere; ingress (grpc): no data   worst of 2: pay (envoy) 1.00x (threshold 1.5)"},
		{"a system whose query failed", proxy + "pay@grpc ingress 100x8 !x4\npay@grpc downstream 110x12",
			"ok, 1 rule judged, not everywhere; ingress (grpc): query failed"},
		{"firing and reporters away", "pay ingress 100x12\npay downstream 300x8 150x4\nreporters downstream 40/40x8 20/40x4",
			"● FIRING ≥1m47s (held)  pay 1.50x (partial) = threshold 1.5; 20 of 40 reporters of the attempts side answered; verdict kept"},
		{"pending and reporters away", "pay ingress 100x12\npay downstream 110x9 300x1 300x2\nreporters ingress 40/40x10 32/40x2",
			"◔ pending (held)  pay 3.00x (partial) > 1.5 for 32s of 1m; 32 of 40 reporters of the ingress side answered; verdict kept"},
		{"calm and reporters away", "pay ingress 100x12\npay downstream 110x12\nreporters ingress 40/40x10 32/40x2",
			"◑ ok (held)  pay 1.10x (partial) (threshold 1.5); 32 of 40 reporters of the ingress side answered; verdict kept"},
		{"a new breach while reporters are away", "pay ingress 100x10 50x2\npay downstream 110x12\nreporters ingress 40/40x10 20/40x2",
			"◑ ok (held)  pay 2.20x (partial) > 1.5 is not judged; 20 of 40 reporters of the ingress side answered; verdict kept"},
		{"partial without a count", "pay ingress 100x10 p50x2\npay downstream 110x12",
			"◑ ok (held)  pay 2.20x (partial) > 1.5 is not judged; on partial data for 17s, verdict kept"},
		{"infinite", "pay ingress 0x12\npay downstream 50x12", "pay ∞: 50/s attempts with no ingress"},
		{"idle", "pay ingress 0x12\npay downstream 0x12", "ok  idle: no requests, no attempts on 1 target"},
		{"no ingress series any more", "pay ingress 100x10 _x2\npay downstream 110x12",
			"◑ ok (held)  pay 1.10x (threshold 1.5); no ingress series for 17s, verdict kept"},
		{"no downstream series any more", "pay ingress 100x10 100x2\npay downstream 110x10 _x2",
			"◑ ok (held)  pay 1.10x (threshold 1.5); no downstream series for 17s, verdict kept"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if v := said(t, ratio, tt.text); !strings.Contains(v.Text, tt.want) {
				t.Errorf("got  %s\nwant %s", v.Text, tt.want)
			}
		})
	}
}

func TestAProxyDoesNotHideTheLibrary(t *testing.T) {
	s := watchtest.Play(alerts.Documented(), watchtest.Storm{Targets: 20}.Beside(0, watchtest.Plateau)...)
	v := verdict.New(s, s.Last.At)
	if want := "payments-channel (grpc_otel) 2.48x > 1.5"; !strings.Contains(v.Text, want) || v.System != watchtest.Library || v.Target != watchtest.Payments {
		t.Errorf("%q does not say %q", v.Text, want)
	}
	if want := "● 2.48x payments-channel (grpc_otel) FIRING 3m10s"; v.Short() != want {
		t.Errorf("short %q, want %q", v.Short(), want)
	}
}

func TestShortSides(t *testing.T) {
	in := func(system, target string, side collector.Signal, now, usual int) collector.Reporters {
		return collector.Reporters{System: system, Target: target, Side: side, Now: now, Usual: usual}
	}
	pay := collector.Target{ID: "pay", System: "envoy"}
	tests := []struct {
		list []collector.Reporters
		of   collector.Target
		want string
	}{
		{nil, pay, ""},
		{[]collector.Reporters{in("envoy", "", collector.Ingress, 40, 40)}, pay, ""},
		{[]collector.Reporters{in("envoy", "", collector.Ingress, 3200, 4000)}, pay, "3,200 of 4,000 reporters of the ingress side answered"},
		{[]collector.Reporters{in("envoy", "", collector.Ingress, 32, 40), in("envoy", "", collector.Downstream, 1, 2)}, pay,
			"32 of 40 reporters of the ingress side and 1 of 2 reporters of the attempts side answered"},
		{[]collector.Reporters{in("envoy", "", collector.Ingress, 32, 40), in("envoy", "pay", collector.Ingress, 2, 4)}, pay,
			"2 of 4 reporters of the ingress side answered"},
		{[]collector.Reporters{in("grpc", "", collector.Ingress, 32, 40), in("envoy", "users", collector.Ingress, 2, 4)}, pay, ""},
	}
	for _, tt := range tests {
		if got := verdict.ShortSides(tt.list, tt.of); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.list, got, tt.want)
		}
	}
}

// TestNoSeriesNamesTheSide: what is missing is told, not that something is.
func TestNoSeriesNamesTheSide(t *testing.T) {
	tests := []struct{ text, amp, rate string }{
		{"t downstream 50", "no ingress series", "no ingress series"},
		{"t ingress 50", "no downstream series", "no downstream and no retries series"},
		{"t pool_wait 1", "no ingress and no downstream series", "no downstream and no retries series"},
		{"t ingress 50\nt downstream 50", "", ""},
	}
	for _, tt := range tests {
		rs, err := alertstest.Input{}.Readings(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		v := &rs[0].Targets[0].Values
		if a, r := verdict.NoSeries(v, collector.Amplification), verdict.NoSeries(v, collector.RetryRate); a != tt.amp || r != tt.rate {
			t.Errorf("%q: %q, %q", tt.text, a, r)
		}
	}
}
