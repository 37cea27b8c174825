package doctor

import (
	"errors"
	"strings"
	"testing"
	"time"

	"stormtop/collector"
	"stormtop/collector/profile"
	"stormtop/collector/prom"
)

// said is a finding as a test expects it: parts of its text and remedy.
type said struct {
	level        Level
	topic        string
	text, remedy string
}

// all are the findings of a report, those of signals and systems included.
func all(r Report) []Finding {
	out := append([]Finding{}, r.Findings...)
	for _, sys := range r.Systems {
		for _, s := range sys.Signals {
			out = append(out, s.Finding)
		}
		out = append(out, sys.Findings...)
	}
	return out
}

func expect(t *testing.T, r Report, want said) {
	t.Helper()
	var same []string
	for _, f := range all(r) {
		if f.Topic != want.topic {
			continue
		}
		if f.Level == want.level && strings.Contains(f.Text, want.text) && strings.Contains(f.Remedy, want.remedy) {
			return
		}
		same = append(same, f.Level.String()+" "+f.Text+" → "+f.Remedy)
	}
	t.Errorf("no %s of %s with %q → %q; of that topic:\n%s", want.level, want.topic, want.text, want.remedy, strings.Join(same, "\n"))
}

func TestEveryGapIsNamedWithItsRemedy(t *testing.T) {
	tests := []struct {
		name   string
		change func(w *world)
		cfg    Config
		want   said
		exit   int
	}{
		{name: "nothing is missing", want: said{OK, TopicTargets, "both sides know the same 2 targets", ""}},
		{name: "a signal that the system never exports is no gap",
			want: said{Note, "at_limit", "not exported: the client does not count it", ""}},
		{name: "a reason that says so itself is not said twice",
			change: func(w *world) {
				w.detected.Found[0].Profile.Absent = map[collector.Signal]string{collector.AtLimit: "not counted by the client"}
			},
			want: said{Note, "at_limit", "not counted by the client", ""}},
		{name: "a metric that is not switched on",
			change: func(w *world) { w.gone(retriesQuery) },
			want:   said{Gap, "retries", "no such series: shop_retries_total", "Enable shop_retries_total"}, exit: 1},
		{name: "a counter that appears with its first event means zero where the profile says so",
			change: func(w *world) {
				w.gone(retriesQuery)
				w.answers[downstreamQuery] = series("service=orders", 100.0, "service=users", 300.0)
				w.detected.Found[0].Profile.ZeroFill = []collector.Signal{collector.Retries}
			},
			want: said{OK, "retries", "none yet, which counts as 0", ""}},
		{name: "an idle divisor is no gap",
			change: func(w *world) {
				w.gone(poolQuery)
				w.answers["count by (__name__) (shop_wait_seconds_sum)"] = series("__name__=x", 2.0)
				w.answers["count by (__name__) (shop_wait_seconds_count)"] = series("__name__=x", 2.0)
			},
			want: said{OK, "pool_wait", "idle", ""}},
		{name: "a series every 60 seconds has no rate over a minute (case A4)",
			change: func(w *world) {
				w.gone(downstreamQuery)
				w.answers["count by (__name__) (shop_attempts_total)"] = series("__name__=shop_attempts_total", 2.0)
				w.change(func(ex *prom.Examined) { ex.Sides[1].Spacing = time.Minute })
			},
			want: said{Broken, "downstream", "a range of 1m holds fewer than 2 samples, their real spacing is about 60s", "Try --rate=4m or more."}, exit: 1},
		{name: "the spacing of a signal beside the sides is measured (case A4)",
			change: func(w *world) {
				w.gone(retriesQuery)
				w.answers["count by (__name__) (shop_retries_total)"] = series("__name__=x", 3.0)
				w.answers["max(count_over_time(shop_retries_total[10m]))"] = series("", 10.0)
			},
			want: said{Broken, "retries", "real spacing is about 60s", "--rate=4m"}, exit: 1},
		{name: "series that are younger than two samples",
			change: func(w *world) {
				w.gone(retriesQuery)
				w.answers["count by (__name__) (shop_retries_total)"] = series("__name__=x", 1.0)
			},
			want: said{Gap, "retries", "1 series is there, but no rate yet", "Wait for two scrapes"}, exit: 1},
		{name: "the rate of a gauge (case E7)",
			change: func(w *world) { w.types["shop_retries_total"] = "gauge" },
			want:   said{Gap, "retries", "the rate of shop_retries_total, which the server knows as a gauge", "Check that shop_retries_total only ever grows"}, exit: 1},
		{name: "the rate of a gauge behind a name that is a pattern (case E7)",
			change: func(w *world) {
				q := `sum by (service) (rate({__name__=~"retry_calls(_total)?"}[1m]))`
				w.change(func(ex *prom.Examined) { ex.Queries[collector.Retries] = q })
				w.answers[q] = series("service=orders", 1.0)
				w.answers[`count by (__name__) ({__name__=~"retry_calls(_total)?"})`] = series("__name__=retry_calls", 4.0)
				w.types["retry_calls"] = "gauge"
			},
			want: said{Gap, "retries", "the rate of retry_calls, which", "--signal retries="}, exit: 1},
		{name: "a query that the server refuses",
			change: func(w *world) {
				w.errs = map[string]error{poolQuery: errors.New("query rejected: many-to-many matching not allowed")}
			},
			want: said{Broken, "pool_wait", "many-to-many", "Aggregate both parts before they are joined"}, exit: 1},
		{name: "parts of a query that share no target",
			change: func(w *world) {
				q := "sum by (service) (rate(a_total[1m])) / sum by (service) (rate(b_total[1m]))"
				w.change(func(ex *prom.Examined) { ex.Queries[collector.PoolWait] = q })
				w.answers["count by (__name__) (a_total)"] = series("", 2.0)
				w.answers["count by (__name__) (b_total)"] = series("", 2.0)
			},
			want: said{Broken, "pool_wait", "share no target: a_total and b_total", "Name in --by only"}, exit: 1},
		{name: "sides that are grouped by values which never match (case E5)",
			change: func(w *world) {
				w.answers[ingressQuery] = series("service=https", 350.0, "service=healthz", 7.0)
				w.answers[downstreamQuery] = series("service=proxy1", 315.0, "service=proxy2", 41.0)
			},
			want: said{Broken, TopicTargets, "share no target: healthz and https on one side, proxy1 and proxy2 on the other", "(instance and job): --by=instance."}, exit: 1},
		{name: "targets that only one side has",
			change: func(w *world) { w.answers[downstreamQuery] = series("service=orders", 240.0) },
			want:   said{Gap, TopicTargets, "of 2 targets, 1 has only requests (users)", "leave them out with --select"}, exit: 1},
		{name: "a retry counter that does not move in a storm (case E9)",
			change: func(w *world) { w.answers[retriesQuery] = series("service=orders", 0.0, "service=users", 0.0) },
			want:   said{Broken, "retries", "it reads 0 while orders has 2.40x attempts per request: probably not enabled", "Enable"}, exit: 1},
		{name: "a retry counter that is 0 in calm is believed",
			change: func(w *world) {
				w.answers[retriesQuery] = series("service=orders", 0.0)
				w.answers[downstreamQuery] = series("service=orders", 104.0, "service=users", 300.0)
			},
			want: said{OK, "retries", "", ""}},
		{name: "a metric with two label sets (case E10)",
			change: func(w *world) {
				w.answers["shop_attempts_total"] = series("__name__=shop_attempts_total,job=shop,instance=a:80", 1.0, "__name__=shop_attempts_total,job=shop,instance=b:80,retry_number=0", 1.0)
			},
			want: said{Note, TopicLabels, "shop_attempts_total has two label sets: retry_number is on 1 of its 2 series of the job shop", "bring them to one"}},
		{name: "series without a label of the grouping",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Missing = map[string]int{"service": 1} })
			},
			want: said{Gap, TopicGrouping, "1 of 4 series are without the label service", "Give these series the label service"}, exit: 1},
		{name: "a recording rule that dropped the label named in --by",
			cfg: Config{By: []string{"zone"}},
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Sides[1].Selector = "service:shop_attempts:rate1m" })
				w.answers[ingressQuery] = series("zone=a", 100.0)
				w.answers[downstreamQuery] = series("", 100.0)
			},
			want: said{Gap, TopicGrouping, "no series of downstream has the label zone: the recording rule service:shop_attempts:rate1m dropped it", "Keep zone in the by (...) of the rule"}, exit: 1},
		{name: "a label named in --by that nothing has",
			cfg:  Config{By: []string{"zone"}},
			want: said{Gap, TopicGrouping, "no series of ingress and downstream has the label zone", "Give them the label zone"}, exit: 1},
		{name: "labels of place with several values join the grouping",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Labels = []string{"cluster", "region"} })
			},
			want: said{Note, TopicGrouping, "cluster and region have several values: part of the grouping", ""}},
		{name: "a rate range that one late scrape empties",
			cfg: Config{Rate: 30 * time.Second},
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Rate = 30 * time.Second })
			},
			want: said{Gap, TopicSpacing, "both sides every 15s; rate 30s (1m or more): one late scrape", "Use --rate=1m or more."}, exit: 1},
		{name: "a rate range below two samples",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Sides[0].Spacing, ex.Sides[1].Spacing = time.Minute, 15*time.Second })
			},
			want: said{Broken, TopicSpacing, "ingress every 60s and downstream every 15s; rate 1m (4m or more): the range holds fewer than 2 samples", "Use --rate=4m or more."}, exit: 1},
		{name: "a spacing that is not known",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Sides[0].Spacing, ex.Sides[1].Spacing = 0, 0 })
			},
			want: said{Note, TopicSpacing, "fewer than three samples", ""}},
		{name: "one side is there twice (case A1)",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) {
					ex.Sides[1].Doubled, ex.Sides[1].Replicas = 2, []string{"prometheus_replica"}
				})
			},
			want: said{Gap, TopicReplicas, "only the downstream side is there twice, told apart by prometheus_replica; uncollapsed, healthy traffic reads as 2.00x", "Deduplicate"}, exit: 1},
		{name: "one side is there twice and hides half of the storm (case A1)",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Sides[0].Doubled, ex.Sides[0].Replicas = 2, []string{"replica"} })
			},
			want: said{Gap, TopicReplicas, "only the ingress side is there twice, told apart by replica; uncollapsed, healthy traffic reads as 0.50x", "Deduplicate"}, exit: 1},
		{name: "both sides are there twice, which cancels out",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) {
					for i := range ex.Sides {
						ex.Sides[i].Doubled, ex.Sides[i].Replicas = 2, []string{"replica"}
					}
				})
			},
			want: said{Note, TopicReplicas, "every series is there twice, told apart by replica", "Deduplicate"}},
		{name: "two jobs scrape the same instance on both sides",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Sides[0].Jobs, ex.Sides[1].Jobs = 2, 2 })
			},
			want: said{Gap, TopicJobs, "several jobs scrape the same instances: rates count twice, the ratio is right", `--select 'job="NAME"'`}, exit: 1},
		{name: "two jobs scrape the same instance",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Sides[1].Jobs = 2 })
				w.answers["count by (job) (shop_attempts_total)"] = series("job=pods", 2.0, "job=endpoints", 2.0)
			},
			want: said{Broken, TopicJobs, "the jobs endpoints and pods scrape the same instances of downstream: healthy traffic reads as 2.00x", `--select 'job="endpoints"'`}, exit: 1},
		{name: "a clock that is two minutes off (case A14)",
			change: func(w *world) { w.drift = -2 * time.Minute },
			want:   said{Gap, TopicClock, "the server's clock is 2m behind ours", "Let both machines set their clocks"}, exit: 1},
		{name: "a clock that is a little off",
			change: func(w *world) { w.drift = 12 * time.Second },
			want:   said{Note, TopicClock, "12s ahead of ours", ""}},
		{name: "a clock that is not told",
			change: func(w *world) { w.clockErr = errors.New("query rejected: unknown function time") },
			want:   said{Note, TopicClock, "not known: query rejected", ""}},
		{name: "reporters that are away",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Sides[0].Reporters, ex.Sides[0].Usual = 32, 40 })
			},
			want: said{Gap, TopicReporters, "ingress 32 of 40 and downstream 2 of 2 answer", "Find those that are away"}, exit: 1},
		{name: "reporters that are not known",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) {
					for i := range ex.Sides {
						ex.Sides[i].Reporters, ex.Sides[i].Usual = 0, 0
					}
				})
			},
			want: said{Note, TopicReporters, "not known", ""}},
		{name: "data that is old",
			change: func(w *world) {
				w.change(func(ex *prom.Examined) { ex.Sides[1].Newest = noon.Add(-4 * time.Minute) })
			},
			want: said{Gap, TopicAge, "downstream: the newest sample is 4m old", "See why it is not scraped"}, exit: 1},
		{name: "an answer of which the server says that parts are absent (case A6)",
			change: func(w *world) {
				ans := w.answers[ingressQuery]
				ans.Warnings = []string{"store eu1 unavailable"}
				w.answers[ingressQuery] = ans
			},
			want: said{Gap, TopicPartial, "incomplete: store eu1 unavailable", "partial_response=false"}, exit: 1},
		{name: "queries that take too much of the interval",
			cfg:  Config{Interval: 100 * time.Millisecond},
			want: said{Gap, TopicPoll, "4 queries, 16ms, 6 kB: 16.0% of the interval of 100ms; above 10%", "Select less"}, exit: 1},
		{name: "an interval below the spacing of the samples",
			cfg:  Config{Interval: 5 * time.Second},
			want: said{Note, TopicPoll, "samples come only every 15s", ""}},
		{name: "Thanos",
			change: func(w *world) { w.detected.Thanos = true },
			want:   said{OK, TopicDedup, "dedup=true and max_source_resolution=0s are sent", ""}},
		{name: "a profile that was never run against its system",
			change: func(w *world) { w.detected.Found[0].Profile.Unproven = true },
			want:   said{Note, TopicProfile, "never run against the system itself", ""}},
		{name: "series that cannot be looked at",
			change: func(w *world) { w.examErr = errors.New("prom.example:9090: query timed out") },
			want:   said{Broken, TopicExamine, "query timed out", "Ask again when the server answers"}, exit: 1},
		{name: "only what says nothing without a baseline is there",
			change: func(w *world) { w.detected.Found[0].Use = prom.Offered },
			want:   said{Gap, TopicRatio, "nothing that was found is judged by itself", "Choose by name: --profile=NAME"}, exit: 1},
		{name: "pools alone",
			change: func(w *world) {
				w.detected.Found[0].Use = prom.Companion
				w.change(func(ex *prom.Examined) {
					delete(ex.Queries, collector.Ingress)
					delete(ex.Queries, collector.Downstream)
				})
			},
			want: said{Gap, TopicRatio, "no system here has both requests and attempts", "--signal ingress=PROMQL"}, exit: 1},
		{name: "the pair of sums seen from the users",
			change: func(w *world) {
				w.detected.Found[0].Profile.Edge = &profile.Edge{Ingress: "sum(rate(in[$window]))", Downstream: "sum(rate(out[$window]))"}
				w.answers["sum(rate(in[60000ms]))"] = series("", 1998.0)
				w.answers["sum(rate(out[60000ms]))"] = series("", 4955.0)
			},
			want: said{OK, TopicEdge, "1,998/s in, 4,955/s behind it", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := healthy()
			if tt.change != nil {
				tt.change(w)
			}
			r := run(t, w, tt.cfg)
			expect(t, r, tt.want)
			if got := r.ExitStatus(); got != tt.exit {
				t.Errorf("exit %d, want %d:\n%s", got, tt.exit, text80(t, r, false))
			}
			for _, f := range all(r) {
				if f.Level >= Gap && (f.Remedy == "" || f.Remedy[0] < 'A' || f.Remedy[0] > 'Z' || !strings.HasSuffix(f.Remedy, ".")) {
					t.Errorf("a gap without a remedy in a sentence: %+v", f)
				}
			}
		})
	}
}
